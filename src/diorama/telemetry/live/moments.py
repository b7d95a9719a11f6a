"""`Moment`: what was told at one time, encoded once for everybody who follows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias, TypedDict

import msgspec
from msgspec import UNSET

from diorama.contracts.live.world import Clock
from diorama.telemetry.live.event_lines import ToldEvent
from diorama.telemetry.live.merge_patch import JsonDict, difference
from diorama.telemetry.live.messages import Diff, Heartbeat, Message, Snapshot

SCENE: Final = "scene"
"""The block with the picture of the world; only those get it who name it."""

EVERYTHING_ELSE: Final = "*"
"""Stands for all blocks but the scene."""

Blocks: TypeAlias = frozenset[str] | None
"""Names of the blocks somebody wants; None is the same as `EVERYTHING_ELSE` alone."""

EVERYTHING: Final[Blocks] = None
"""What transports are told: all blocks but the scene."""

Encodings: TypeAlias = dict[Blocks | tuple[str, ...], bytes]
"""Encoded messages by wish, and by the names of the blocks it comes to."""

_encoder: Final = msgspec.json.Encoder()


class Kind(Enum):
    """What a moment is to those who are in step."""

    SNAPSHOT = "snapshot"
    DIFF = "diff"
    HEARTBEAT = "heartbeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Identity that is stamped on every message."""

    world: str
    run_id: str
    config_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What happened beside the state.

    Attributes:
        ticks: So many went by.
        folded: Events that are told as a number only, by name.
    """

    events: Sequence[ToldEvent] = ()
    narrations: Sequence[JsonDict] = ()
    ticks: int = 0
    folded: Mapping[str, int] = field(default_factory=dict)


class _Stamp(TypedDict):
    world: str
    run_id: str
    config_id: str
    seq: int
    tick: int
    day: int
    tod: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moment:
    """What was told at one time; never changed afterwards, so that any thread may read it.

    Attributes:
        state: Afterwards; shares its branches with the moments before and after.
        patch: What leads here from the moment before.
    """

    origin: Origin
    seq: int
    kind: Kind
    clock: Clock
    state: JsonDict
    patch: JsonDict
    news: News
    _encoded: Encodings = field(default_factory=dict, init=False)
    _welcomes: Encodings = field(default_factory=dict, init=False)

    def encoded(self, blocks: Blocks) -> bytes:
        """The message for those who know the moment before; encoded when first asked for."""
        return _encoded_once(self._encoded, blocks, self._message)

    def welcome(self, blocks: Blocks) -> bytes:
        """The snapshot for somebody who knows nothing yet; encoded when first asked for."""
        return _encoded_once(self._welcomes, blocks, self._welcome)

    def snapshot(self, blocks: Blocks, news: News) -> Snapshot:
        """The whole state, with what happened since somebody was last told."""
        return Snapshot(
            **self._stamp(),
            state=chosen(self.state, blocks),
            events=[event.line for event in news.events],
            narrations=news.narrations,
            aggregated=news.ticks,
            folded=news.folded or UNSET,
        )

    def since(self, base: "Moment", blocks: Blocks, news: News) -> Diff:
        """What changed since an earlier moment, and what happened since."""
        patch = difference(chosen(base.state, blocks), chosen(self.state, blocks))
        return self._diff(base.seq, patch, news)

    def _welcome(self, blocks: Blocks) -> Snapshot:
        return self.snapshot(blocks, News())

    def _message(self, blocks: Blocks) -> Message:
        if self.kind is Kind.HEARTBEAT:
            return Heartbeat(**self._stamp())
        if self.kind is Kind.SNAPSHOT:
            return self.snapshot(blocks, self.news)
        return self._diff(self.seq - 1, chosen(self.patch, blocks), self.news)

    def _diff(self, base_seq: int, patch: JsonDict, news: News) -> Diff:
        return Diff(
            **self._stamp(),
            base_seq=base_seq,
            state=patch,
            events=[event.line for event in news.events],
            narrations=news.narrations,
            aggregated=news.ticks,
            folded=news.folded or UNSET,
        )

    def _stamp(self) -> _Stamp:
        return {
            "world": self.origin.world,
            "run_id": self.origin.run_id,
            "config_id": self.origin.config_id,
            "seq": self.seq,
            "tick": self.clock.tick,
            "day": self.clock.day,
            "tod": self.clock.tod,
        }


def _encoded_once(encodings: Encodings, blocks: Blocks, tell: Callable[[Blocks], Message]) -> bytes:
    """Look a message up, else make it; wishes that come to the same blocks share it, whatever else they name."""
    data = encodings.get(blocks)
    if data is None:
        message = tell(blocks)
        names = () if isinstance(message, Heartbeat) else tuple(message.state)
        data = encodings.get(names)
        if data is None:
            data = encodings[names] = _encoder.encode(message)
        encodings[blocks] = data
    return data


def chosen(blocks_by_name: JsonDict, names: Blocks) -> JsonDict:
    """The blocks of a state or of a patch that somebody wants."""
    named: frozenset[str] = names or frozenset()
    has_rest = names is None or EVERYTHING_ELSE in names
    return {name: block for name, block in blocks_by_name.items() if name in named or (has_rest and name != SCENE)}
