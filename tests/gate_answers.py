"""A document, a good answer about it, and how the gate judges answers, for tests of the gate."""

from __future__ import annotations

import dataclasses
import json

from profiles.models import Completion, EngineProfile, LengthBand, LengthRule, Sampling
from profiles.standardization.skills import Vocabulary
from profiles.validation import judge

VOCABULARY = Vocabulary.from_aliases(
    {"Kubernetes": ["K8s"], "PostgreSQL": ["Postgres"], "Terraform": [], "Apache Kafka": ["Kafka"]}
)
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "skills": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
            "summary": {"type": "string", "minLength": 1},
        },
        "required": ["skills", "summary"],
        "additionalProperties": False,
    }
)
DOCUMENT = """# Silas Whitlock
Platform Engineer at Quarry Labs
Austin, Texas, United States · 9 years of experience

## Summary
Platform engineer who runs build and deployment services for a payments company.

## Experience
### Platform Engineer — Quarry Labs
Apr 2020 – Present (5 yrs 3 mos)
- Moved nightly builds of 40 teams to Kubernetes and cut their cost by 35%.
- Wrote the runbooks for incident response and trained new colleagues in the night shift.
- Reduced the time of a release from days to hours with automated checks.

### System Administrator — Tarn Media
Feb 2016 – Mar 2020 (4 yrs 1 mo)
- Looked after PostgreSQL servers, their backups and their monitoring.

## Education
- BSc, Computer Science — Umbra University (2012–2016)

## Skills
Kubernetes, PostgreSQL, Incident Response
"""
WORDS = 110
SUMMARY = (
    "The candidate is a platform engineer who runs build and deployment services for a payments "
    "company, after four years of looking after PostgreSQL servers and their backups. At Quarry "
    "Labs the builds of 40 teams moved to Kubernetes, which cut their cost by 35 percent. The "
    "candidate also wrote runbooks for incident response and trains new colleagues."
)


def profile(**changes) -> EngineProfile:
    made = EngineProfile(
        name="test",
        version="1",
        answer="json",
        skills_from="model",
        system_prompt="",
        user_template="",
        output_schema=SCHEMA,
        length=LengthRule(LengthBand(400, 600), 600, 0.4, 0.8),
        sampling=Sampling(),
        attempts=2,
        max_document_tokens=1000,
        retry_max_new_tokens=1500,
    )
    return dataclasses.replace(made, **changes)


PROSE = profile(
    answer="prose", skills_from="document", output_schema=None,
    length=LengthRule(LengthBand(25, 120), 60, 0.4, 0.8),
)  # fmt: skip


def answer(summary=SUMMARY, skills=("K8s", "Incident Response")) -> str:
    return json.dumps({"skills": list(skills), "summary": summary})


def completion(text, finish="stop", error=None) -> Completion:
    return Completion("r1", text, finish, error=error)


def judged(text, *, engine_profile=None, finish="stop", error=None, document=DOCUMENT):
    return judge(
        completion(text, finish, error),
        document=document,
        word_count=WORDS,
        profile=engine_profile or profile(),
        vocabulary=VOCABULARY,
    )


def verdicts(result):
    return {check.name: check.passed for check in result.checks}
