"""What a world declares about agents that come and go: who can play, who has which seat, what everybody is told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from diorama.contracts.config import ConfigT
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.contracts.values import F32, U64, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Somebody left its seat in a step; `reason` is the world's word for why."""

    seat: int
    agent: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CastOpening(Generic[ConfigT]):
    """How an episode is opened that is not the world's usual one.

    Attributes:
        config: The configuration it is played under.
        words: From a seed, the snapshot words of the state it begins with; None for the usual opening.
    """

    config: ConfigT
    words: Callable[[int], U64] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cast(Generic[ConfigT]):
    """The agents of a world whose seats change hands while a copy runs.

    Attributes:
        names: Everybody who can ever play in one episode, in the order of arrival; a name is never given twice.
        seated: Who has each seat after a step, or at an opening; None for a free one.
        departures: Who left in a step.
        tell: What an agent is told beside its observation, from a record and its seat.
        parts: Blocks of the observation row under names of their own, from the contract.
        state_width: Length of the vector that describes the whole copy.
        state: That vector, from the configuration, the observation rows of all seats and the copy's snapshot words.
        open: From a configuration and the options of a reset, how the episode begins; unknown options are ignored.
    """

    names: tuple[str, ...]
    seated: Callable[[StepRecord], Sequence[str | None]]
    departures: Callable[[StepRecord], Sequence[Departure]]
    tell: Callable[[StepRecord, int], Mapping[str, JsonValue]]
    parts: Callable[[WorldSpec], tuple[ObservationField, ...]]
    state_width: Callable[[WorldSpec], int]
    state: Callable[[ConfigT, F32, U64], F32]
    open: Callable[[ConfigT, Mapping[str, object]], CastOpening[ConfigT]]
