"""`python -m benchmarks.second_people --n 10000 --level real --seed 1 --out FOLDER`."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.second_people.decidable import decidable_pairs
from benchmarks.second_people.files import assign_shapes, write_csv, write_tables
from benchmarks.second_people.people import make_people
from benchmarks.second_people.seen import see_people
from benchmarks.second_people.world import LEVELS

__all__ = ["write_people"]


def write_people(count: int, level: str, seed: int, folder: Path) -> None:
    """Write the tables, `truth.csv`, `noise.csv` and `decidable.csv`."""
    people, employers = make_people(count, level, seed)
    rows = see_people(people, level, seed)
    shapes = assign_shapes(rows, seed)
    write_tables(folder, rows, employers, shapes, seed)
    write_csv(folder / "truth.csv", "table,id,person", ((r.table, r.id, r.person.id) for r in rows))
    write_csv(
        folder / "noise.csv",
        "table,id,kinds",
        ((r.table, r.id, " ".join(sorted(r.kinds))) for r in rows),
    )
    write_csv(
        folder / "decidable.csv",
        "table_a,id_a,table_b,id_b,decidable",
        ((a.table, a.id, b.table, b.id, int(d)) for a, b, d in decidable_pairs(people, rows)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.second_people", description=__doc__)
    parser.add_argument("--n", type=int, default=10_000, help="people")
    parser.add_argument("--level", choices=LEVELS, default="real")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    arguments = parser.parse_args()
    write_people(arguments.n, arguments.level, arguments.seed, arguments.out)


if __name__ == "__main__":
    main()
