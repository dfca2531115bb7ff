"""Registers the page with Airflow, and nothing else.

Every Airflow process imports this module, also each task. So the page itself is imported at its
first request, by the API server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow.plugins_manager import AirflowPlugin

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]

URL_PREFIX = "/profiles"
# Relative to the base of Airflow's UI, which may lie below a path of its host.
_RELATIVE = URL_PREFIX.removeprefix("/")


class LazyPage:
    """An ASGI application that imports the real one when it is first called."""

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Hands the request to `profile_runs.api.app`."""
        from profile_runs.api import app

        unredacted = dict(scope)
        # Airflow logs the address when the request has ended; a search names people.
        scope["query_string"] = b""
        await app(unredacted, receive, send)


class ProfilesPlugin(AirflowPlugin):
    """One entry in the navigation, and a tab on each DAG run."""

    name = "profile_runs"
    fastapi_apps = [{"app": LazyPage(), "url_prefix": URL_PREFIX, "name": "Profiles"}]  # noqa: RUF012
    external_views = [  # noqa: RUF012
        {
            "name": "Profiles",
            "href": f"{_RELATIVE}/runs",
            "destination": "nav",
            "url_route": "profiles",
            "nav_top_level": True,
            "icon": f"{_RELATIVE}/static/icon.svg",
        },
        {
            "name": "Profiles",
            "href": f"{_RELATIVE}/runs?run={{RUN_ID}}",
            "destination": "dag_run",
            "url_route": "profiles-run",
        },
    ]
