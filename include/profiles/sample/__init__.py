"""Invented people in the four source tables: a seeded generator and a small bundled sample."""

from profiles.sample.writer import write_sample

__all__ = ["write_sample"]
