"""Routes of view search."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/search")
