"""Matches, their results, per-step statistics, and the stored state of self-play."""

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
ANY_SIDE: Final = -1  # the learner has all seats
NO_SIDE_OVERRIDE: Final = -1  # the configuration itself chooses the learner's side
LATEST: Final = "latest"  # the current policy plays both sides
STAGE_OPPONENT: Final = "stage"  # the opponent that the stage's configuration names
WON: Final = 1.0
DRAWN: Final = 0.5


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """The setup of one episode; a part of the stored state.

    Attributes:
        number: Counts the matches of a copy from 0.
        stage: Index of the curriculum stage, `NO_STAGE` without a curriculum.
        lesson: Index of the lesson in its stage.
        opponent: Name of a script or a snapshot, `LATEST` or `STAGE_OPPONENT`.
        side: The learner's side where a policy plays the other one, else `ANY_SIDE`.
        side_override: Index into `Matchmaker.side_overrides` in a match against a script, else `NO_SIDE_OVERRIDE`.
    """

    number: int
    stage: int
    lesson: int
    opponent: str
    side: int
    side_override: int = msgspec.field(default=NO_SIDE_OVERRIDE, name="station")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A finished match.

    Attributes:
        step: Vector step of the run in which it ended.
        copy: Copy that played it.
        match: The match.
        score: The learner's result: 1 won, 0.5 drawn, 0 lost.
        following: The match that the copy plays from now on.
    """

    step: int
    copy: int
    match: Match
    score: float
    following: Match


def outcome_label(score: float) -> str:
    """Return `win`, `draw` or `loss`."""
    if score >= WON:
        return "win"
    return "draw" if score >= DRAWN else "loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStats:
    """Statistics of one vector step over the copies of one shard.

    Attributes:
        step: Vector step of the run.
        decisions: Decisions of the learner's seats.
        ended: Episodes of the learner's seats that ended.
        parts: Sum of each reward part.
        states: Decisions taken in each state of each mode, in the order of the rules.
    """

    step: int
    decisions: int
    ended: int
    parts: F64
    states: F64


class StepCounter:
    """Computes the sums of `StepStats` from buffers and reward parts."""

    def __init__(self, rules: MatchRules[WorldConfig]) -> None:
        """Find the observation entries of the world's modes."""
        self._entries = [mode.first + index for mode in rules.modes for index in range(len(mode.states))]

    def count_states(self, buffers: Buffers) -> F64:
        """Return how many of the deciding rows are in each state; call it before the step."""
        deciding = buffers.obs[buffers.alive != 0]
        counts: F64 = deciding[:, self._entries].sum(axis=0, dtype=np.float64)
        return counts

    def sum_rewards(self, reward_parts: F64, is_opponent: NDArray[np.bool_]) -> F64:
        """Return the learner's rewards summed over rows; `reward_parts` is rows × parts."""
        sums: F64 = reward_parts[~is_opponent].sum(axis=0)
        return sums


class CurriculumState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The learner's stage and its results there; `running` and `waiting` are empty in states of earlier versions.

    Attributes:
        stage_index: Index of the stage.
        scores: Results that count, in the order in which their matches began.
        running: Matches of the stage that are being played: the step in which they began, and the copy.
        waiting: Results that wait for matches that began earlier: the same, and the score.
    """

    stage_index: int = msgspec.field(name="place")
    scores: list[float]
    running: list[tuple[int, int]] = msgspec.field(default_factory=list)
    waiting: list[tuple[int, int, float]] = msgspec.field(default_factory=list)


class TallyState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Counts of the open window; `parts` and `states` are sums over `decisions`."""

    results_by_opponent: dict[str, dict[str, int]]
    results_by_stage: dict[str, dict[str, int]]
    decisions: int
    ended: int
    parts: list[float]
    states: list[float]


class ResultsState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ratings are fitted to.

    Attributes:
        learner: The learner's latest scores by opponent, since its newest snapshot.
        snapshots: By snapshot, in order of entry, and opponent: the number of matches and the sum of their scores.
    """

    learner: dict[str, list[float]]
    snapshots: dict[str, dict[str, tuple[int, float]]]


class MatchmakerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything later matches depend on; `pool` has the latest scores by opponent, in order of entry.

    `results` is None without a pool, and in states of earlier versions.
    """

    steps: int
    ratings: dict[str, float]
    pool: dict[str, list[float]] | None
    curriculum: CurriculumState | None = msgspec.field(name="ladder")
    tally: TallyState
    results: ResultsState | None = None


class MatchesState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The stored state of a run's matches.

    Attributes:
        matchmaker: Pool, ratings and curriculum.
        playing: The match of each copy.
        recorded: Number of matches in the match file.
        snapshots: SHA-256 of each frozen policy that is in the pool or still plays.
    """

    matchmaker: MatchmakerState
    playing: list[Match]
    recorded: int
    snapshots: dict[str, str]

    def to_json(self) -> JsonObject:
        """Return JSON values that share no memory with this object."""
        values: dict[str, JsonValue] = msgspec.to_builtins(self)
        return values

    @classmethod
    def from_json(cls, stored: JsonValue) -> Self:
        """Return the state that `to_json` wrote.

        Raises:
            DocumentError: The document has another form.
        """
        try:
            return msgspec.convert(stored, type=cls)
        except msgspec.ValidationError as error:
            raise DocumentError(
                f"the stored state of the matches cannot be read: {error}",
                code="match_state_invalid",
                reason=str(error),
            ) from None
