"""The four numbers of the gate on labelled answers, and how the benchmark reads them."""

from __future__ import annotations

import json

import pytest
from benchmarks.gate import figures, judged, kinds, main, read_cases
from tests.paths import REPOSITORY

QUALITY = REPOSITORY / "tests" / "quality"
DOCUMENT = """# Ada Quill
Nurse
Leeds, United Kingdom · 6 years of experience

## Experience
### Ward Nurse — Mersey Hospital
Mar 2019 – Present (6+ yrs)
- Cares for 24 patients on a surgical ward and trains 3 students.
- Introduced a checklist that cut falls by 12%.
"""
SUMMARY = (
    "The candidate is a ward nurse at Mersey Hospital. The candidate cares for 24 patients on a "
    "surgical ward and trains three students. A checklist cut falls by 12%."
)


@pytest.mark.parametrize(
    ("folder", "most"),
    [
        (
            "handed",
            {
                "people_lost": 0.01,
                "sentences_lost": 0.02,
                "form_faults_left": 0.02,
                "content_faults_left": 0.3,
            },
        ),
        # Of authors who had not read the rules.
        (
            "answers",
            {
                "people_lost": 0.02,
                "sentences_lost": 0.03,
                "form_faults_left": 0.06,
                "content_faults_left": 0.52,
            },
        ),
    ],
)
def test_the_four_numbers_stay_within_their_limits(folder, most):
    found = figures(judged(read_cases(QUALITY / folder)))["all"]
    assert {
        name: found[name]["share"] for name, limit in most.items() if found[name]["share"] > limit
    } == {}


def row(number, summary, *, kind="faithful", fault=None, raw=None):
    return {
        "id": f"a{number}",
        "document_id": "d1",
        "answer": raw or json.dumps({"skills": ["Nursing"], "summary": summary}),
        "faithful": kind == "faithful",
        "kind": kind,
        "fault": fault,
        "finish": "stop",
        "language": "en",
    }


@pytest.fixture
def folder(tmp_path):
    whole = json.dumps({"skills": ["Nursing"], "summary": SUMMARY})
    rows = [
        row(1, SUMMARY),
        row(2, SUMMARY + " Sick leave fell by 40%.", kind="figure", fault="fell by 40%"),
        row(3, SUMMARY + " The ward is calm.", kind="figure", fault="The ward is calm"),
        row(4, SUMMARY, kind="fence", fault="fence around it", raw=f"```json\n{whole}\n```"),
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    document = {"id": "d1", "markdown": DOCUMENT, "word_count": 45}
    (tmp_path / "documents.jsonl").write_text(json.dumps(document))
    return tmp_path


def test_a_fault_is_left_when_its_span_would_be_published(folder):
    results = judged(read_cases(folder))
    assert [result.is_lost for result in results] == [False] * 4
    assert [result.is_left for result in results[1:]] == [False, True, False]
    found = kinds(results)
    assert found["figure"] == {"number": "content_faults_left", "n": 1, "of": 2, "share": 0.5}
    assert found["fence"] == {"number": "form_faults_left", "n": 0, "of": 1, "share": 0.0}


def test_the_command_writes_the_handed_format(folder, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out.json"
    arguments = ["gate", "--answers", str(folder), "--json", str(out), "--ablation"]
    monkeypatch.setattr("sys.argv", arguments)
    assert main() == 0
    found = json.loads(out.read_text())
    for group in ("all", "en", "other"):
        assert set(found[group]) == {
            "people_lost",
            "sentences_lost",
            "form_faults_left",
            "content_faults_left",
        }
    assert found["all"]["people_lost"] == {"n": 0, "of": 1, "share": 0.0}
    assert found["ablation"]["figures"]["content_faults_left"]["n"] == 2
    assert "without figures" in capsys.readouterr().out
