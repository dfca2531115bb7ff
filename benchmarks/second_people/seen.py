"""One row's view of a person: the month it was seen, the fields it has, and their noise."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from benchmarks.second_people.people import NOW, Employer, Person, ascii_form
from benchmarks.second_people.spelling import ShownName, employer_wording, show_name
from benchmarks.second_people.world import lists, rates

__all__ = ["TABLES", "SeenJob", "SeenRow", "see_people"]

TABLES = ("linkedin_profiles", "weekday_candidates", "parsed_resumes", "lemlist_leads")


@dataclass(frozen=True)
class SeenJob:
    employer: Employer
    employer_text: str
    title: str
    start: int | None
    end: int | None
    current: bool


@dataclass
class SeenRow:
    table: str
    id: str
    person: Person
    month: int
    name: ShownName
    jobs: list[SeenJob]
    mail: str | None
    alt_mail: str | None
    phone: str | None
    vanity: str | None
    member_id: str | None
    place: str | None
    school: str | None
    year_only: bool
    kinds: set[str]
    shared: set[str] = field(default_factory=set)

    def keys(self) -> set[str]:
        """Strong keys of the person: not those of a recruiter, a namesake or another in a hub."""
        return self.shown_keys() - self.shared

    def shown_keys(self) -> set[str]:
        pairs = {"mail": self.mail, "alt": self.alt_mail, "phone": self.phone}
        pairs |= {"in": self.vanity, "member": self.member_id}
        return {
            f"{'mail' if kind == 'alt' else kind}:{value}" for kind, value in pairs.items() if value
        }


def _work_mail(person: Person, employer: Employer) -> str:
    # The person's number in the address: an employer gives an address once.
    return (
        f"{ascii_form(person.given)}.{ascii_form(person.family[0])}"
        f"{int(person.id.rsplit('_', 1)[1]) % 997}@{employer.domain}"
    )


def _jobs(
    rng: random.Random, person: Person, month: int, rate: dict[str, float], kinds: set[str]
) -> list[SeenJob]:
    known = [job for job in person.jobs if job.start <= month] or person.jobs[:1]
    dated = rng.random() >= rate["no_dates"]
    if not dated:
        kinds.add("no_dates")
    seen = []
    for job in known:
        last = job is known[-1]
        if not last and rng.random() < rate["job_missing"]:
            kinds.add("job_missing")
            continue
        worded = rng.random() < rate["employer_wording"]
        text, kind = employer_wording(rng, job.employer, own=not worded)
        titled = rng.random() < rate["title_wording"]
        shift = rng.choice([-5, -3, -2, -1, 1, 2, 3, 6]) if rng.random() < rate["date_shift"] else 0
        kinds |= {kind} if kind else set()
        kinds |= {"title_wording"} if titled else set()
        kinds |= {"date_shift"} if shift and dated else set()
        current = job.end is None or job.end > month
        end = None if current or job.end is None else max(job.end, job.start + shift + 1)
        seen.append(
            SeenJob(
                job.employer,
                text,
                rng.choice(job.titles) if titled else job.titles[0],
                job.start + shift if dated else None,
                end if dated else None,
                current,
            )
        )
    seen.reverse()
    return seen


def _see(
    rng: random.Random, person: Person, table: str, row_id: str, rate: dict[str, float]
) -> SeenRow:
    month = NOW - min(int(rng.expovariate(1 / 22)), 96)
    kinds: set[str] = set()
    name = show_name(rng, person, month, rate, lead=table == "lemlist_leads")
    jobs = _jobs(rng, person, month, rate, kinds)
    if table == "lemlist_leads" and rng.random() < 0.5:
        jobs = jobs[:1]
    hide = {kind: rng.random() < rate[f"{kind}_missing"] for kind in ("mail", "phone", "linkedin")}
    mail = person.at(person.mails, month)
    if rng.random() < rate["work_mail"]:
        mail = _work_mail(person, jobs[0].employer)
        kinds.add("work_mail")
    second = person.second_vanity is not None and rng.random() < 0.5
    vanity = person.second_vanity if second else person.at(person.vanities, month)
    member = person.second_member_id if second else person.member_id
    linkedin = table == "linkedin_profiles"
    if person.second_vanity:
        kinds.add("second_account")
    for kind, values in (
        ("mail_changed", person.mails),
        ("phone_changed", person.phones),
        ("vanity_changed", person.vanities),
    ):
        kinds |= {kind} if len(values) > 1 else set()
    worded = rng.random() < rate["place_wording"]
    place = rng.choice(person.place) if worded else person.place[0]
    year_only = rng.random() < rate["year_only"] and any(job.start for job in jobs)
    kinds |= {"place_wording"} if worded else set()
    kinds |= {"year_only"} if year_only else set()
    # A LinkedIn row rarely shows mail or phone.
    private = 0.25 if linkedin else 1.0
    row = SeenRow(
        table=table,
        id=row_id,
        person=person,
        month=month,
        name=name,
        jobs=jobs,
        mail=None if hide["mail"] or rng.random() > private else mail,
        alt_mail=person.mails[0][1] if table.startswith("weekday") and rng.random() < 0.1 else None,
        phone=None if hide["phone"] or rng.random() > private else person.at(person.phones, month),
        vanity=vanity if linkedin or not hide["linkedin"] else None,
        member_id=member if linkedin and rng.random() >= rate["member_missing"] else None,
        place=None if rng.random() < 0.2 else place,
        school=person.school if table != "lemlist_leads" and rng.random() < 0.6 else None,
        year_only=year_only,
        kinds=kinds | name.kinds,
    )
    if rng.random() < rate["thin"]:
        _make_thin(rng, row, mail)
    if not (row.mail or row.phone or row.vanity or row.member_id):
        row.kinds.add("no_key")
    return row


def _make_thin(rng: random.Random, row: SeenRow, mail: str) -> None:
    """Leave a name and one employer, or a name and one mail."""
    row.kinds.add("thin")
    row.phone = row.alt_mail = row.place = row.school = row.member_id = None
    if row.table != "linkedin_profiles":
        row.vanity = None
    if rng.random() < 0.5:
        row.jobs, row.mail = [], mail
    else:
        row.jobs = [replace(job, start=None, end=None) for job in row.jobs[:1]]
        row.mail = None


def see_people(people: list[Person], level: str, seed: int) -> list[SeenRow]:
    """1 to 4 rows a person over the four tables, sometimes two in one table."""
    rng, rate = random.Random(f"rows-{seed}-{level}"), rates(level)
    rows = []
    for person in people:
        count = rng.choices([1, 2, 3, 4], [25, 35, 25, 15])[0]
        tables = rng.sample(TABLES, count)
        if count > 1 and rng.random() < 0.12:
            tables[-1] = tables[0]
        for table in tables:
            number = f"{rng.getrandbits(72):018x}"
            row_id = f"lea_{number[:17]}" if table == "lemlist_leads" else number
            rows.append(_see(rng, person, table, row_id, rate))
    rng.shuffle(rows)
    _mix(rng, rows, rate)
    return rows


def _mix(rng: random.Random, rows: list[SeenRow], rate: dict[str, float]) -> None:
    """Put keys of others into some rows: a namesake's URL, a recruiter's mail, a hub row."""
    agencies = lists("world")["agencies"]
    recruiters = [
        (f"{who}@{agency}-example.com", f"+91800055{number:02d}{index:02d}")
        for number, agency in enumerate(agencies)
        for index, who in enumerate(("meera", "jobs", "tobias", "cv", "placements"))
    ]
    namesakes: dict[tuple[str, str], list[Person]] = {}
    for row in rows:
        namesakes.setdefault((row.person.given, row.person.family[0]), []).append(row.person)
    for row in rows:
        if row.table == "linkedin_profiles":
            continue
        others = [
            other
            for other in namesakes[row.person.given, row.person.family[0]]
            if other.id != row.person.id
        ]
        if others and rng.random() < rate["pasted_url"] * 3:
            row.vanity = rng.choice(others).vanities[-1][1]
            row.shared.add(f"in:{row.vanity}")
            row.kinds.add("pasted_url")
        if rng.random() < rate["shared_agency"]:
            mail, phone = rng.choice(recruiters)
            which = rng.randrange(3)
            row.mail = mail if which != 1 else row.mail
            row.phone = phone if which != 0 else row.phone
            row.shared |= {f"mail:{mail}", f"phone:{phone}"}
            row.kinds.add("shared_agency")
        if rng.random() < rate["hub"]:
            first, second = rng.choice(rows).person, rng.choice(rows).person
            row.phone, row.vanity = first.phones[-1][1], second.vanities[-1][1]
            if first.id != row.person.id:
                row.shared.add(f"phone:{row.phone}")
            if second.id != row.person.id:
                row.shared.add(f"in:{row.vanity}")
            row.kinds.add("hub")
