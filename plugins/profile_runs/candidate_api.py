"""Routes of view candidates."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/candidates")
