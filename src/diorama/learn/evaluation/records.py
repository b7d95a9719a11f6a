"""`EpisodeRecord`: what is kept of one episode."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord:
    """One seat's episode.

    Attributes:
        policy: Name of the contender.
        seed: Episode seed.
        seat: Place in the copy; 0 in a world of one seat.
        decisions: Decisions the seat took.
        ticks: Simulated time.
        returns: Sum of rewards under each reward profile.
        terminated: The world's rules ended it.
        truncated: The world's time limit ended it.
        guard_truncated: The evaluator's guard cut it off; neither of the two above is set then.
        end_reason: As the world names it; None if it names none.
        invalid_actions: Decisions that chose an option the mask rules out.
        metrics: Final values in binary64, in the order of the world's table.
    """

    policy: str
    seed: int
    seat: int
    decisions: int
    ticks: int
    returns: Mapping[str, float]
    terminated: bool
    truncated: bool
    guard_truncated: bool
    end_reason: str | None
    invalid_actions: int
    metrics: Mapping[str, float]

    @property
    def invalid_action_rate(self) -> float:
        """Share of decisions that were invalid; 0 when none was taken."""
        return self.invalid_actions / max(1, self.decisions)

    def to_json(self) -> JsonObject:
        """Return the row of the report."""
        return {
            "policy": self.policy,
            "seed": self.seed,
            "seat": self.seat,
            "decisions": self.decisions,
            "ticks": self.ticks,
            **{f"return_{profile}": value for profile, value in self.returns.items()},
            "terminated": self.terminated,
            "truncated": self.truncated,
            "guard_truncated": self.guard_truncated,
            "end_reason": self.end_reason,
            "invalid_actions": self.invalid_actions,
            "invalid_action_rate": self.invalid_action_rate,
            "metrics": dict(self.metrics),
        }
