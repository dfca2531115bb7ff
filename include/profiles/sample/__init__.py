"""Invented people in the four source tables: a seeded generator and a small bundled sample."""

from profiles.sample.bundle import bundle
from profiles.sample.loading import BUNDLED_SAMPLE, load_sample
from profiles.sample.writer import write_sample

__all__ = ["BUNDLED_SAMPLE", "bundle", "load_sample", "write_sample"]
