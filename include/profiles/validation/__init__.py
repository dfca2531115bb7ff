"""Decides what of a model's answer may be published: parsing, schema, form, grounding.

Pure: no clock, no randomness, no file, no database. A bad answer is data.
"""

from profiles.validation.gate import extractive_summary, judge

__all__ = ["extractive_summary", "judge"]
