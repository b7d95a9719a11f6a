"""Matches, their results, and the stored state of self-play."""

from dataclasses import dataclass
from typing import Final, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.matches import MatchRules
from diorama.contracts.values import F64, JsonObject, JsonValue

NO_STAGE: Final = -1
ANY_SIDE: Final = -1  # the learner has every seat there is
ANY_STATION: Final = -1  # the battle says where the learner's seats are
LATEST: Final = "latest"  # the policy as it stands
STAGE_OPPONENT: Final = "stage"  # whoever the configuration says
WON: Final = 1.0
DRAWN: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An episode before it is played.

    Attributes:
        number: Of the copy, from 0.
        stage: Place in the curriculum, `NO_STAGE` without one.
        lesson: Place among the stage's lessons.
        opponent: A script, a snapshot, `LATEST` or `STAGE_OPPONENT`.
        side: The learner's where every side has seats, else `ANY_SIDE`.
        station: Place among the stations of a battle against a script, else `ANY_STATION`.
    """

    number: int
    stage: int
    lesson: int
    opponent: str
    side: int
    station: int = ANY_STATION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match that is over.

    Attributes:
        step: Vector step of the run in which it ended.
        copy: Where it was played.
        score: 1 won, 0.5 drawn, 0 lost by the learner.
    """

    step: int
    copy: int
    match: Match
    score: float


def outcome_word(score: float) -> str:
    """Return win, draw or loss."""
    if score >= WON:
        return "win"
    return "draw" if score >= DRAWN else "loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One vector step of some copies.

    Attributes:
        step: Of the run.
        decisions: Taken by the learner's seats.
        ended: Episodes of the learner's seats that ended.
        parts: Sum of every part of the reward.
        states: Decisions taken in every state of every mode, in their order.
    """

    step: int
    decisions: int
    ended: int
    parts: F64
    states: F64


class Observer:
    """Adds up what the rules of a world let one see."""

    def __init__(self, rules: MatchRules[WorldConfig]) -> None:
        """Remember where to look."""
        self._rules = rules
        self._entries = [mode.first + place for mode in rules.modes for place in range(len(mode.states))]

    def states(self, seen: Buffers) -> F64:
        """Return how many of the rows that decide now are in each state; call it before the step."""
        deciding = seen.obs[seen.alive != 0]
        found: F64 = deciding[:, self._entries].sum(axis=0, dtype=np.float64)
        return found

    def parts(self, paid: F64, is_opponent: NDArray[np.bool_]) -> F64:
        """Return the sum of the learner's rewards, part by part; `paid` is rows × parts."""
        found: F64 = paid[~is_opponent].sum(axis=0)
        return found


class LadderState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the learner stands in the curriculum, and its results there."""

    place: int
    scores: list[float]


class TallyState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the open window has counted; `parts` and `states` are sums over `decisions`."""

    results_by_opponent: dict[str, dict[str, int]]
    results_by_stage: dict[str, dict[str, int]]
    decisions: int
    ended: int
    parts: list[float]
    states: list[float]


class MatchmakerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything later matches depend on; `pool` has the latest results by opponent, in order of entry."""

    steps: int
    ratings: dict[str, float]
    pool: dict[str, list[float]] | None
    ladder: LadderState | None
    tally: TallyState


class MatchesState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The matches of a run.

    Attributes:
        matchmaker: Pool, ratings and stages.
        playing: What every copy plays.
        recorded: Matches written down.
        snapshots: SHA-256 of every frozen policy that is in the pool or still plays.
    """

    matchmaker: MatchmakerState
    playing: list[Match]
    recorded: int
    snapshots: dict[str, str]

    def to_json(self) -> JsonObject:
        """Return JSON values that share nothing with this object."""
        values: dict[str, JsonValue] = msgspec.to_builtins(self)
        return values

    @classmethod
    def from_json(cls, stored: JsonValue) -> Self:
        """Take over what `to_json` returned.

        Raises:
            DocumentError: It is something else.
        """
        try:
            return msgspec.convert(stored, type=cls)
        except msgspec.ValidationError as error:
            raise DocumentError(f"the stored state of the matches does not fit: {error}") from None
