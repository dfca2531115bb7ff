"""Invented JSON Resume files with every member of schema 1.0.0, as cases for `benchmarks.inputs`.

    python -m benchmarks.jsonresume_made --n 200 --seed 5 > made.jsonl
    python -m benchmarks.inputs made.jsonl

Each member that states a fact about the person has words that nothing else has, so that a fact is
kept exactly when its words are in the document. Members with contact data are forbidden. Each
section and each optional member is left out of some files.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

_BEGIN = ("Bra", "Cor", "Del", "Fen", "Gal", "Hol", "Jar", "Kel", "Lum", "Mor", "Nev", "Ort", "Pel",
          "Quo", "Ral", "Sel", "Tor", "Ulm", "Ver", "Wol", "Yar", "Zel")  # fmt: skip
_MIDDLE = ("ba", "ce", "di", "fo", "gu", "ha", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va")
_END = ("den", "lin", "mar", "nor", "rin", "ston", "tal", "vik", "wen", "zan")


class _Resume:
    """One file and what its document must and must not hold."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.expected: list[str] = []
        self.forbidden: list[str] = []

    def word(self) -> str:
        parts = [self._chance.choice(each) for each in (_BEGIN, _MIDDLE, _MIDDLE, _END)]
        return "".join(parts)

    def fact(self, *, of: str = "{}") -> str:
        """Words of a fact; `of` puts them into a phrase."""
        text = of.format(f"{self.word()} {self.word()}")
        self.expected.append(text)
        return text

    def facts(self, most: int, *, of: str = "{}") -> list[str]:
        return [self.fact(of=of) for _ in range(self._chance.randint(1, most))]

    def sentence(self) -> str:
        text = f"Planned the {self.word()} of {self.word()} for {self._chance.randint(3, 90)} towns"
        self.expected.append(text)
        return f"{text}."

    def contact(self, text: str) -> str:
        self.forbidden.append(text)
        return text

    def some(self, members: dict[str, Any]) -> dict[str, Any]:
        """The members without some of the optional ones; facts of those are expected no more."""
        kept = {}
        for name, value in members.items():
            if self._chance.random() < 0.12 and name not in _NEEDED:
                self._forget(value)
            else:
                kept[name] = value
        return kept

    def year(self, first: int = 2001, last: int = 2023) -> int:
        return self._chance.randint(first, last)

    def span(self) -> dict[str, str]:
        start = self.year(2001, 2015)
        return {
            "startDate": f"{start}-03",
            "endDate": f"{start + self._chance.randint(1, 6)}-08-31",
        }

    def _forget(self, value: object) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self.expected = [fact for fact in self.expected if fact not in text]


_NEEDED = frozenset(("name", "position", "institution", "title", "language", "organization"))


def made(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """`count` cases."""
    chance = random.Random(seed)
    for number in range(count):
        resume = _Resume(chance)
        raw = resume.some(_content(resume, number))
        yield {
            "name": f"made_{number}",
            "source": "resume",
            "input": {
                "id": f"made-{number}", "parser": "jsonresume", "file_name": "cv.json",
                "candidate_email": None, "raw": raw, "raw_text": None,
                "parsed_at": "2025-06-01T00:00:00Z",
            },
            "expected": resume.expected,
            "forbidden": resume.forbidden,
        }  # fmt: skip


def _content(resume: _Resume, number: int) -> dict[str, Any]:
    return {"basics": _basics(resume, number), **_career(resume), **_sections(resume)}


def _basics(resume: _Resume, number: int) -> dict[str, Any]:
    return {
        "name": resume.fact(),
        **resume.some(
            {
                "label": resume.fact(of="{} planner"),
                "image": "https://img.example/me.png",
                "email": resume.contact(f"made{number}@mail-example.com"),
                "phone": resume.contact("+1 202 555 0143"),
                "url": resume.contact(f"https://made{number}.example"),
                "summary": resume.sentence(),
                "location": {
                    "address": resume.contact(f"{number + 1} Invented Lane"),
                    "postalCode": "00000",
                    "city": resume.fact(),
                    "countryCode": "NO",
                    "region": resume.fact(),
                },
                "profiles": [{"network": "GitHub", "username": f"made{number}", "url": ""}],
            }
        ),
    }


def _career(resume: _Resume) -> dict[str, Any]:
    return {
        "work": [
            resume.some(
                {
                    "name": resume.fact(), "position": resume.fact(of="{} Engineer"),
                    "location": resume.fact(), "description": resume.fact(of="A maker of {}"),
                    "url": "https://work.example", **resume.span(), "summary": resume.sentence(),
                    "highlights": [resume.sentence(), resume.sentence()],
                }
            )
            for _ in range(2)
        ],
        "volunteer": [
            resume.some(
                {
                    "organization": resume.fact(), "position": resume.fact(of="{} Coordinator"),
                    "url": "https://help.example", **resume.span(), "summary": resume.sentence(),
                    "highlights": [resume.sentence()],
                }
            )
        ],
        "education": [
            resume.some(
                {
                    "institution": resume.fact(of="University of {}"), "area": resume.fact(),
                    "url": "https://school.example", "studyType": "Bachelor", **resume.span(),
                    "score": f"{resume.year(20, 39) / 10}", "courses": resume.facts(3),
                }
            )
        ],
    }  # fmt: skip


def _sections(resume: _Resume) -> dict[str, Any]:
    year = resume.year()
    return {
        "awards": [
            resume.some(
                {"title": resume.fact(of="{} Prize"), "date": f"{year}-11-01",
                 "awarder": resume.fact(), "summary": resume.sentence()}
            )
        ],
        "certificates": [
            resume.some(
                {"name": resume.fact(of="Certified {}"), "date": f"{year}-02",
                 "url": "https://certificate.example", "issuer": resume.fact()}
            )
        ],
        "publications": [
            resume.some(
                {"name": resume.fact(of="On {}"), "publisher": resume.fact(of="{} Press"),
                 "releaseDate": f"{year}", "url": "https://paper.example",
                 "summary": resume.sentence()}
            )
        ],
        "skills": [
            resume.some(
                {"name": resume.fact(), "level": resume.fact(), "keywords": resume.facts(3)}
            )
        ],
        "languages": [resume.some({"language": resume.word(), "fluency": resume.fact()})],
        "interests": [resume.some({"name": resume.fact(), "keywords": resume.facts(2)})],
        "references": [{"name": resume.word(), "reference": "Pleasant to work with."}],
        "projects": [
            resume.some(
                {
                    "name": resume.fact(of="{} Planner"), "description": resume.sentence(),
                    "highlights": [resume.sentence()], "keywords": resume.facts(2), **resume.span(),
                    "url": "https://project.example", "roles": [resume.fact(of="{} Lead")],
                    "entity": resume.fact(), "type": resume.fact(of="{} application"),
                }
            )
        ],
        "meta": {"version": "v1.0.0"},
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args(arguments)
    for case in made(options.n, options.seed):
        print(json.dumps(case, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
