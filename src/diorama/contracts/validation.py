"""What pydantic finds wrong, in words."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

_ANNOUNCEMENTS: Final = ("Value error, ", "Assertion failed, ")  # of what a validator of ours has said
_SUBJECTS: Final = ("Input should ", "String should ", "Value should ")  # what pydantic calls a value
_PLAIN_WORDS: Final = {  # where pydantic speaks of Python
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
    "model_type": "it should be a mapping of names to values",
    "model_attributes_type": "it should be a mapping of names to values",
    "dict_type": "it should be a mapping of names to values",
    "int_parsing": "it should be a whole number",
    "int_type": "it should be a whole number",
    "int_from_float": "it should be a whole number",
    "float_parsing": "it should be a number",
    "float_type": "it should be a number",
    "bool_parsing": "it should be true or false",
    "bool_type": "it should be true or false",
    "string_type": "it should be text",
    "list_type": "it should be a list",
    "tuple_type": "it should be a list",
}
_LONGEST_KEY: Final = 64  # characters; whoever sends a longer one knows it by its beginning


def first_problem(error: ValidationError, *, inside: str = "") -> str:
    """Return the first thing that is wrong, in one line; see `problem_line`."""
    return problem_line(error.errors(include_url=False)[0], inside=inside)


def problem_line(item: Mapping[str, Any], *, inside: str = "") -> str:
    """Return one entry of `ValidationError.errors()` in one line: its place and what is wrong there.

    A rule over the whole of a document has no place: it is told by its words alone.

    Args:
        item: The entry.
        inside: The place of what was validated in the document that a user knows.
    """
    place, words = problem_place(item, inside=inside), problem_words(item)
    return f"{place}: {words}" if place else words


def problem_place(item: Mapping[str, Any], *, inside: str = "") -> str:
    """Return where one entry of `ValidationError.errors()` is: keys and indices with dots between; "" for the whole."""
    parts = (_shown(str(part)) for part in item["loc"])
    return ".".join([inside, *parts] if inside else parts)


def problem_words(item: Mapping[str, Any]) -> str:
    """Return what one entry of `ValidationError.errors()` says, in one line and in plain words."""
    message = _PLAIN_WORDS.get(item["type"], str(item["msg"]))
    for announcement in _ANNOUNCEMENTS:
        message = message.removeprefix(announcement)
    for subject in _SUBJECTS:
        if message.startswith(subject):
            message = f"it should {message.removeprefix(subject)}"
    return message.replace("\n", "; ")


def _shown(key: str) -> str:
    short = key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…"
    return short if short and short.isprintable() else repr(short)
