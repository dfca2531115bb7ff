"""The careers of invented people, in the order in which a number chooses one."""

from __future__ import annotations

from profiles.sample.careers.business import FINANCE, MARKETING, RECRUITING, SALES
from profiles.sample.careers.career import Career, fill
from profiles.sample.careers.industry import DESIGN, ENGINEERING, HEALTH, LOGISTICS
from profiles.sample.careers.technology import DATA, SOFTWARE

__all__ = ["CAREERS", "Career", "fill"]

CAREERS: tuple[Career, ...] = (
    SOFTWARE,
    DATA,
    MARKETING,
    FINANCE,
    HEALTH,
    RECRUITING,
    LOGISTICS,
    ENGINEERING,
    DESIGN,
    SALES,
)
