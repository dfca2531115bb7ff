"""The code adapters that a mapping may name with `reader:`, by name.

An item reader turns one vendor's list of jobs or studies into plain objects, whose members the
mapping then addresses by path. A value reader turns the values of a field into plain ones. They
take whatever the row holds and never raise on data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from profiles.extraction import lemlist, linkedin, resumes, weekday

Item = Mapping[str, object]
ItemReader = Callable[[object], Sequence[Item]]
ValueReader = Callable[[Sequence[object]], Sequence[object]]

ITEM_READERS: Final[Mapping[str, ItemReader]] = {
    "linkedin_groups": linkedin.grouped_positions,
    "lemlist_groups": lemlist.position_groups,
    "weekday_experience": weekday.experience_text,
    "weekday_education": weekday.education_text,
    "affinda_jobs": resumes.affinda_jobs,
    "pyresparser_lines": resumes.experience_lines,
}

VALUE_READERS: Final[Mapping[str, ValueReader]] = {
    "keyword_groups": resumes.keyword_groups,
    "linkedin_profiles": resumes.linkedin_profiles,
    "skill_lines": resumes.skill_lines,
    "parser_words": resumes.parser_words,
}
