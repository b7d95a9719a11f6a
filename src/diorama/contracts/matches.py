"""What a world declares about being fought by sides: who can be an opponent, how a match is set up and what counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.config import ConfigT
from diorama.contracts.errors import ConfigError
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64

EMPTY_SEAT: Final = -1  # the side of a seat nobody fills


def opposing_seats(sides: Sequence[int], side: int, opponent: str) -> NDArray[np.bool_]:
    """Return which seats of a copy a policy or bot plays against a side.

    Args:
        sides: Side of every seat, `EMPTY_SEAT` where nobody sits.
        side: The one that is learned or judged.
        opponent: Who plays the others.

    Raises:
        ConfigError: One of the two has no seat.
    """
    found = np.array(sides)
    opposing: NDArray[np.bool_] = (found != side) & (found != EMPTY_SEAT)
    if not opposing.any() or not (found == side).any():
        raise ConfigError(
            f"a match against {opponent!r} needs seats on both sides, and config.seats is {len(found)}; raise it",
            code="opponent_has_no_seat",
            opponent=opponent,
            seats=len(found),
        )
    return opposing


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedMode:
    """Something a seat is in one of several states of, as its observation shows it.

    Attributes:
        name: Such as `layer`.
        first: Entry of the float32 observation that is 1 in the first state; the others follow.
        states: Names, in the order of the entries.
    """

    name: str
    first: int
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchRules(Generic[ConfigT]):
    """How an episode becomes a match between a learner's side and opponents.

    Attributes:
        result_metric: Metric whose final value is the result for a seat's side: 1 won, 0.5 drawn, 0 lost.
        scripts: Opponents the world plays itself.
        anchor: The script whose rating never moves.
        against: Overrides of a configuration under which the other sides follow a script.
        side_overrides: One set of overrides for each side the learner can play in a fixed scenario; empty where the
            configuration chooses the side, or where it is drawn with the scenario.
        mirrored: Overrides under which the ships of every side have seats, for opponents that are policies.
        sides: Side of every seat (0, 1, ...; `EMPTY_SEAT` where nobody sits) of an episode that has just opened, from
            the configuration and its opening record.
        reward_parts: Names of what a reward is made of, before any weights.
        parts_of: Rows × parts of the last step of a core's copies.
        modes: What a seat's time is divided by in telemetry.
    """

    result_metric: str
    scripts: tuple[str, ...]
    anchor: str
    against: Callable[[str], Mapping[str, object]]
    side_overrides: Callable[[ConfigT], tuple[Mapping[str, object], ...]]
    mirrored: Mapping[str, object]
    sides: Callable[[ConfigT, StepRecord], tuple[int, ...]]
    reward_parts: tuple[str, ...]
    parts_of: Callable[[BatchCore, int], F64]
    modes: tuple[ObservedMode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurriculumStage:
    """One step on the way from easy to hard.

    Attributes:
        name: For people.
        lessons: Overrides of a configuration, in the order they are met as the stage is learned.
        promote_at: Rate of wins that opens the next stage; None for the last.
        meets_pool: Whether opponents come from the pool of past policies where there is one.
    """

    name: str
    lessons: tuple[Mapping[str, object], ...]
    promote_at: float | None
    meets_pool: bool = False

    def lesson(self, rate: float) -> int:
        """Return the place of the lesson that suits a rate of wins."""
        goal = 1.0 if self.promote_at is None else self.promote_at
        last = len(self.lessons) - 1
        return min(last, int(rate / goal * (last + 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEstimate:
    """A player's rating by all results that are kept; the 95% interval is `rating` ± `margin`.

    Attributes:
        name: The player.
        rating: In Elo points, relative to the anchor.
        margin: Half the width of the interval; 0 for the anchor.
        matches: Matches of the player among the results.
    """

    name: str
    rating: float
    margin: float
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteScene:
    """One frozen scene of an evaluation suite: its name and the overrides that put the judged on each side."""

    name: str
    sides: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSuite:
    """Frozen scenes in which a policy meets every script from every side.

    Attributes:
        scenes: In the order of the report.
        episodes: Seeds per scene, side and opponent.
        first_seed: Of those seeds.
        margin: Metric of the report: what was kept, compared with the other side.
        survival: Metric: 1 for a seat that was still there at the end.
        spent: Metric: shots or whatever else is spent for `gained`.
        gained: Metric.
        time: Metric: how long it took.
    """

    scenes: tuple[SuiteScene, ...]
    episodes: int
    first_seed: int
    margin: str
    survival: str
    spent: str
    gained: str
    time: str
