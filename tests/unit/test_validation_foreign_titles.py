"""Occupations told of people whose documents are in another language."""

from __future__ import annotations

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence, sounds_of
from profiles.validation.roles import count_role_faults

GERMAN = (
    "Oberbauleiterin bei Korvath Bau",
    "Oberbauleiterin",
    "Steuerung von elf Subunternehmern.",
)
FRENCH = (
    "Développeuse web chez Atelier Brume",
    "Développeuse web",
    "Conception de sites en React.",
)
SPANISH = ("Jefe de almacén en Norvalle", "Jefe de almacén", "Gestión de 12 operarios con SAP.")
DUTCH = ("Verpleegkundige bij Merwe", "Verpleegkundige", "Zorg voor twaalf patiënten per dienst.")
ITALIAN = ("Ingegnere meccanico presso Treval", "Ingegnere meccanico", "Disegno di valvole.")
UNKNOWN = ("Zwirnmeister bei Korvath", "Zwirnmeister", "Betreuung von acht Anlagen.")


def document(head: str, title: str, line: str) -> Evidence:
    """A document of one job."""
    return Evidence(f"# Ada Quill\n{head}\n\n## Experience\n### {title} — Firma\n- {line}\n")


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (GERMAN, "a site manager"),
        (GERMAN, "a construction manager"),
        (FRENCH, "a web developer"),
        (FRENCH, "a software developer"),
        (SPANISH, "a warehouse manager"),
        (DUTCH, "a nurse"),
        (ITALIAN, "a mechanical engineer"),
        (UNKNOWN, "a carpet weaver"),
    ],
)
def test_translated_title_is_none(told, name):
    assert count_role_faults(f"The candidate is {name}.", document(*told)) == 0


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (GERMAN, "a kitchen planner"),
        (GERMAN, "an interior decorator"),
        (FRENCH, "a museum guide"),
        (FRENCH, "a tax adviser"),
        (SPANISH, "a sommelier"),
        (SPANISH, "a payroll specialist"),
        (DUTCH, "a bus driver"),
        (ITALIAN, "a pastry chef"),
    ],
)
def test_occupation_of_another_field_is_a_fault(told, name):
    assert count_role_faults(f"The candidate is {name}.", document(*told)) == 1


def test_studies_bear_out_what_somebody_trained_as():
    evidence = Evidence(
        "# Ada Quill\nBauleiterin bei Korvath\n\n## Experience\n### Bauleiterin — Korvath\n\n"
        "## Education\nBauingenieurwesen, Talheim\n"
    )
    assert count_role_faults("The candidate trained as a civil engineer.", evidence) == 0
    assert count_role_faults("The candidate, a civil engineer by training, builds.", evidence) == 0
    assert count_role_faults("The candidate works as a civil engineer.", evidence) == 1


def test_own_name_in_latin_letters_is_known():
    evidence = Evidence("# Зарина Тулякова\nLecturer at Eastmoor University\n")
    vocabulary = load_vocabulary()
    for name in ("Zarina Tulyakova", "Zarina Tuliakova"):
        assert claim_faults(f"{name} teaches phonetics.", evidence, vocabulary).people == 0
    assert claim_faults("Zarina Belikova teaches.", evidence, vocabulary).people == 1
    assert sounds_of("щукин") == sounds_of("shchukin")


def test_professor_of_whom_the_document_tells_is_not_the_candidate():
    evidence = Evidence(
        "# Ada Quill\nLecturer at Eastmoor\n\n## Experience\n"
        "### Lecturer — Eastmoor\n- Won a grant with Professor Leopold Wyndham.\n"
    )
    summary = "Professor Leopold Wyndham teaches 180 students."
    assert claim_faults(summary, evidence, load_vocabulary()).people == 1
