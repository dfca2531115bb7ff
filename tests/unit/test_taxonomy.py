"""The taxonomy knows every public industry, and the vocabulary folds every alias once."""

from __future__ import annotations

import shutil

import pytest
from tests.paths import REPOSITORY

from profiles.errors import SettingsError
from profiles.settings import INCLUDE_DIR
from profiles.storage.taxonomy import load_domains, load_vocabulary
from sample_data.industries import INDUSTRIES

TAXONOMY = INCLUDE_DIR / "taxonomy"
V2 = [
    (int(code), label)
    for code, label in (
        line.split("\t")
        for line in (REPOSITORY / "tests/data/linkedin_industries_v2.tsv")
        .read_text(encoding="utf-8")
        .splitlines()
    )
]


def test_every_code_of_the_first_taxonomy_has_a_label_and_a_domain():
    taxonomy = load_domains(TAXONOMY)
    codes = {1, *range(3, 149)}
    assert set(taxonomy.domain_by_code) == codes
    assert set(taxonomy.code_by_label.values()) == codes
    assert len(codes) == 147


def test_every_industry_of_the_second_taxonomy_gives_one_domain_by_code_and_by_label():
    taxonomy = load_domains(TAXONOMY)
    assert len(V2) == 434
    wrong = [
        (code, label)
        for code, label in V2
        if taxonomy.code(label=None, code=code) is None
        or taxonomy.code(label=None, code=code) != taxonomy.code(label=label, code=None)
    ]
    assert wrong == []


def test_labels_of_both_taxonomies_share_their_code():
    taxonomy = load_domains(TAXONOMY)
    for first, second, code in INDUSTRIES:
        assert taxonomy.code(label=first, code=None) == int(code), first
        assert taxonomy.code(label=second.lower().replace("and", "&amp;"), code=None) == int(code)


@pytest.mark.parametrize("code", ["96", 96, 96.0, "96.0", " 96 ", "urn:li:industry:96", "096"])
def test_a_code_is_read_in_every_form_that_vendors_write(code):
    assert load_domains(TAXONOMY).code(label="Banking", code=code) == 96


@pytest.mark.parametrize("code", ["", None, "0", "2", "9999", "v2", "1-96", "N/A", -96, True])
def test_a_code_that_is_none_leaves_the_label(code):
    assert load_domains(TAXONOMY).code(label="Banking", code=code) == 41


def test_a_narrower_code_under_two_codes_is_refused(tmp_path):
    for name in ("industries.yaml", "domains.yaml"):
        shutil.copy(TAXONOMY / name, tmp_path / name)
    path = tmp_path / "industries.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "  148: [3247]\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="narrower code 3247"):
        load_domains(tmp_path)


def test_every_alias_gives_its_canonical_name_and_a_second_time_changes_nothing():
    vocabulary = load_vocabulary(TAXONOMY)
    assert len(vocabulary) >= 300
    for name, aliases in vocabulary.aliases.items():
        for alias in aliases:
            for written in (alias, alias.upper(), alias.lower(), f" {alias} "):
                assert vocabulary.canonical(written) == name
        assert vocabulary.canonical(vocabulary.canonical(name)) == name


def test_no_product_is_an_alias_of_the_field_whose_name_ends_its_own():
    """QGIS is no other way to write GIS: an alias shares whole words, or all letters."""
    same = {("GMP", "cGMP")}
    found = {
        (name, alias)
        for name, aliases in load_vocabulary(TAXONOMY).aliases.items()
        for alias in aliases
        if alias.isalpha() and len(alias) > len(name) and alias.lower().endswith(name.lower())
    }
    assert found <= same


def test_names_that_differ_by_a_sign_or_a_letter_never_collapse():
    vocabulary = load_vocabulary(TAXONOMY)
    names = ["C", "C++", "C#", "F#", "R", "Go", ".NET", "ASP.NET", "Java", "JavaScript", "SQL"]
    assert [vocabulary.canonical(name) for name in names] == names


@pytest.mark.parametrize("name", ["Basket Weaving", "X++", "J#", "Net Promoter Score", "数据", "Q"])
def test_an_unknown_skill_passes_unchanged(name):
    assert load_vocabulary(TAXONOMY).canonical(name) == name
