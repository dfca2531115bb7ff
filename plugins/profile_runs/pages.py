"""The HTML of each view and the static files; nothing outside folder `static` is served."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import FileResponse, RedirectResponse

from profile_runs.access import Rights, rights

STATIC = Path(__file__).parent / "static"
VIEWS = {
    "runs": "runs.html",
    "coverage": "coverage.html",
    "candidates": "candidate.html",
    "search": "search.html",
}

_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

router = APIRouter()


@router.get("/")
def home() -> RedirectResponse:
    """To the first view. Relative, so that it works under any base path."""
    return RedirectResponse("runs")


@router.get("/api/me")
def me(found: Annotated[Rights, Depends(rights)]) -> Rights:
    """The signed-in user and whether the buttons are shown."""
    return found


@router.get("/static/{name:path}")
def static_file(name: str) -> FileResponse:
    """A script, style sheet or icon of this folder."""
    path = (STATIC / name).resolve()
    media_type = _MEDIA_TYPES.get(path.suffix)
    if media_type is None or not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        raise HTTPException(404, f"there is no static file {name!r}")
    # Checked with the server each time, answered 304 while unchanged: an upgrade shows at once.
    return FileResponse(path, media_type=media_type, headers={"Cache-Control": "no-cache"})


@router.get("/{view}")
def view_page(view: str) -> FileResponse:
    """The document of a view. It holds no data; its script asks for them."""
    if view not in VIEWS:
        raise HTTPException(404, f"there is no view {view!r}; there are {', '.join(VIEWS)}")
    return FileResponse(STATIC / VIEWS[view], media_type="text/html; charset=utf-8")
