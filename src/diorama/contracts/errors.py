"""The family of errors a caller may meet.

DioramaError
├── ConfigError        a configuration or a command-line value is wrong
├── ContractError      a call broke a contract: shape, type, order of calls
│   ├── EpisodeOver    a finished episode was stepped
│   ├── UnknownAgent   an action is for an agent that is not there; a `ValueError` too
│   └── UnknownOption  a decision names an option that a strict world does not have; a `ValueError` too
├── SnapshotError      bytes that are no snapshot of this world, version or configuration
├── TierUnavailable    the requested tier cannot run here
├── UnknownName        no world, bot, suite, metric, run or replay of that name
├── PluginError        an installed plug-in cannot be used
├── MissingExtra       an optional package is not installed
├── StorageError       a file cannot be written: the disk is full, the folder is read-only
├── DocumentError      a stored file is broken, or is not what it should be
│   └── CheckpointMismatch   a checkpoint is whole and belongs to another policy, world or interface
├── RunConflict        a run exists already, or another process is writing it
├── WorkStopped        work was ended at a checkpoint: out of time, its client gone, the process stopping
└── ReplayDiverged     a replay was simulated again and came out different

Every message says what happened, quotes the value and names what would be right. Programs read `code`, which stays the
same when the message is worded better, and `fields`, the values that the message quotes.
"""

import re
from collections.abc import Iterable
from typing import ClassVar, Self

from diorama.contracts.near_names import hint


class DioramaError(Exception):
    """Anything Diorama raises on purpose; the command line prints it without a traceback.

    Attributes:
        code: Which error this is, in snake case; the name of its class where none was given.
        fields: The values that the message quotes, by name.
    """

    exit_code: ClassVar[int] = 2
    """What the command line ends with when this is what went wrong."""

    def __init__(self, message: str = "", /, *, code: str | None = None, **fields: object) -> None:
        """Raise with a message for people, and a code and values for programs."""
        super().__init__(message)
        self.code = code or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()
        self.fields = fields


class ConfigError(DioramaError):
    """A configuration value is wrong; the message names its path."""


class ContractError(DioramaError):
    """A call does not fit the world's contract."""


class EpisodeOver(ContractError):
    """The episode has ended and must be reset before it is stepped again."""


class UnknownAgent(ContractError, ValueError):
    """An action is for an agent that has left, has not come yet, or never will."""


class UnknownOption(ContractError, ValueError):
    """A decision names an option that does not exist, in a world that refuses such decisions."""


class SnapshotError(DioramaError):
    """The bytes are not a snapshot that can be restored here."""


class TierUnavailable(DioramaError):
    """The requested tier cannot run on this machine; the message says why."""


class UnknownName(DioramaError):
    """Nothing is registered under that name."""

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str], *, code: str | None = None) -> Self:
        """Build the message that lists every name that would have been right, and guesses which was meant."""
        names = list(known)
        message = f"no {kind} is called {name!r}{hint(name, names)}; there are: {', '.join(names)}"
        return cls(message, code=code, name=name, known=tuple(names))


class PluginError(DioramaError):
    """A plug-in is broken; the message names its distribution and entry, and what would be right."""


class MissingExtra(DioramaError):
    """An optional package is missing."""

    @classmethod
    def of(cls, extra: str, *, needed_for: str) -> Self:
        """Build the one line that says what to install."""
        message = f"{needed_for} needs the extra {extra!r}: pip install 'diorama[{extra}]'"
        return cls(message, extra=extra, needed_for=needed_for)


class StorageError(DioramaError):
    """A file cannot be written; the message names it and says why."""


class DocumentError(DioramaError):
    """A stored file is not what it should be; the message names it and the place in it."""


class CheckpointMismatch(DocumentError):
    """A checkpoint is whole and does not fit what is to be done with it."""


class RunConflict(DioramaError):
    """The run exists already or is locked by another process."""


class WorkStopped(DioramaError):
    """Work was ended before it was done; the code is that of a `StopReason`."""


class ReplayDiverged(DioramaError):
    """A replay does not come out again as it was recorded; the message names the first frame and field."""
