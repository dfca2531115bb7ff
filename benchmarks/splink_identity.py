"""The same rows through Splink 5 on DuckDB: a fair model, its best threshold, accuracy and cost.

    python -m venv /tmp/splink && /tmp/splink/bin/pip install 'splink==5.*'
    python -m benchmarks.identity --n 20000 --seed 411 --splink /tmp/splink/bin/python

Runs under Splink's own interpreter and imports nothing of the project: `benchmarks.identity` hands
it the standardised facts as JSON lines (columns below) and the truth. Blocking uses the project's
keys, without the blocks that its pair budget drops. The model compares names by Jaro-Winkler
with term frequencies, e-mails, phones, LinkedIn names and member ids exactly, and employers, start
months, titles, schools and places by overlap; m is trained by EM, u by sampling. Every threshold is
clustered by connected components and the one with the best F1 is reported, which a team without
truth could not choose. Seconds are those of one run at that threshold, without the sweep.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

import duckdb
import splink
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

ARRAYS = (
    "emails", "phones", "member_ids", "employers", "starts", "titles", "schools", "cities",
    "name_employer", "career",
)  # fmt: skip
BLOCKED = ("emails", "phones", "member_ids", "name_employer", "career")
THRESHOLDS = tuple(range(0, 42, 3))
SAMPLED_PAIRS = 2e6
RECALL_GUESS = 0.8

# Pairs of groups, true pairs and both, from the clusters joined with the truth.
PAIRS = """
WITH owned AS (
  SELECT c.cluster_id, t.person FROM clusters AS c JOIN rows AS t USING (unique_id)
)
SELECT (SELECT sum(n * (n - 1) / 2) FROM (SELECT count(*) AS n FROM owned GROUP BY cluster_id)),
       (SELECT sum(n * (n - 1) / 2) FROM (SELECT count(*) AS n FROM owned GROUP BY person)),
       (SELECT sum(n * (n - 1) / 2)
        FROM (SELECT count(*) AS n FROM owned GROUP BY cluster_id, person))
"""


def main() -> int:
    """Reads the file named first and prints the figures as JSON on the last line."""
    started = time.monotonic()
    connection = duckdb.connect()
    columns = {"unique_id": "BIGINT", "person": "BIGINT", "given": "VARCHAR", "family": "VARCHAR"}
    columns |= {"linkedin": "VARCHAR"} | dict.fromkeys(ARRAYS, "VARCHAR[]")
    connection.execute(
        "CREATE TABLE rows AS "
        "SELECT * FROM read_json(?, format = 'newline_delimited', columns = ?)",
        [sys.argv[1], columns],
    )
    backend = DuckDBAPI(connection)
    facts = connection.sql(
        f"SELECT unique_id, given, family, linkedin, {', '.join(ARRAYS)} FROM rows"
    )
    linker = Linker(
        backend.register(facts.to_arrow_table(), dataset_display_name="facts"), _model()
    )
    _train(linker)
    predictions = linker.inference.predict(threshold_match_weight=float(THRESHOLDS[0]))
    before_clustering = time.monotonic() - started
    sweep = [_clustered(linker, connection, predictions, threshold) for threshold in THRESHOLDS]
    best = max(sweep, key=lambda found: found["f1"])
    used = resource.getrusage(resource.RUSAGE_SELF)
    shared = sum(found["cpu_seconds"] for found in sweep if found is not best)
    pairs = connection.execute(f"SELECT count(*) FROM {predictions.physical_name}").fetchall()
    result = {
        "version": splink.__version__,
        "precision": best["precision"],
        "recall": best["recall"],
        "threshold": best["threshold"],
        "seconds": round(before_clustering + best["seconds"], 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime - shared, 1),
        "peak_mb": round(used.ru_maxrss / 1024),
        "scored_pairs": pairs[0][0],
        "sweep": sweep,
    }
    sys.stdout.write(json.dumps(result) + "\n")
    return 0


def _model() -> SettingsCreator:
    exact = [cl.ArrayIntersectAtSizes(name, [1]) for name in ("emails", "phones", "member_ids")]
    overlap = [
        cl.ArrayIntersectAtSizes(name, sizes)
        for name, sizes in (
            ("employers", [3, 2, 1]), ("starts", [3, 2, 1]), ("titles", [2, 1]),
            ("schools", [1]), ("cities", [1]),
        )
    ]  # fmt: skip
    return SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="unique_id",
        comparisons=[
            _name("given"), _name("family"), cl.ExactMatch("linkedin"), *exact, *overlap,
        ],
        blocking_rules_to_generate_predictions=[
            block_on("linkedin"),
            *(block_on(name, arrays_to_explode=[name]) for name in BLOCKED),
        ],
    )  # fmt: skip


def _name(column: str) -> cl.CustomComparison:
    """Jaro-Winkler levels; names in two scripts say nothing, initials are a level of their own."""
    other_script = f"regexp_matches({column}_l, '[a-z]') <> regexp_matches({column}_r, '[a-z]')"
    initial = (
        f"least(length({column}_l), length({column}_r)) = 1 "
        f"AND left({column}_l, 1) = left({column}_r, 1)"
    )
    return cl.CustomComparison(
        output_column_name=column,
        comparison_levels=[
            cll.CustomLevel(
                f"{column}_l IS NULL OR {column}_r IS NULL OR {other_script}"
            ).configure(is_null_level=True),
            cll.ExactMatchLevel(column).configure(tf_adjustment_column=column),
            cll.CustomLevel(initial, label_for_charts="initial"),
            cll.JaroWinklerLevel(column, 0.92),
            cll.JaroWinklerLevel(column, 0.8),
            cll.ElseLevel(),
        ],
    )


def _train(linker: Linker) -> None:
    training = linker.training
    training.estimate_probability_two_random_records_match(
        [block_on("linkedin"), block_on("emails", arrays_to_explode=["emails"])],
        recall=RECALL_GUESS,
    )
    training.estimate_u_using_random_sampling(max_pairs=SAMPLED_PAIRS, seed=1)
    # Each pass leaves out the comparisons it blocks on; together they train all.
    training.estimate_parameters_using_expectation_maximisation(block_on("linkedin"))
    training.estimate_parameters_using_expectation_maximisation(block_on("given", "family"))


def _clustered(
    linker: Linker, connection: duckdb.DuckDBPyConnection, predictions: Any, threshold: int
) -> dict[str, float]:
    before, started = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    found = linker.clustering.cluster_pairwise_predictions_at_threshold(
        predictions, threshold_match_weight=float(threshold)
    )
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_SELF)
    connection.execute(
        "CREATE OR REPLACE TEMP VIEW clusters AS "
        f"SELECT cluster_id, unique_id FROM {found.physical_name}"
    )
    pairs, true, both = (float(value or 0) for value in connection.execute(PAIRS).fetchall()[0])
    return {
        "threshold": threshold,
        "precision": round(both / max(pairs, 1), 5),
        "recall": round(both / max(true, 1), 5),
        "f1": round(2 * both / max(pairs + true, 1), 5),
        "seconds": round(seconds, 2),
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2
        ),
    }


if __name__ == "__main__":
    sys.exit(main())
