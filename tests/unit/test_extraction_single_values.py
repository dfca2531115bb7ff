"""Every single value of a row is in the record or counted with its field and reason."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.source_rows import SOURCES, lead, linkedin, resume, weekday

from profiles.extraction.adapters import ITEM_READERS
from profiles.extraction.json_path import Each, Step
from profiles.extraction.plan import ItemPlan
from profiles.extraction.reader import read_row
from profiles.extraction.record_json import encode
from profiles.extraction.unread import says_something
from profiles.models import RowRejection
from profiles.standardization.flags import goes_on
from profiles.standardization.phones import is_filler
from profiles.storage.mappings import load_mappings
from sample_data import write_sample

FUZZ = settings(max_examples=12, deadline=None, derandomize=True, database=None)
MAPPINGS = load_mappings()
RESUME = "raw.ResumeData.ContactInformation"


def unread(source: str, row: dict[str, Any]) -> dict[str, int]:
    """How many values of which field and reason were counted."""
    found: list[tuple[str, str]] = []
    read_row(MAPPINGS[source], row, found)
    return {f"{field}: {reason}": n for (field, reason), n in Counter(found).items()}


def person(**raw: Any) -> dict[str, int]:
    return unread("linkedin", linkedin("k", raw={"full_name": "Ada Testwell", **raw}))


def job(**members: Any) -> dict[str, int]:
    return person(experiences=[{"title": "Cook", **members}])


def ats(**columns: Any) -> dict[str, int]:
    return unread("weekday", weekday("w", **{"name": "Ada Testwell", **columns}))


def parsed(parser: str, **raw: Any) -> dict[str, int]:
    return unread("resume", resume("r", parser, raw))


@pytest.mark.parametrize(
    ("counted", "field", "reason"),
    [
        (person(headline={"text": "Cook"}), "headline", "wrong_type"),
        (person(headline=True, occupation="Cook"), "headline", "wrong_type"),
        (person(full_name=["Ada", "Testwell"], headline="Cook"), "full_name", "wrong_type"),
        (ats(name="(Ada)", skills="Go"), "full_name", "wrong_form"),
        (person(city=["Pune"]), "location", "wrong_type"),
        (person(country=["IN"]), "country", "wrong_type"),
        (person(industry={"id": 4}), "industry", "wrong_type"),
        (person(summary=12), "summary", "wrong_type"),
        (ats(email="ada at example"), "emails", "wrong_form"),
        (ats(email="ada@example.org, bo@"), "emails", "wrong_form"),
        (ats(phone="call me"), "phones", "wrong_form"),
        (ats(phone="12"), "phones", "wrong_form"),
        (ats(phone="098450 12345"), "phones", "no_country"),
        (ats(linkedin_url="https://example.org/ada"), "linkedin_id", "wrong_form"),
        (ats(linkedin_url="https://www.linkedin.com/company/halden"), "linkedin_id", "wrong_form"),
        (person(public_identifier=["ada"]), "linkedin_id", "wrong_type"),
        (unread("linkedin", linkedin("k", raw={"full_name": "Ada T"}, member_id="ada")),
         "linkedin_member_ids", "wrong_form"),
        (parsed("jsonresume", basics={"name": "Ada T", "profiles": ["linkedin.com/in/ada"]}),
         "linkedin_id", "wrong_type"),
        (parsed("jsonresume", basics={"name": "Ada T", "profiles": [{"site": "ada"}]}),
         "linkedin_id", "nothing_read"),
        (ats(years_of_experience="many"), "years_experience", "wrong_form"),
        (ats(years_of_experience="95"), "years_experience", "wrong_form"),
        (ats(updated_at="last week"), "updated_at", "wrong_form"),
        (job(company=["Halden Group"]), "positions.company", "wrong_type"),
        (job(description=7), "positions.description", "wrong_type"),
        (job(location={"city": "Pune"}), "positions.location", "wrong_type"),
        (job(starts_at="long ago"), "positions.start", "wrong_form"),
        (job(starts_at={"year": 12345}), "positions.start", "wrong_form"),
        (job(ends_at=["2020"]), "positions.end", "wrong_type"),
        (job(company_linkedin_profile_url="Halden Group & Co"),
         "positions.company_linkedin_id", "wrong_form"),
        (person(education=[{"school": "Halden", "starts_at": "14/2"}]),
         "education.start", "wrong_form"),
        (person(education=[{"school": "Halden", "grade": ["A"]}]), "education.grade", "wrong_type"),
        (unread("linkedin", linkedin("k", "apify_dev_fusion", {"fullName": "Ada T", "experiences":
            [{"title": "Cook", "jobStillWorking": "see CV"}]})),
         "positions.is_current", "wrong_form"),
        (unread("linkedin", linkedin("k", "apify_dev_fusion", {"fullName": "Ada T", "experiences":
            [{"title": "Cook", "companyWebsite": "Halden"}]})),
         "positions.company_domain", "wrong_form"),
        (parsed("openresume", profile={"name": "Ada T"}, workExperiences=[
            {"jobTitle": "Cook", "date": "some years"}]), "positions.dates", "wrong_form"),
        (parsed("openresume", profile={"name": "Ada T"}, workExperiences=[
            {"jobTitle": "Cook", "descriptions": ["Led", 4]}]),
         "positions.description", "wrong_type"),
        (parsed("openresume", profile={"name": "Ada T"}, workExperiences=[
            {"jobTitle": "Cook", "descriptions": "Led"}]), "positions: descriptions", "wrong_type"),
        (parsed("affinda", name={"raw": "Ada T"}, location="Pune"), "raw.location", "wrong_type"),
        (parsed("affinda", name={"raw": "Ada T"}, workExperience=[
            {"jobTitle": "Cook", "dates": "2019"}]), "positions: dates", "wrong_type"),
        (parsed("affinda", name="Ada T", emails=["ada@example.org"]), "raw.name", "wrong_type"),
        (parsed("pyresparser", name="Ada T", designation="Cook"), "raw.designation", "wrong_type"),
        (parsed("textkernel", ResumeData={"ContactInformation": {
            "CandidateName": {"FormattedName": "Ada T"}, "WebAddresses": ["linkedin.com/in/ada"]}}),
         f"{RESUME}.WebAddresses[]", "wrong_type"),
        (unread("lemlist", lead("l", full_name="Ada T", fields={"positionGroups": [
            {"company": {"name": "Halden"}, "profilePositions": "Cook"}]})),
         "positions", "wrong_type"),
        (unread("lemlist", lead("l", full_name="Ada T", fields={"companyWebsite": "a.example"})),
         "positions", "nothing_read"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_or_form_is_counted(
    counted: dict[str, int], field: str, reason: str
) -> None:
    expected = {f"{field}: {reason}": 1}
    assert counted == expected


@pytest.mark.parametrize("nothing", [None, "", " ", "N/A", "-", "none", "null", [], {}, [None], 0])
def test_what_says_nothing_is_not_counted(nothing: Any) -> None:
    raw = {
        name: nothing
        for name in ("headline", "summary", "city", "country", "industry", "public_identifier")
    }
    members = ("company", "description", "location", "starts_at", "ends_at")
    raw["experiences"] = [{"title": "Cook", **dict.fromkeys(members, nothing)}]
    assert person(**raw) == {}
    assert parsed("affinda", name={"raw": "Ada T"}, location=nothing, linkedin=nothing) == {}
    if nothing is None or isinstance(nothing, str):
        columns = ("email", "phone", "linkedin_url", "years_of_experience", "location")
        assert ats(**dict.fromkeys(columns, nothing)) == {}


@pytest.mark.parametrize(
    "counted",
    [
        ats(email="noemail@example.org"),
        ats(email="Testwell, Ada <ada@example.org>"),
        ats(phone="0000000000"),
        ats(phone="1234567890", location="Pune, India"),
        ats(years_of_experience="0 years"),
        ats(location="Remote"),
        job(ends_at="Present"),
        parsed("affinda", name={"raw": "Ada T"}, websites=["https://example.org/ada"]),
        parsed("pyresparser", name="Ada T", mobile_number="9198450123"),
        parsed("textkernel", ResumeData={
            "ContactInformation": {"CandidateName": {"FormattedName": "Ada T"}},
            "EmploymentHistory": {"Positions": [{"JobTitle": {"Raw": "Cook"}, "StartDate":
                {"Date": "0001-01-01", "FoundYear": False, "IsCurrentDate": False}}]}}),
        # The address is read by one of the two fields that look at it.
        ats(linkedin_url="https://www.linkedin.com/sales/lead/ACwAAAx1y2z3a4b5c6,NAME"),
    ],
)  # fmt: skip
def test_what_stands_for_nothing_or_is_left_out_on_purpose_is_not_counted(
    counted: dict[str, int],
) -> None:
    assert counted == {}


def test_an_element_that_is_no_job_is_counted_once() -> None:
    elements = [{"title": ["Cook"], "company": 7 * [1], "starts_at": "x"}, {"title": "Cook"}]
    assert person(experiences=elements) == {"positions: nothing_read": 1}


@dataclass(frozen=True)
class Place:
    """A mapped path, the column and the variant of its row, and the list that it lies in."""

    source: str
    variant: str | None
    field: str
    path: tuple[Step, ...]
    item: ItemPlan | None = None

    def __str__(self) -> str:
        steps = (str(step) if isinstance(step, str | int) else "[]" for step in self.path)
        kind = self.item.kind if self.item is not None else None
        return "-".join(
            filter(None, (self.source, self.variant, kind, self.field, ".".join(steps)))
        )


def places() -> list[Place]:
    found = []
    for source, mapping in sorted(MAPPINGS.items()):
        for variant, plan in mapping.plans.items():
            of = (source, variant)
            if mapping.updated_at:
                found.append(Place(*of, "updated_at", (mapping.updated_at,)))
            for field, paths in plan.fields.items():
                found += [Place(*of, field, steps) for steps in paths.steps]
            for item in (*plan.positions, *plan.education):
                if item.path is not None:
                    found.append(Place(*of, item.kind, item.path))
                for field, paths in item.fields.items():
                    # What that adapter gives is never what stood in the row.
                    if item.reader != ITEM_READERS["pyresparser_lines"]:
                        inside = item if item.path is not None else None
                        found += [Place(*of, field, steps, inside) for steps in paths.steps]
    return list({str(place): place for place in found}.values())


def built(path: tuple[Step, ...], value: Any) -> Any:
    """Objects and lists with `value` at the path."""
    for step in reversed(path):
        if isinstance(step, Each):
            value = [value]
        else:
            value = {step: value} if isinstance(step, str) else [*[None] * step, value]
    return value


def both(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    """Two nested objects as one; of two other values the second."""
    shared = {
        name: both(first[name], second[name])
        for name in first.keys() & second.keys()
        if isinstance(first[name], dict) and isinstance(second[name], dict)
    }
    return {**first, **second, **shared}


def element(place: Place, item: ItemPlan, member: dict[str, Any] | None) -> dict[str, Any]:
    """A job or study that is one without the member, and with it."""
    named = item.fields.get("title") or next(iter(item.fields.values()))
    plain: dict[str, Any] = {} if place.path in named.steps else built(named.steps[0], "Cook")
    whole = both(plain, member or {})
    if item.reader == ITEM_READERS["lemlist_groups"]:
        return {"company": whole.pop("company", {"name": "Halden"}), "profilePositions": [whole]}
    return whole


def row(place: Place, value: Any, *, is_there: bool) -> dict[str, Any]:
    mapping = MAPPINGS[place.source]
    plan = mapping.plans[place.variant]
    cells: dict[str, Any] = {mapping.key: "k"}
    if mapping.discriminator:
        cells[mapping.discriminator] = place.variant
    if place.field not in ("given_name", "full_name"):
        named = plan.fields.get("given_name") or plan.fields["full_name"]
        cells = both(cells, built(named.steps[0], "Ada"))
    elif place.source == "resume":
        cells = both(cells, built(plan.fields["emails"].steps[0], "ada@example.org"))
    else:
        cells = both(cells, built(plan.fields["linkedin_id"].steps[0], "ada-testwell"))
    if place.item is None:
        return both(cells, built(place.path, value)) if is_there else cells
    assert place.item.path is not None
    member = built(place.path, value) if is_there else None
    return both(cells, built(place.item.path, [element(place, place.item, member)]))


WORDS = st.text("abk 79@/", min_size=1, max_size=12).filter(lambda text: "<" not in text)
SCALARS = (
    st.sampled_from([None, True, False, "2019", "N/A", "Nurse", "ada@example.org", 442079460000])
    | st.integers(-9, 999_999)
    | st.floats(-9, 9_999).map(lambda number: round(number, 2))
    | WORDS
)
VALUES = SCALARS | st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["zz", "name", "year"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def is_nameless(value: Any) -> bool:
    """Whether there is an object that the vendor named, and with no name: {"name": "N/A"}."""
    if isinstance(value, list):
        return any(map(is_nameless, value))
    name = value.get("name") if isinstance(value, dict) else None
    return isinstance(name, str) and not says_something(name)


@pytest.mark.parametrize("place", places(), ids=str)
@FUZZ
@given(value=VALUES)
def test_a_value_at_any_mapped_path_is_read_or_counted(place: Place, value: Any) -> None:
    mapping = MAPPINGS[place.source]
    found: list[tuple[str, str]] = []
    without = read_row(mapping, row(place, value, is_there=False))
    result = read_row(mapping, row(place, value, is_there=True), found)
    if isinstance(result, RowRejection):
        # Counted as a row.
        assert (result.reason, isinstance(without, RowRejection)) == ("empty", True)
        return
    is_read = isinstance(without, RowRejection) or encode(result) != encode(without)
    # No changes no record.
    is_no = place.field == "is_current" and goes_on(value) is False
    # Among links may be those of other sites.
    is_listed = place.field.startswith("linkedin_") and Each() in place.path
    is_link = is_listed and isinstance(value, str) and "." in value
    if place.field == "phones" and is_filler(str(value)):
        return
    if place.field in ("skills", "certifications", "languages") and is_nameless(value):
        return
    assert is_read or is_no or is_link or bool(found) == says_something(value)


def on_the_way() -> list[Place]:
    """The places that a mapped path goes through, columns not."""
    found = [
        replace(place, path=place.path[:n])
        for place in places()
        for n in range(1 if place.item is not None else 2, len(place.path))
    ]
    return list({str(place): place for place in found}.values())


@pytest.mark.parametrize("value", [7, "Zeta", True])
def test_a_value_in_the_place_of_an_object_or_list_is_read_or_counted(value: Any) -> None:
    ways = on_the_way()
    assert len(ways) > 50
    for place in ways:
        mapping = MAPPINGS[place.source]
        found: list[tuple[str, str]] = []
        without = read_row(mapping, row(place, value, is_there=False))
        result = read_row(mapping, row(place, value, is_there=True), found)
        if isinstance(result, RowRejection) or isinstance(without, RowRejection):
            continue
        assert found or encode(result) != encode(without), str(place)


def test_rows_in_order_count_nothing(tmp_path: Path) -> None:
    write_sample(tmp_path, people=300, seed=3, format="jsonl")
    seen = 0
    for table, source in SOURCES.items():
        for line in (tmp_path / f"{table}.jsonl").read_text().splitlines():
            assert unread(source, json.loads(line)) == {}
            seen += 1
    assert seen > 300


def test_what_is_counted_quotes_no_value() -> None:
    counted = job(starts_at="Quill", company=["Quill"], location={"Quill": 7}, logo="Quill")
    assert len(counted) == 3
    assert "Quill" not in str(counted)
