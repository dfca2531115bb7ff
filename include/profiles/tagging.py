"""Industries and business domains: what a dirty industry label or code means.

Pure. LinkedIn's numeric code survived its change of labels (v1 to v2), so a code wins over a label;
labels are compared folded, with "&" and "and" alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from profiles.standardization.text import clean_line, fold

__all__ = ["IndustryTaxonomy", "label_key"]


def label_key(label: object) -> str | None:
    """The comparison key of an industry label, None when it says nothing.

    >>> label_key("Hospital &amp; Health Care") == label_key("hospital and health care")
    True
    """
    text = clean_line(label)
    if text is None:
        return None
    return " ".join(word for word in fold(text).split() if word not in ("and", "the")) or None


@dataclass(frozen=True, slots=True)
class IndustryTaxonomy:
    """Industry labels → code → business domain."""

    code_by_label: Mapping[str, int]
    domain_by_code: Mapping[int, str]
    domains: tuple[str, ...] = field(default=())

    @classmethod
    def build(
        cls,
        *,
        labels: Mapping[int, tuple[str, ...]],
        codes_by_domain: Mapping[str, tuple[int, ...]],
    ) -> IndustryTaxonomy:
        """The taxonomy of code → labels and domain → codes.

        Raises:
            ValueError: a label names two codes, or a code has two domains or none.
        """
        domain_by_code: dict[int, str] = {}
        for domain, codes in codes_by_domain.items():
            for code in codes:
                if domain_by_code.setdefault(code, domain) != domain:
                    raise ValueError(
                        f"code {code} is in domains {domain_by_code[code]!r} and {domain!r}"
                    )
        code_by_label: dict[str, int] = {}
        for code, names in labels.items():
            if code not in domain_by_code:
                raise ValueError(f"code {code} ({names[0]}) has no domain")
            for name in names:
                key = label_key(name)
                if key is not None and code_by_label.setdefault(key, code) != code:
                    raise ValueError(f"label {name!r} names {code_by_label[key]} and {code}")
        return cls(code_by_label, domain_by_code, tuple(codes_by_domain))

    def code(self, *, label: object, code: object) -> int | None:
        """The code of one row; a known numeric code wins over the label."""
        number = clean_line(code)
        if number is not None and number.isdecimal() and int(number) in self.domain_by_code:
            return int(number)
        key = label_key(label)
        return self.code_by_label.get(key) if key is not None else None

    def domain(self, code: int) -> str | None:
        """The business domain of a code."""
        return self.domain_by_code.get(code)
