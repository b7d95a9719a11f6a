"""Whether growth helps, as far as the control cohorts can say."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from numpy.random import Generator

from diorama.worlds.morphogenesis.comparison.bootstrap import Interval, accuracy_difference
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult

MIN_PAIRS: Final = 10
MAX_ROLLBACK_SHARE: Final = 0.05
TOLERATED_LOSS_PP: Final = 1.0

Episodes = Sequence[EpisodeResult]


class VerdictState(Enum):
    """What can be said."""

    GROWTH_HELPS = "GROWTH_HELPS"
    GROWTH_NEUTRAL = "GROWTH_NEUTRAL"
    GROWTH_HURTS = "GROWTH_HURTS"
    INCONCLUSIVE = "INCONCLUSIVE"
    INVALID = "INVALID"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The state with its reason, and the differences it rests on where they could be measured."""

    state: VerdictState
    reason: str
    over_initial: Interval | None = None
    over_final: Interval | None = None


def judge(
    grown: Episodes,
    static_initial: Episodes,
    static_final: Episodes,
    draws: Generator,
    *,
    manifests_match: bool = True,
    lost_telemetry: bool = False,
) -> Verdict:
    """Hold grown hosts against hosts that never grow and against hosts that had the final topology from the start.

    Args:
        grown: Episodes of the policy that is judged.
        static_initial: Episodes of hosts without slots; empty where the cohort is missing.
        static_final: Episodes of hosts with the recorded topology; empty where the cohort is missing.
        draws: Stream of the bootstrap.
        manifests_match: Whether the replayed topology was the recorded one.
        lost_telemetry: Whether an event of one of the runs is missing.
    """
    trouble = _trouble((*grown, *static_initial, *static_final), manifests_match, lost_telemetry)
    if trouble:
        return Verdict(state=VerdictState.INVALID, reason=trouble)
    over_initial = accuracy_difference(grown, static_initial, draws)
    over_final = accuracy_difference(grown, static_final, draws)
    if over_initial is None or over_final is None or min(over_initial.pairs, over_final.pairs) < MIN_PAIRS:
        return Verdict(
            state=VerdictState.INCONCLUSIVE,
            reason=f"{_pairs(over_initial)} pairs with static_initial and {_pairs(over_final)} with static_final; "
            f"{MIN_PAIRS} of each are needed",
            over_initial=over_initial,
            over_final=over_final,
        )
    state, reason = _weigh(over_initial, over_final)
    return Verdict(state=state, reason=reason, over_initial=over_initial, over_final=over_final)


def _trouble(episodes: Episodes, manifests_match: bool, lost_telemetry: bool) -> str:
    rolled_back = sum(episode.rollbacks > 0 for episode in episodes)
    if rolled_back > MAX_ROLLBACK_SHARE * len(episodes):
        return f"{rolled_back} of {len(episodes)} episodes were rolled back; at most 5% may be"
    if not manifests_match:
        return "the replayed topology is not the recorded one"
    return "telemetry was lost" if lost_telemetry else ""


def _pairs(difference: Interval | None) -> int:
    return 0 if difference is None else difference.pairs


def _weigh(over_initial: Interval, over_final: Interval) -> tuple[VerdictState, str]:
    shown = f"{over_initial.mean:+.2f} points over static_initial ({over_initial.low:+.2f} to {over_initial.high:+.2f})"
    if over_initial.high < 0.0:
        return VerdictState.GROWTH_HURTS, shown
    if over_initial.low <= 0.0:
        return VerdictState.GROWTH_NEUTRAL, shown
    if over_final.mean < -TOLERATED_LOSS_PP:
        return VerdictState.GROWTH_NEUTRAL, f"{shown}, but {over_final.mean:+.2f} against static_final"
    return VerdictState.GROWTH_HELPS, shown
