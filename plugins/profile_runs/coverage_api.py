"""Routes of view coverage."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/coverage")
