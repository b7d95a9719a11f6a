"""One finished episode as comparisons see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from diorama.worlds.morphogenesis.contracts.payloads.analysis import EpisodeOutcomePayload


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeResult:
    """An episode by its place in the run, so that it can be paired with the same place of another.

    Accuracies are percent; `param_ratio` is total over host, 1 without growth.
    """

    round_index: int
    env_id: int
    final_accuracy: float
    control_accuracy: float | None = None
    param_ratio: float = 1.0
    stability_score: float = 1.0
    num_fossilized: int = 0
    prune_count: int = 0
    rollbacks: int = 0

    @classmethod
    def of(cls, outcome: EpisodeOutcomePayload, *, round_index: int, rollbacks: int) -> Self:
        """Read the result from the event of an episode's end."""
        return cls(
            round_index=round_index,
            env_id=outcome.env_id,
            final_accuracy=outcome.final_accuracy,
            control_accuracy=outcome.control_accuracy,
            param_ratio=outcome.param_ratio,
            stability_score=outcome.stability_score,
            num_fossilized=outcome.num_fossilized,
            prune_count=outcome.prune_count,
            rollbacks=rollbacks,
        )

    @property
    def gain_over_control(self) -> float | None:
        """Points above the control twin, where there was one to the end."""
        return None if self.control_accuracy is None else self.final_accuracy - self.control_accuracy

    def dominates(self, other: "EpisodeResult") -> bool:
        """Say whether this is nowhere worse (accuracy, size, stability) and somewhere better."""
        mine = (self.final_accuracy, -self.param_ratio, self.stability_score)
        theirs = (other.final_accuracy, -other.param_ratio, other.stability_score)
        return mine != theirs and all(here >= there for here, there in zip(mine, theirs, strict=True))


def pairs_of(
    first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]
) -> tuple[tuple[EpisodeResult, EpisodeResult], ...]:
    """Return the episodes both have at the same round and env, in that order."""
    others = {(episode.round_index, episode.env_id): episode for episode in second}
    ordered = sorted(first, key=lambda episode: (episode.round_index, episode.env_id))
    places = ((episode, (episode.round_index, episode.env_id)) for episode in ordered)
    return tuple((episode, others[place]) for episode, place in places if place in others)
