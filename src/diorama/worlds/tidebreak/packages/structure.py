"""What pydantic found wrong, told in the codes of the contract."""

from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from diorama.contracts.validation import problem_words
from diorama.worlds.tidebreak.packages.problems import CODE_MEANINGS, Problem

_MISSING: Final = frozenset({"missing", "union_tag_not_found"})
_UNKNOWN_NAME: Final = frozenset({"enum", "literal_error", "union_tag_invalid"})
_OUT_OF_RANGE: Final = frozenset(
    {
        "finite_number",
        "greater_than",
        "greater_than_equal",
        "less_than",
        "less_than_equal",
        "string_pattern_mismatch",
        "string_too_long",
        "string_too_short",
        "too_long",
        "too_short",
    }
)
_PLACE_WORDS: Final = frozenset({"zone", "destination"})
_QUOTED_LENGTH: Final = 60


def structural_problems(error: ValidationError, document: object) -> list[Problem]:
    """Turn what validating the document raised into problems, in the order of the document's fields."""
    return [_problem(item, document) for item in error.errors(include_url=False)]


def dotted(*parts: str | int) -> str:
    """Join keys and indices to a path."""
    return ".".join(str(part) for part in parts)


def _problem(item: ErrorDetails, document: object) -> Problem:
    location = _location(item, document)
    code = _code(item["type"])
    if location[:1] == ["schema_version"]:
        code = "P001"
    elif _is_place_of_objective(location) and code in ("P002", "P003", "P004", "P005"):
        code = "P041"
    return Problem(code, dotted(*location), _message(item))


def _code(kind: str) -> str:
    if kind in CODE_MEANINGS:
        return kind
    if kind in _MISSING:
        return "P002"
    if kind in _UNKNOWN_NAME:
        return "P005"
    return "P004" if kind in _OUT_OF_RANGE else "P003"


def _location(item: ErrorDetails, document: object) -> list[str | int]:
    """Leave out what is not in the document: the names pydantic gives to the arms of a union and to keys."""
    kept: list[str | int] = []
    here = document
    for position, part in enumerate(item["loc"]):
        is_last = position == len(item["loc"]) - 1
        if isinstance(here, Mapping):
            if part in here:
                kept.append(part)
                here = here[part]
            elif is_last and item["type"] == "missing":
                kept.append(part)
        elif isinstance(here, Sequence) and isinstance(part, int):
            kept.append(part)
            here = here[part] if part < len(here) else None
    if item["type"].startswith("union_tag"):
        kept.append(str(item["ctx"]["discriminator"]).strip("'"))
    return kept


def _is_place_of_objective(location: Sequence[str | int]) -> bool:
    return len(location) > 3 and location[0] == "ships" and location[2] == "objective" and location[3] in _PLACE_WORDS


def _message(item: ErrorDetails) -> str:
    kind, found, words = item["type"], item["input"], problem_words(item)
    if kind in _MISSING:
        return "is required"
    if kind == "union_tag_invalid":
        return f"{_quote(item['ctx']['tag'])} is unknown; use one of {item['ctx']['expected_tags']}"
    if kind in ("model_type", "model_attributes_type"):
        return f"{_quote(found)} is wrong; it must be an object"
    if kind in CODE_MEANINGS:
        return words if isinstance(found, Mapping | list | tuple) else f"{_quote(found)} {words}"
    return f"{_quote(found)} is wrong; {words[:1].lower()}{words[1:]}"


def _quote(value: object) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    try:
        text = repr(value)
    except ValueError:  # integers of thousands of digits have no text
        return "a huge number"
    return text if len(text) <= _QUOTED_LENGTH else f"{text[:_QUOTED_LENGTH]}…"
