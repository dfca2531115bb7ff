"""The second generator: repeatable files, namesakes, keys drawn apart, and its score."""

import csv
import json
from collections import Counter, defaultdict

import pytest
from benchmarks.second_people.__main__ import write_people
from benchmarks.second_people.decidable import decidable_pairs
from benchmarks.second_people.files import assign_shapes
from benchmarks.second_people.people import make_people
from benchmarks.second_people.score import score
from benchmarks.second_people.seen import see_people

pytestmark = pytest.mark.release


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("real")
    write_people(400, "real", 3, made)
    return made


def write_partition(path, truth, candidate):
    lines = [f"{r['table']},{r['id']},{candidate(r)}" for r in truth]
    path.write_text("\n".join(["table,id,candidate", *lines]) + "\n")
    return path


def test_one_seed_gives_the_same_files_and_another_seed_gives_others(folder, tmp_path):
    write_people(400, "real", 3, tmp_path / "again")
    write_people(400, "real", 4, tmp_path / "other")
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()
    assert (folder / "truth.csv").read_bytes() != (tmp_path / "other" / "truth.csv").read_bytes()


def test_every_row_of_the_tables_is_in_the_truth_and_json_columns_parse(folder):
    widths = {
        "linkedin_profiles": (8, 6),
        "weekday_candidates": (23, None),
        "parsed_resumes": (7, 4),
        "lemlist_leads": (26, 24),
    }
    shown = set()
    for table, (width, json_column) in widths.items():
        for line in (folder / f"{table}.copy").read_text("utf-8").splitlines():
            cells = line.split("\t")
            assert len(cells) == width
            if json_column is not None:
                json.loads(cells[json_column].replace("\\\\", "\\"))
            shown.add((table, cells[0]))
    assert shown == {(r["table"], r["id"]) for r in read(folder / "truth.csv")}


def test_common_names_are_shared_and_private_keys_are_not():
    people, _ = make_people(3000, "real", 5)
    names = Counter((p.given, p.family[0]) for p in people)
    assert names.most_common(1)[0][1] >= 10
    assert sum(count == 1 for count in names.values()) > len(people) / 4
    mails = [mail for p in people for _, mail in p.mails]
    phones = [phone for p in people for _, phone in p.phones]
    assert len(set(mails)) == len(mails)
    assert len(set(phones)) == len(phones)


def test_levels_rise_in_noise_and_fall_in_decidable_pairs():
    shares = {}
    for level in ("mild", "real", "harsh"):
        people, _ = make_people(1500, level, 2)
        rows = see_people(people, level, 2)
        assign_shapes(rows, 2)
        decided = [decidable for _, _, decidable in decidable_pairs(people, rows)]
        noisy = sum("typo" in row.kinds for row in rows) / len(rows)
        shares[level] = (noisy, -sum(decided) / len(decided))
    assert shares["mild"][0] < shares["real"][0] < shares["harsh"][0]
    assert shares["mild"][1] < shares["real"][1] < shares["harsh"][1]


def test_decidable_pairs_are_closed_over_the_rows_of_a_person():
    people, _ = make_people(800, "harsh", 9)
    rows = see_people(people, "harsh", 9)
    linked = defaultdict(set)
    for left, right, decidable in decidable_pairs(people, rows):
        assert left.person.id == right.person.id
        if decidable:
            linked[left.id].add(right.id)
            linked[right.id].add(left.id)
    for row, others in linked.items():
        for other in others:
            assert linked[other] - {row} == others - {other}


def test_score_of_the_truth_of_single_rows_and_of_one_wrong_merge(folder, tmp_path):
    truth = read(folder / "truth.csv")
    perfect = score(folder, write_partition(tmp_path / "a.csv", truth, lambda r: r["person"]))
    assert (perfect["precision"], perfect["recall"], perfect["mixed_candidates"]) == (1, 1, 0)
    assert perfect["recall_decidable"] == 1
    assert perfect["true_pairs"] == len(read(folder / "decidable.csv"))
    alone = score(folder, write_partition(tmp_path / "b.csv", truth, lambda r: r["id"]))
    assert (alone["precision"], alone["recall"]) == (None, 0)
    sizes = Counter(r["person"] for r in truth)
    first, second = [person for person, size in sizes.items() if size == 1][:2]
    wrong = score(
        folder,
        write_partition(
            tmp_path / "c.csv", truth, lambda r: first if r["person"] == second else r["person"]
        ),
    )
    pairs = perfect["true_pairs"]
    assert wrong["mixed_candidates"] == 1
    assert wrong["precision"] == round(pairs / (pairs + 1), 4)


def test_a_partition_of_other_rows_is_refused(folder, tmp_path):
    (tmp_path / "p.csv").write_text("table,id,candidate\nlemlist_leads,lea_none,1\n")
    with pytest.raises(ValueError, match="1 rows"):
        score(folder, tmp_path / "p.csv")
