#!/bin/sh
# Runs once, when the Compose Postgres is created: the two databases, the role that owns the
# profiles (it may make roles, which migrations do) and the role that only reads them.
set -eu

psql --username postgres --set ON_ERROR_STOP=1 \
  --set "owner=$OWNER_PASSWORD" --set "reader=$READ_ONLY_PASSWORD" <<'SQL'
CREATE DATABASE airflow;
REVOKE CONNECT ON DATABASE airflow FROM PUBLIC;
CREATE ROLE profiles LOGIN CREATEROLE PASSWORD :'owner';
CREATE DATABASE profiles OWNER profiles;
CREATE ROLE profiles_ro LOGIN PASSWORD :'reader';
ALTER ROLE profiles_ro SET default_transaction_read_only = on;
SQL
