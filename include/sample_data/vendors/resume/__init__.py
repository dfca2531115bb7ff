"""The five shapes that resume parsers write."""

from __future__ import annotations

from sample_data.vendors.resume import affinda, jsonresume, openresume, pyresparser, textkernel
from sample_data.vendors.resume.printed import Contact, Maker

__all__ = ["MAKERS", "Contact"]

MAKERS: tuple[tuple[str, Maker, int], ...] = (
    ("jsonresume", jsonresume.jsonresume, 18),
    ("openresume", openresume.openresume, 18),
    ("affinda", affinda.affinda, 26),
    ("textkernel", textkernel.textkernel, 22),
    ("pyresparser", pyresparser.pyresparser, 16),
)
"""Parser name, maker, weight."""
