"""What pydantic finds wrong, in words."""

from collections.abc import Mapping
from typing import Any, Final

_ANNOUNCEMENTS: Final = ("Value error, ", "Assertion failed, ")  # of what a validator of ours has said


def problem_words(item: Mapping[str, Any]) -> str:
    """Return what one entry of `ValidationError.errors()` says, in one line, without what pydantic puts before it."""
    message = str(item["msg"])
    for announcement in _ANNOUNCEMENTS:
        message = message.removeprefix(announcement)
    return message.replace("\n", "; ")
