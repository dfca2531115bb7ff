#!/bin/sh
# Makes .venv, installs the locked requirements, this package and the embedded model.
# Instant when nothing changed. Arguments go to scripts/setup.py (--dev).
set -eu
cd "$(dirname "$0")/.."

# A .venv that came here with a copied or moved tree still points at its old place.
is_ours() {
    [ ! -f .venv/profiles-venv ] || [ "$(head -n 1 .venv/profiles-venv)" = "$(pwd -P)/.venv" ]
}

if [ -z "${PYTHON:-}" ] && is_ours && .venv/bin/python -c '' >/dev/null 2>&1; then
    exec .venv/bin/python scripts/setup.py "$@"
fi
python=$(sh scripts/find_python.sh)
exec "$python" scripts/setup.py "$@"
