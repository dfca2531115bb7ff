"""Waits of `dags/shortened.py`."""

LANE_SECONDS = 20
"""The execution_timeout of a lane of `hasty_synthesis`."""
DEADLINE_SECONDS = 30
"""The deadline of one of its runs."""
