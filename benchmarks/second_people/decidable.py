"""The true pairs that a careful human could decide, from the rows of the person alone.

Two rows of a person are decidable when a chain of the person's rows connects them, each link
by one of:

1. A strong key in both (member id, LinkedIn name, mail, phone) that only this person's rows show,
   and on both rows a readable given or family name. A key that a second person's row shows too
   (pasted URL, retaken LinkedIn name) also needs an employer or the school in both.
   A key of three or more people (recruiter, hub) decides nothing.
2. A rare name, readable in both rows, and an employer or the school in both. Rare: no other person
   has the name, and given and family name together predict at most half a namesake in the culture.
3. Another name that no other person with an equal name contradicts: both rows show the same two
   employers, or one employer with starts at most twelve months apart plus the school or the town,
   and no namesake was at the first of these employers.

Agreement is of the true employer, however worded, but an abbreviation or former name alone is not
counted. Readable: not an initial; two names are of one person in rules 2 and 3 only where no row
hides the family name (married name in one of the two) or gives another script.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from benchmarks.second_people.people import Person
from benchmarks.second_people.seen import SeenRow

__all__ = ["decidable_pairs"]


class _Population:
    def __init__(self, people: list[Person], rows: list[SeenRow]) -> None:
        self.names = Counter((p.given, p.family[0]) for p in people)
        self.given = Counter((p.culture, p.given) for p in people)
        self.family = Counter((p.culture, p.family[0]) for p in people)
        self.cultures = Counter(p.culture for p in people)
        self.at_employer = Counter(
            (p.given, p.family[0], employer)
            for p in people
            for employer in {job.employer.index for job in p.jobs}
        )
        self.owners: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for key in row.shown_keys():
                self.owners[key].add(row.person.id)

    def rare(self, person: Person) -> bool:
        given, family = person.given, person.family[0]
        expected = self.given[person.culture, given] * self.family[person.culture, family]
        alone = self.names[given, family] == 1
        return alone and expected / self.cultures[person.culture] <= 0.5


def _employers(row: SeenRow) -> dict[int, int | None]:
    """Start by employer, for the employers that the row words readably."""
    return {
        job.employer.index: job.start
        for job in row.jobs
        if job.employer_text != job.employer.abbreviation
        and job.employer_text != job.employer.former
    }


def _same_family(left: SeenRow, right: SeenRow) -> bool:
    married = ("married" in left.kinds) == ("married" in right.kinds)
    script = ("other_script" in left.kinds) == ("other_script" in right.kinds)
    readable = left.name.given_readable and left.name.family_readable
    return married and script and readable and _readable(right)


def _readable(row: SeenRow) -> bool:
    return row.name.given_readable and row.name.family_readable


def _by_key(population: _Population, left: SeenRow, right: SeenRow, fact: bool) -> bool:
    if not all(row.name.given_readable or row.name.family_readable for row in (left, right)):
        return False
    for key in left.keys() & right.keys():
        owners = len(population.owners[key])
        if owners == 1 or (owners == 2 and fact):
            return True
    return False


def _linked(population: _Population, left: SeenRow, right: SeenRow) -> bool:
    person = left.person
    mine, theirs = _employers(left), _employers(right)
    common = mine.keys() & theirs.keys()
    school = left.school is not None and left.school == right.school
    if _by_key(population, left, right, bool(common) or school):
        return True
    if not _same_family(left, right):
        return False
    if population.rare(person):
        return bool(common) or school
    name = (person.given, person.family[0])
    own = [employer for employer in common if population.at_employer[*name, employer] == 1]
    if not own:
        return False
    place = left.place is not None and left.place == right.place
    close = any(
        mine[e] is not None and theirs[e] is not None and abs(mine[e] - theirs[e]) <= 12  # type: ignore[operator]
        for e in own
    )
    return len(common) > 1 or (close and (school or place))


def decidable_pairs(
    people: list[Person], rows: list[SeenRow]
) -> Iterator[tuple[SeenRow, SeenRow, bool]]:
    """Every true pair and its decidability."""
    population = _Population(people, rows)
    by_person: dict[str, list[SeenRow]] = defaultdict(list)
    for row in rows:
        by_person[row.person.id].append(row)
    for own in by_person.values():
        group = list(range(len(own)))
        for (i, left), (j, right) in combinations(enumerate(own), 2):
            if group[i] != group[j] and _linked(population, left, right):
                group = [group[i] if g == group[j] else g for g in group]
        for (i, left), (j, right) in combinations(enumerate(own), 2):
            yield left, right, group[i] == group[j]
