"""The deployment's table of company industries, under whatever names its columns have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from psycopg import sql

from profiles.settings import Settings
from profiles.storage.sql_files import identifier, qualified

COLUMNS: Final = (
    "company_name",
    "company_domain",
    "company_linkedin_id",
    "company_linkedin_url",
    "industry",
    "industry_code",
    "is_primary",
)
"""What `tag_domains` reads of a company."""

_TYPES: Final = {"is_primary": "boolean"}


def column_names(settings: Settings) -> dict[str, str]:
    """The table's own name of each column, "" for one that it does not have."""
    return {name: settings.industry_columns.get(name, name) for name in COLUMNS}


def statement_parts(settings: Settings) -> dict[str, sql.Composable]:
    """`table` and `columns` of a statement that reads the table by our names."""
    return {
        "table": qualified(settings.industry_table),
        "columns": sql.SQL(", ").join(_columns(column_names(settings))),
    }


def _columns(names: Mapping[str, str]) -> list[sql.Composable]:
    return [
        sql.SQL("{}::{} AS {}").format(
            identifier(own) if own else sql.NULL,
            sql.SQL(_TYPES.get(name, "text")),
            sql.Identifier(name),
        )
        for name, own in names.items()
    ]
