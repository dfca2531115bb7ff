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
    "linkedin_components": linkedin.components,
    "lemlist_groups": lemlist.position_groups,
    "lemlist_numbered_jobs": lemlist.numbered_jobs,
    "lemlist_numbered_schools": lemlist.numbered_schools,
    "lemlist_numbered_languages": lemlist.numbered_languages,
    "weekday_experience": weekday.experience_text,
    "weekday_education": weekday.education_text,
    "affinda_items": resumes.affinda_items,
    "pyresparser_lines": resumes.experience_lines,
    "pyresparser_jobs": resumes.pyresparser_jobs,
    "pyresparser_studies": resumes.pyresparser_studies,
}

VALUE_READERS: Final[Mapping[str, ValueReader]] = {
    "affinda_names": resumes.affinda_names,
    "affinda_phones": resumes.affinda_phones,
    "keyword_groups": resumes.keyword_groups,
    "linkedin_profiles": resumes.linkedin_profiles,
    "skill_lines": resumes.skill_lines,
    "months": resumes.months,
    "parser_words": resumes.parser_words,
}
