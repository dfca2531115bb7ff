"""The report of a run as the page that travels, where the link of task `report` leads.

Made again from what that task stored: the reader's role may see no raw answer and no source row.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import psycopg
from fastapi import APIRouter, Depends, HTTPException, Response
from fastapi.responses import HTMLResponse, JSONResponse

from profile_runs.database import OutageError, database_url
from profile_runs.runs_api import RunId
from profiles.errors import DatabaseUnavailableError, ExportError
from profiles.reporting import page_policy, render_html
from profiles.steps.reports import run_report
from profiles.storage.connection import Database

router = APIRouter()


@router.get("/report")
async def report(
    run: RunId,
    url: Annotated[str, Depends(database_url)],
    format: Literal["html", "json"] = "html",
) -> Response:
    """The report of run `run`, or of the newest for `latest`; `format=json` for its figures.

    Raises:
        HTTPException: 404, there is no such run or its report task has not ended.
        OutageError: the database cannot be read.
    """
    try:
        found = await asyncio.to_thread(
            run_report.collect, Database(url), run_id=run, is_stored=True
        )
    except ExportError as error:
        raise HTTPException(404, str(error)) from error
    except (DatabaseUnavailableError, psycopg.Error) as error:
        raise OutageError(
            f"The report could not be read ({type(error).__name__}).",
            "Check the Airflow Connection 'profiles_ro' and its role; then load this page again.",
        ) from error
    if format == "json":
        return JSONResponse(found)
    page = await asyncio.to_thread(render_html, found)
    # Its own script alone, by its hash, instead of the files that the other pages load.
    return HTMLResponse(
        page, headers={"Content-Security-Policy": f"{page_policy()}; frame-ancestors 'self'"}
    )
