"""The generator of invented people and the bundled sample made with it."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from sample_data import bundle, write_sample
from sample_data.bundle import PEOPLE, SEED
from sample_data.loading import BUNDLED_SAMPLE
from sample_data.pen import canonical_mailbox
from sample_data.population import Population
from sample_data.rows import rows_of
from sample_data.traps import TRAPS, traps_of
from sample_data.writer import COLUMNS, copy_line

COPY_DIGESTS = {
    "company_industry.copy": "0bef73e1464d6b20e9f3e989c50f4f9aa063b0b4cd71ecc6a4c09dd6700fb1bc",
    "lemlist_leads.copy": "2e070cd513d9ad768bebbc8bde312e83685756508c46cf46fef903eeef396ae8",
    "linkedin_profiles.copy": "5bab391c901db63b94ae1f9b3b1487a0d5ce506b387d6c59a34830a85c19d71b",
    "parsed_resumes.copy": "f3132f91a96a457f4e702b13e75bfb5a27e077a85a91af42c945cab5bcfde690",
    "truth.tsv": "6b0570bfd85a26c1c4aa63c5520365fae3ac4537cf4bb1d515821d0d74270188",
    "truth_profiles.jsonl": "37b87251fcca73e0915a2078a57dc7eaeb45c7b8d34abb1156a5d05dd5be0064",
    "weekday_candidates.copy": "1a5da7d55a93d3c528bdf71725f5539fe89d7fb0a35939bdc2a7ad4d7c57569b",
}
JSONL_DIGESTS = {
    "company_industry.jsonl": "1e21958f8f00eb9e688136260d8752818cc169816207a27b0c87ab53a66caf3e",
    "lemlist_leads.jsonl": "4e831150cde205321464fb1dda775d7b3fad427ffe83c8db51200d396e805ce0",
    "linkedin_profiles.jsonl": "97f2eb2877231cc006dc45142a83cda55fdd51275583706ecf983c57472edda2",
    "parsed_resumes.jsonl": "0e0ac2863fd1a486b98c7391060fc9b71d2a3915cfcb4dcbc94696a765d95504",
    "truth.tsv": "84727fcd7080acdea9bccbfa744ba9eb67af630444a44ab8f821a5d7ba776d6e",
    "truth_profiles.jsonl": "6904e3d83573397a166c0780c3708267aa2a936e7ff1881429fb85097de93678",
    "weekday_candidates.jsonl": "202a2a83e4ed5f734cbf68905eb78fbb7bc63458db9db0adcf92289ff1124f50",
}


def digests(folder):
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }


def sample_people():
    population = Population(SEED)
    return [rows_of(population, number) for number in PEOPLE]


def test_copy_files_of_a_seed_have_the_recorded_bytes(tmp_path):
    write_sample(tmp_path, people=300, truth=300)
    assert digests(tmp_path) == COPY_DIGESTS


def test_json_lines_of_another_seed_and_start_have_the_recorded_bytes(tmp_path):
    write_sample(tmp_path, people=300, seed=11, start=4000, format="jsonl", truth=50)
    assert digests(tmp_path) == JSONL_DIGESTS


def test_shards_hold_the_same_rows_as_one_run(tmp_path):
    write_sample(tmp_path / "whole", people=60, start=100)
    write_sample(tmp_path / "a", people=25, start=100)
    write_sample(tmp_path / "b", people=35, start=125)
    for table in ("linkedin_profiles", "parsed_resumes", "truth.tsv"):
        name = table if "." in table else f"{table}.copy"
        parts = [(tmp_path / part / name).read_text("utf-8").splitlines() for part in "ab"]
        whole = (tmp_path / "whole" / name).read_text("utf-8").splitlines()
        assert set(whole) == set(parts[0]) | set(parts[1])
        assert len(set(whole)) == len(whole)


def test_counts_are_the_lines_written(tmp_path):
    counts = write_sample(tmp_path, people=20)
    for table, count in counts.items():
        assert (tmp_path / f"{table}.copy").read_text("utf-8").count("\n") == count


def test_every_copy_line_has_a_field_for_every_column(tmp_path):
    write_sample(tmp_path, people=40)
    for table, columns in COLUMNS.items():
        for line in (tmp_path / f"{table}.copy").read_text("utf-8").splitlines():
            assert line.count("\t") == len(columns) - 1


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (("a", None), "a\t\\N\n"),
        (("a\tb",), "a\\tb\n"),
        (("a\nb\r",), "a\\nb\\r\n"),
        (("\\N",), "\\\\N\n"),
    ],
)
def test_copy_text_escapes_what_postgres_reads_specially(fields, line):
    assert copy_line(fields) == line


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("mailto:Thea.Quarles@gmail.com", "theaquarles@gmail.com"),
        (" thea.quarles+jobs@googlemail.com ", "theaquarles@gmail.com"),
        ("Thea.Quarles@Proton.me", "thea.quarles@proton.me"),
    ],
)
def test_truth_names_a_mailbox_by_its_canonical_address(written, canonical):
    assert canonical_mailbox(written) == canonical


def test_bundled_files_are_what_the_script_makes(tmp_path):
    bundle(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {name: (BUNDLED_SAMPLE / name).read_bytes() for name in made}
    assert made == kept


def test_bundled_sample_has_24_people_and_shows_every_trap():
    people = sample_people()
    assert len(people) + 2 == 24
    shown = set().union(*(traps_of(person, rows) for person, rows in people))
    assert shown == set(TRAPS)


def test_bundled_sample_has_every_vendor_and_parser():
    rows = [row for _, rows in sample_people() for row in rows]
    vendors = {row.values[1] for row in rows if row.table == "linkedin_profiles"}
    parsers = {row.values[1] for row in rows if row.table == "parsed_resumes"}
    assert (len(vendors), len(parsers)) == (6, 5)


def test_people_who_share_something_are_there_with_the_rows_that_show_it():
    rows = {person.number: rows for person, rows in sample_people()}

    def emails(number):
        return {email for row in rows[number] for email in row.emails}

    def vanities(number):
        return {vanity for row in rows[number] for vanity in row.vanities}

    assert emails(1143) & emails(1144)
    assert vanities(70) & vanities(71)
    assert len(vanities(792)) == 2


def test_no_real_mailbox_or_number_is_in_the_sample():
    text = "".join((BUNDLED_SAMPLE / f"{table}.copy").read_text("utf-8") for table in COLUMNS)
    for address in re.findall(r"[\w.+-]+@[\w-]+\.[\w.]+", text):
        assert re.search(r"\.zz[0-9a-f]+|zz[0-9a-f]+|-example\.com$", address.lower()), address


def test_industry_rows_belong_to_employers_of_the_sample():
    companies = {
        re.sub(r"[^a-z]", "", job.company.name.lower())
        for person, _ in sample_people()
        for job in person.jobs
    } | {"haldenbank", "quarrylabs", "tarnnetworks"}
    for line in (BUNDLED_SAMPLE / "company_industry.copy").read_text("utf-8").splitlines():
        name = re.sub(r"[^a-z]", "", line.split("\t")[1].lower())
        assert any(name.startswith(company) for company in companies)


def test_readme_names_every_trap_and_every_person():
    readme = (BUNDLED_SAMPLE / "README.md").read_text("utf-8")
    assert all(f"`{trap}`" in readme for trap in TRAPS)
    assert all(f"P{number:07d}" in readme for number in PEOPLE)


def test_truth_has_distinct_sentences_and_jobs_that_end_after_they_start(tmp_path):
    write_sample(tmp_path, people=30, truth=30)
    for line in (tmp_path / "truth_profiles.jsonl").read_text("utf-8").splitlines():
        for job in json.loads(line)["jobs"]:
            assert len(job["sentences"]) == len(set(job["sentences"]))
            assert job["end"] is None or job["start"] < job["end"]
