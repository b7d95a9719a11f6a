"""The family of errors a caller may meet.

DioramaError
├── ConfigError        a configuration or a command-line value is wrong
├── ContractError      a call broke a contract: shape, type, order of calls
│   └── EpisodeOver    a finished episode was stepped
├── SnapshotError      bytes that are no snapshot of this world, version or configuration
├── TierUnavailable    the requested tier cannot run here
├── UnknownName        no world, bot, suite or metric of that name
└── MissingExtra       an optional package is not installed

Every message says what happened, quotes the value and names what would be right.
"""

from collections.abc import Iterable
from typing import Self


class DioramaError(Exception):
    """Anything Diorama raises on purpose; the command line prints it without a traceback."""


class ConfigError(DioramaError):
    """A configuration value is wrong; the message names its path."""


class ContractError(DioramaError):
    """A call does not fit the world's contract."""


class EpisodeOver(ContractError):
    """The episode has ended and must be reset before it is stepped again."""


class SnapshotError(DioramaError):
    """The bytes are not a snapshot that can be restored here."""


class TierUnavailable(DioramaError):
    """The requested tier cannot run on this machine; the message says why."""


class UnknownName(DioramaError):
    """Nothing is registered under that name."""

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str]) -> Self:
        """Build the message that lists every name that would have been right."""
        return cls(f"no {kind} is called {name!r}; there are: {', '.join(known)}")


class MissingExtra(DioramaError):
    """An optional package is missing."""

    @classmethod
    def of(cls, extra: str, *, needed_for: str) -> Self:
        """Build the one line that says what to install."""
        return cls(f"{needed_for} needs the extra {extra!r}: pip install 'diorama[{extra}]'")
