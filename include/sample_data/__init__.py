"""Invented people in the four source tables: a seeded generator and a small bundled sample."""

from sample_data.bundle import bundle
from sample_data.loading import BUNDLED_SAMPLE, load_sample
from sample_data.writer import write_sample

__all__ = ["BUNDLED_SAMPLE", "bundle", "load_sample", "write_sample"]
