"""Postgres access: connections, named SQL files, COPY, migrations. Knows no Airflow task."""
