"""Lines of a document that ground a skill, found by the rules that the gate grounds with."""

from __future__ import annotations

from pydantic import BaseModel

from profiles.standardization.skills import Vocabulary
from profiles.validation.document import Document
from profiles.validation.grounding import is_evidenced

MAX_LINES = 3


class SkillEvidence(BaseModel):
    """A published skill: `provenance` is model, document, both, or None when unknown.

    `lines` of the document name it, at most `MAX_LINES`, what somebody did before lists and heads;
    `more` counts the rest.
    """

    name: str
    provenance: str | None
    lines: list[str]
    more: int


def skills_with_evidence(
    skills: list[tuple[str, str | None]], document: str, vocabulary: Vocabulary
) -> list[SkillEvidence]:
    """Each skill, in order, with the lines that ground it."""
    texts = filter(str.strip, dict.fromkeys(document.split("\n")))
    lines = [Document(text, vocabulary) for text in texts]
    lines.sort(key=lambda line: not line.markdown.startswith("- "))
    found = []
    for name, provenance in skills:
        grounds = [line.markdown for line in lines if vocabulary.evidences(name, line.markdown)]
        if not grounds:
            grounds = [line.markdown for line in lines if is_evidenced(name, line)]
        found.append(
            SkillEvidence(
                name=name,
                provenance=provenance,
                lines=grounds[:MAX_LINES],
                more=max(0, len(grounds) - MAX_LINES),
            )
        )
    return found
