"""The output schema: whether a parsed answer has the shape that was asked for."""

from __future__ import annotations

import json
from functools import lru_cache

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match

from profiles.errors import SettingsError

__all__ = ["schema_fault"]

_DEFAULT = """{
  "type": "object",
  "properties": {
    "skills": {"type": "array", "items": {"type": "string"}},
    "summary": {"type": "string", "minLength": 1}
  },
  "required": ["skills", "summary"]
}"""


def schema_fault(value: object, schema: str | None) -> str | None:
    """Which rule the value breaks and where, such as `minItems at skills`; None when it fits.

    The place names keys of the schema and positions, never the value.

    Raises:
        SettingsError: the schema itself is not a JSON schema.
    """
    error = best_match(_validator(schema or _DEFAULT).iter_errors(value))
    return None if error is None else f"{error.validator} at {_place(error)}"


def _place(error: ValidationError) -> str:
    parts = [str(part) if isinstance(part, int) else part for part in error.absolute_path]
    return ".".join(str(part) for part in parts[:3]) or "the answer"


@lru_cache(maxsize=16)
def _validator(schema: str) -> Draft202012Validator:
    try:
        parsed = json.loads(schema)
        Draft202012Validator.check_schema(parsed)
    except (ValueError, SchemaError) as error:
        raise SettingsError(
            "the engine profile's output schema is not a JSON schema; correct schema.json"
        ) from error
    return Draft202012Validator(parsed)
