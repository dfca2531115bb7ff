"""Turns messy candidate records into search-ready profiles.

Importing this package loads nothing heavy: the engine process, which runs in another
interpreter, and Airflow's DAG parser both import below it.
"""

__version__ = "0.1.0"
