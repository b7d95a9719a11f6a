"""Where the actions of a verification or a measurement come from; the same name and seed give the same stream."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from diorama.contracts.errors import ConfigError, DocumentError, StorageError, UnknownName
from diorama.contracts.values import I32, JsonObject
from diorama.storage.artifact_files import read_named
from diorama.storage.json_text import decode_json
from diorama.worlds.gameboy.codec import get_action_codec

VERSION: Final = "2.0"
_STEP_OFFSET: Final = 1_000_000  # keeps the seed legal for warm-up steps, which count from below zero
SOURCES: Final = ("noop", "seeded_random", "striped", "trace")
_STRIPES: Final = ("UP", "DOWN", "LEFT", "RIGHT")

MAX_BYTES: Final = 64 << 20  # of a trace


class ActionSource(Protocol):
    """Gives the actions of all lanes, step by step."""

    def actions(self, step: int, lanes: int) -> I32:
        """Give one action for each lane; warm-up steps are counted from below zero."""

    def describe(self) -> JsonObject:
        """Say what is needed to get the same stream again."""


@dataclass(frozen=True, slots=True)
class Noop:
    """Nobody touches a key."""

    def actions(self, step: int, lanes: int) -> I32:
        """Give no-ops."""
        return np.zeros(lanes, np.int32)

    def describe(self) -> JsonObject:
        """Name the source."""
        return {"name": "noop", "version": VERSION}


@dataclass(frozen=True, slots=True)
class SeededRandom:
    """Every lane draws from all actions, anew each step."""

    seed: int = 0

    def actions(self, step: int, lanes: int) -> I32:
        """Draw the actions of a step; they do not depend on the steps before."""
        draws = np.random.default_rng([self.seed, step + _STEP_OFFSET])
        return draws.integers(0, get_action_codec().num_actions, lanes).astype(np.int32)

    def describe(self) -> JsonObject:
        """Name source and seed."""
        return {"name": "seeded_random", "version": VERSION, "seed": self.seed}


@dataclass(frozen=True, slots=True)
class Striped:
    """Lanes cycle through the four directions, and each lane keeps its own."""

    def actions(self, step: int, lanes: int) -> I32:
        """Give each lane its direction."""
        names = get_action_codec().action_names
        pattern = [names.index(name) for name in _STRIPES]
        return np.resize(np.array(pattern, np.int32), lanes)

    def describe(self) -> JsonObject:
        """Name source and pattern."""
        return {"name": "striped", "version": VERSION, "pattern": list(_STRIPES)}


@dataclass(frozen=True, slots=True)
class Trace:
    """Recorded actions; after the last step nobody touches a key."""

    rows: tuple[tuple[int, ...], ...]
    origin: str = field(default="memory", compare=False)

    def actions(self, step: int, lanes: int) -> I32:
        """Give the recorded actions of a step.

        Raises:
            ConfigError: If the trace was recorded with another number of lanes.
        """
        if not 0 <= step < len(self.rows):
            return np.zeros(lanes, np.int32)
        row = self.rows[step]
        if len(row) != lanes:
            raise ConfigError(f"{self.origin}: step {step} has {len(row)} actions; there are {lanes} lanes")
        return np.array(row, np.int32)

    def describe(self) -> JsonObject:
        """Name the source and its length; the rows are stored beside."""
        return {"name": "trace", "version": VERSION, "steps": len(self.rows)}


def parse_source(text: str, *, seed: int = 0) -> ActionSource:
    """Read `noop`, `seeded_random`, `seeded_random:7`, `striped` or `trace:FILE`.

    Raises:
        ConfigError: If it is none of these.
        DocumentError: If the trace file is no action trace.
    """
    name, _, argument = text.partition(":")
    if name == "trace" and argument:
        return read_trace(Path(argument))
    if name == "seeded_random" and (not argument or argument.isdecimal()):
        return SeededRandom(int(argument) if argument else seed)
    if name in ("noop", "striped") and not argument:
        return Noop() if name == "noop" else Striped()
    raise ConfigError(
        f"action source {text!r} is unknown; use noop, seeded_random, seeded_random:SEED, striped or trace:FILE"
    )


def read_trace(path: Path) -> Trace:
    """Read `actions.jsonl`: a line per step, a list per line, an integer per lane.

    Raises:
        DocumentError: If a line is no such list, or names an action that does not exist.
    """
    rows = []
    try:
        text = read_named(path, most_bytes=MAX_BYTES).decode()
    except (UnknownName, DocumentError, UnicodeDecodeError) as error:
        raise DocumentError(f"{path}: cannot be read ({error})") from None
    most = get_action_codec().num_actions - 1
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            row = decode_json(line, list[int], where=str(path))
        except DocumentError:
            row = [-1]
        if not all(0 <= action <= most for action in row):
            raise DocumentError(f"{path}: line {number} is no list of actions 0 to {most}: {line[:40]!r}")
        rows.append(tuple(row))
    return Trace(tuple(rows), str(path))


def write_trace(path: Path, rows: Sequence[I32]) -> None:
    """Write `actions.jsonl`.

    Raises:
        StorageError: If the disk refuses.
    """
    lines = "".join(json.dumps([int(action) for action in row]) + "\n" for row in rows)
    try:
        path.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror or error})") from error
