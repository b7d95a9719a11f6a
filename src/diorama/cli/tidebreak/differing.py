"""Where two battles part: the first tick, and what differs there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from diorama.cli.tidebreak.components import component_differences
from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.contracts.values import JsonValue
from diorama.engine.tiers import AUTO
from diorama.runs.layout import RunLayout
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.reader import ReplayReader, open_entry, open_replay
from diorama.runs.replays.rerun import plain_value
from diorama.runs.run import Run
from diorama.storage.artifact_files import read_named
from diorama.worlds.tidebreak.packages.documents import MAX_BYTES
from diorama.worlds.tidebreak.packages.problems import ResultError
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.packages.results import read_result

_WORLD: Final = "tidebreak"
_REPLAY_SUFFIX: Final = ".jsonl.gz"
_ABSENT: Final = "nothing"
_COMPARED: Final = ("action", "state_hash", "reward", "terminated", "truncated", "events", "event_data")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two battles have in common; `differences` are of the first tick at which there are any."""

    headline: str
    differences: tuple[str, ...] = ()

    @property
    def is_different(self) -> bool:
        """Whether there is any difference."""
        return bool(self.differences)


def compare(first: Path, second: Path, *, tier: str = AUTO) -> Comparison:
    """Compare two replays, or two results.

    Args:
        first: A run, the file of a replay or of a result.
        second: Likewise.
        tier: As in `diorama.make`; replays that part are simulated again up to there.

    Raises:
        ConfigError: One is a replay and the other a result.
        UnknownName: There is nothing of that name.
        DocumentError: A file is broken.
    """
    sides = [_open(path) for path in (first, second)]
    readers = [side for side in sides if isinstance(side, ReplayReader)]
    results = [side for side in sides if isinstance(side, BattleResult)]
    if len(results) == len(sides):
        return _compare_results(*(result.model_dump(mode="json") for result in results))
    if len(readers) == len(sides):
        return _compare_replays(readers[0], readers[1], tier)
    raise ConfigError(f"{first} and {second} are a replay and a result; give two of one kind")


def _open(path: Path) -> ReplayReader | BattleResult:
    opened = _opened(path)
    if isinstance(opened, ReplayReader) and opened.sidecar.world != _WORLD:
        raise ConfigError(f"{path} is of world {opened.sidecar.world!r}; give a battle of {_WORLD!r}")
    return opened


def _opened(path: Path) -> ReplayReader | BattleResult:
    if path.is_dir():
        run = Run(RunLayout(path))
        entries = run.replay_index().entries
        if not entries:
            raise UnknownName(f"{path} is a run without replays")
        return open_entry(run.layout, entries[-1])
    if path.name.endswith(_REPLAY_SUFFIX):
        return open_replay(RunLayout(path.parent.parent), path.name.removesuffix(_REPLAY_SUFFIX))
    try:
        return read_result(read_named(path, most_bytes=MAX_BYTES))
    except ResultError as error:
        raise DocumentError(f"{path} is no battle result: {'; '.join(str(error).splitlines())}") from None


def _compare_results(first: JsonValue, second: JsonValue) -> Comparison:
    found = tuple(_walk("", first, second))
    return Comparison(headline="the results differ" if found else "the results are the same", differences=found)


def _compare_replays(first: ReplayReader, second: ReplayReader, tier: str) -> Comparison:
    openings = [_by_entity(reader.sidecar.initial_render_state) for reader in (first, second)]
    opening = tuple(_walk("", openings[0], openings[1]))
    if opening:
        return Comparison(headline="the battles differ before the first tick", differences=opening)
    for one, other in zip_longest(first.frames(), second.frames()):
        if one is None or other is None:
            longer = other if one is None else one
            shorter = "the first" if one is None else "the second"
            return Comparison(headline=f"{shorter} battle ends first", differences=(f"tick {longer.t} is only in one",))
        found = tuple(_frame_differences(one, other))
        if found:
            parts = component_differences(first, second, one.frame_index, tier=tier)
            return Comparison(headline=f"the battles part at tick {one.t}", differences=(*parts, *found))
    return Comparison(headline=f"the battles are the same over {first.frame_count} ticks")


def _frame_differences(one: Frame, other: Frame) -> Iterator[str]:
    for name in _COMPARED:
        yield from _walk(name, plain_value(getattr(one, name)), plain_value(getattr(other, name)))
    yield from _walk("", _by_entity(one.render_state), _by_entity(other.render_state))


def _by_entity(state: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Name units and munitions by what they are, so that a difference says whose it is.

    Who commands a unit is left out: it is no part of what happens.
    """
    named: dict[str, JsonValue] = {key: value for key, value in state.items() if key not in ("units", "munitions")}
    for kind in ("units", "munitions"):
        entries = state.get(kind)
        for entry in entries if isinstance(entries, Sequence) and not isinstance(entries, str) else ():
            if isinstance(entry, Mapping):
                shown = {key: value for key, value in entry.items() if key != "controller"}
                named[f"{kind[:-1]} {entry.get('ship_id') or entry.get('id')}"] = shown
    return named


def _walk(path: str, one: JsonValue, other: JsonValue) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            yield from _walk(f"{path}.{key}" if path else str(key), one.get(key, _ABSENT), other.get(key, _ABSENT))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _walk(f"{path}[{place}]", left, right)
    elif one != other:
        yield f"{path}: {one!r} and {other!r}"
