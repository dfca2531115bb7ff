"""The careers of invented people, in the order in which a number chooses one."""

from __future__ import annotations

from sample_data.careers.business import FINANCE, MARKETING, RECRUITING, SALES
from sample_data.careers.career import Career, fill
from sample_data.careers.industry import DESIGN, ENGINEERING, HEALTH, LOGISTICS
from sample_data.careers.technology import DATA, SOFTWARE

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
