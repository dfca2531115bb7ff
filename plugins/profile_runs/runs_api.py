"""Routes of view runs."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/runs")
