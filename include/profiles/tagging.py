"""Industries and business domains: what a dirty industry label or code means.

Pure. LinkedIn's numeric code survived its change of labels (v1 to v2), so a code wins over a label;
labels are compared folded, with "&" and "and" alike.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from profiles.standardization.text import bounded_key, clean_line, fold

Owner = TypeVar("Owner")
Member = TypeVar("Member")

_CODE = re.compile(r"(?:\A|:)0*(\d{1,6})(?:\.0)?\Z")
"""A code as vendors write it: "96", "96.0", "urn:li:industry:96"."""


def label_key(label: object) -> str | None:
    """The comparison key of an industry label, None when it says nothing.

    >>> label_key("Hospital &amp; Health Care") == label_key("hospital and health care")
    True
    """
    text = clean_line(label)
    if text is None:
        return None
    words = " ".join(word for word in fold(text).split() if word not in ("and", "the"))
    return bounded_key(words) or None


@dataclass(frozen=True, slots=True)
class IndustryTaxonomy:
    """Industry labels → code → business domain."""

    code_by_label: Mapping[str, int]
    domain_by_code: Mapping[int, str]
    domains: tuple[str, ...]
    older_code: Mapping[int, int]
    """Codes that v2 added → the v1 code that covers them."""

    @property
    def digest(self) -> str:
        parts = [sorted(part.items()) for part in (self.code_by_label, self.domain_by_code)]
        text = repr((parts, self.domains, sorted(self.older_code.items())))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @classmethod
    def build(
        cls,
        *,
        labels: Mapping[int, tuple[str, ...]],
        codes_by_domain: Mapping[str, tuple[int, ...]],
        narrower: Mapping[int, tuple[int, ...]],
    ) -> IndustryTaxonomy:
        """The taxonomy of code → labels, domain → codes, and code → codes that it covers.
        ValueError where a label or code is named twice, or a code has no domain."""
        domain_by_code = _owners(codes_by_domain, "code {} is in domains {!r} and {!r}")
        for code, names in labels.items():
            if code not in domain_by_code:
                raise ValueError(f"code {code} ({names[0]}) has no domain")
        keys = {code: tuple(filter(None, map(label_key, names))) for code, names in labels.items()}
        older_code = _owners(narrower, "narrower code {} is covered by {} and {}")
        for code, covering in older_code.items():
            if covering not in domain_by_code or code in domain_by_code:
                raise ValueError(f"narrower code {code} cannot be covered by {covering}")
        return cls(
            code_by_label=_owners(keys, "label {!r} names {} and {}"),
            domain_by_code=domain_by_code,
            domains=tuple(codes_by_domain),
            older_code=older_code,
        )

    def known_code(self, value: object) -> int | None:
        """The code that a vendor's code stands for, None when the taxonomy does not know it."""
        match = _CODE.search(clean_line(value) or "")
        if match is None:
            return None
        code = self.older_code.get(int(match[1]), int(match[1]))
        return code if code in self.domain_by_code else None

    def code(self, *, label: object, code: object) -> int | None:
        """The code of one row; a known numeric code wins over the label."""
        known = self.known_code(code)
        return self.code_by_label.get(label_key(label) or "") if known is None else known


def _owners(groups: Mapping[Owner, tuple[Member, ...]], fault: str) -> dict[Member, Owner]:
    owners: dict[Member, Owner] = {}
    for owner, members in groups.items():
        for member in members:
            if owners.setdefault(member, owner) != owner:
                raise ValueError(fault.format(member, owners[member], owner))
    return owners
