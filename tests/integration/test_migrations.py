"""Migrations apply once, and only as released."""

import pytest

from profiles.errors import MigrationError
from profiles.storage import migrations
from profiles.storage.connection import Database


def test_a_migrated_database_has_nothing_pending(database: Database):
    assert migrations.pending(database) == []
    assert migrations.apply(database) == []


def test_an_edited_migration_is_refused(database: Database):
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.schema_migration SET checksum = 'edited'")
    with pytest.raises(MigrationError, match="was edited after it was applied"):
        migrations.apply(database)
