#!/bin/sh
# Prints the interpreter to build the environment with: $PYTHON if set, else the newest
# python3 on PATH of at least 3.11 that can make virtual environments.
set -u

newest_tried=14   # 3.15 is refused by Airflow 3.3

suits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, int(sys.argv[1])))' \
        "$newest_tried" >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    found=$(command -v "$PYTHON") || { echo "PYTHON=$PYTHON is not a program" >&2; exit 1; }
    suits "$found" || { echo "PYTHON=$PYTHON is not a Python 3.11 to 3.$newest_tried" >&2; exit 1; }
    echo "$found"
    exit 0
fi

fallback=
for version in $(seq "$newest_tried" -1 11) ""; do
    name=python3${version:+.$version}
    for candidate in "$(command -v "$name" 2>/dev/null)" "/usr/local/bin/$name" "/usr/bin/$name"; do
        [ -n "$candidate" ] && [ -x "$candidate" ] && suits "$candidate" || continue
        if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
            echo "$candidate"
            exit 0
        fi
        fallback=${fallback:-$candidate}
    done
done

if [ -n "$fallback" ]; then
    echo "$fallback"
    exit 0
fi
echo "no Python 3.11 or newer was found; install one (Debian: apt-get install python3 python3-venv)" >&2
echo "or name it: make setup PYTHON=/path/to/python3" >&2
exit 1
