"""Decides what of a model's answer may be published: parsing, schema, form, grounding.

Pure: no randomness, no file, no database. Of the clock only today's month, up to which a running
job without a length may have run. A bad answer is data.
"""

from profiles.validation.gate import judge

__all__ = ["judge"]
