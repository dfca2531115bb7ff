"""The page's application: every route, static files too, needs a user who may read the DAG's runs.

Routes of one view each live in a module of their own; this one puts them together and says what
holds for all: who may come in, the headers of every answer, and how an outage looks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import unquote_to_bytes

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from profile_runs import candidate_api, pages, report_api, runs_api
from profile_runs.access import may_read
from profile_runs.database import OutageError

HEADERS = {
    # No inline script, nothing from another host; shown in no frame but Airflow's own.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    # Figures and people; a shared machine must not keep them.
    "Cache-Control": "no-store",
}


def build_app() -> FastAPI:
    """The application with all routes; no schema or docs pages, which would not be protected."""
    app = FastAPI(
        title="Profiles",
        dependencies=[Depends(may_read), Depends(_without_zero)],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.middleware("http")(_with_headers)
    app.add_exception_handler(OutageError, _answer_outage)
    for part in (report_api, pages, runs_api, candidate_api):
        app.include_router(part.router)
    return app


async def _with_headers(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    response = await call_next(request)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def _without_zero(request: Request) -> None:
    """Neither Postgres nor a file's name can hold the character, so that nothing has it."""
    if "\0" in request.scope["path"] or b"\0" in unquote_to_bytes(request.scope["query_string"]):
        raise HTTPException(400, "The address holds the character U+0000, which no text here has.")


async def _answer_outage(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, OutageError)  # noqa: S101 - what the handler is registered for
    return JSONResponse({"what": error.what, "next": error.next_step}, status_code=503)


app = build_app()
