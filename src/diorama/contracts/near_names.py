"""Guesses which name was meant by one that nobody has."""

from collections.abc import Iterable
from typing import Final

_LEAST_LIKENESS: Final = 0.7


def hint(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'prospector'?)` for a name that is nearly one of these, and nothing for any other."""
    from difflib import get_close_matches

    by_letters = {other.casefold(): other for other in known}
    near = get_close_matches(name.casefold(), by_letters, n=1, cutoff=_LEAST_LIKENESS)
    return f" (did you mean {by_letters[near[0]]!r}?)" if near else ""
