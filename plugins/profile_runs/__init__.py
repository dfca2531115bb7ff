"""The operator's page inside Airflow's UI: runs, coverage, candidates, search."""
