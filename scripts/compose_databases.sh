#!/bin/sh
# Runs once, when the Compose Postgres is created: the two databases and the read-only role.
set -eu

psql --username postgres --set ON_ERROR_STOP=1 --set "password=$READ_ONLY_PASSWORD" <<'SQL'
CREATE DATABASE airflow;
CREATE DATABASE profiles;
CREATE ROLE profiles_ro LOGIN PASSWORD :'password';
GRANT pg_read_all_data TO profiles_ro;
ALTER ROLE profiles_ro SET default_transaction_read_only = on;
SQL
