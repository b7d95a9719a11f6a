"""What is best when accuracy, size and stability all count."""

from collections.abc import Iterable, Sequence
from typing import Final

from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult

REFERENCE_ACCURACY_PCT: Final = 0.0
REFERENCE_RATIO: Final = 2.0


def pareto_front(episodes: Sequence[EpisodeResult]) -> tuple[EpisodeResult, ...]:
    """Return the episodes no other dominates, in the order they came."""
    return tuple(one for one in episodes if not any(other.dominates(one) for other in episodes))


def hypervolume(episodes: Iterable[EpisodeResult]) -> float:
    """Return the area of accuracy times size saved that the episodes cover, against 0% at twice the host.

    Larger networks than that cover nothing.
    """
    corners = sorted(
        (episode.param_ratio, episode.final_accuracy) for episode in episodes if episode.param_ratio < REFERENCE_RATIO
    )
    area, best = 0.0, REFERENCE_ACCURACY_PCT
    for ratio, accuracy in corners:
        if accuracy > best:
            area += (accuracy - best) * (REFERENCE_RATIO - ratio)
            best = accuracy
    return area
