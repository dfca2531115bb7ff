"""One reader in one clone, from the first command to the last: the pages build on each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.reader.clone import clone
from tests.reader.walk import Reader


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """A reader who has typed nothing yet."""
    with clone() as copy:
        yield Reader(copy)
