"""Characters allowed in an address of the page."""

from __future__ import annotations

import pytest

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize(
    "path",
    [
        "/api/runs?before=a%00",
        "/api/runs/view?run=a%00",
        "/api/candidates?q=%00",
        "/api/search?q=a%00",
        "/api/search?q=a&domain=%00",
        "/report?run=a%00",
        "/static/a%00.css",
    ],
)
def test_a_zero_is_refused_before_anything_reads_it(client, path):
    answer = client.get(path)
    assert answer.status_code == 400
    assert "U+0000" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["/static/%2e%2e/api.py", "/static//etc/passwd.css", "/static/vendor/README.md"]
)
def test_nothing_but_the_static_files_is_served(client, path):
    assert client.get(path).status_code == 404
