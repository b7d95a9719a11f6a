"""The policy of a champion as a contender, and the episodes that a check plays again."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import Progress, play_episodes
from diorama.runs.champions import CardEpisode, ChampionCard, champion_id
from diorama.runs.checkpoints.files import StoredPolicy

if TYPE_CHECKING:
    from diorama.learn.policies.policy import Policy


def load_contender(
    path: Path, venue: Venue, *, deterministic: bool, sha256: str | None = None
) -> "tuple[Contender, Policy, StoredPolicy]":
    """Load a checkpoint as the champion of a world.

    Raises:
        CheckpointMismatch: It does not fit the world, or its bytes have another hash.
        DocumentError: It is broken.
    """
    import torch

    from diorama.learn.evaluation.policy_player import policy_contender
    from diorama.training.policy_files import load_policy

    # With several threads sums of a layer have other last bits.
    torch.set_num_threads(1)
    policy, stored = load_policy(path, venue.spec, sha256=sha256)
    contender = policy_contender(champion_id(venue.world.id), policy, deterministic=deterministic)
    return contender, policy, stored


def play_sample(
    venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int, progress: Progress
) -> tuple[CardEpisode, ...]:
    """Play the sample of a card, all episodes in one batch: other batches have other last bits."""
    records = play_episodes(venue, contender, seeds, max_decisions=max_decisions, progress=progress)
    return tuple(
        CardEpisode(
            seed=record.seed,
            seat=record.seat,
            decisions=record.decisions,
            ticks=record.ticks,
            returns=dict(record.returns),
            metrics=dict(record.metrics),
        )
        for record in records
    )


def differing_seeds(card: ChampionCard, played: Sequence[CardEpisode], *, drift: float) -> tuple[int, ...]:
    """Return the seeds of the sample whose episodes did not come out as the card has them.

    Args:
        card: With what was recorded.
        played: The same episodes played again.
        drift: How far numbers may lie apart; 0 where the world comes out the same everywhere.
    """
    recorded, rerun = _by_seed(card.evaluation.sample), _by_seed(played)
    return tuple(seed for seed in recorded if not _agree(recorded[seed], rerun.get(seed, ()), drift))


def _by_seed(episodes: Sequence[CardEpisode]) -> dict[int, tuple[CardEpisode, ...]]:
    seeds = dict.fromkeys(item.seed for item in episodes)
    return {seed: tuple(item for item in episodes if item.seed == seed) for seed in seeds}


def _agree(recorded: Sequence[CardEpisode], rerun: Sequence[CardEpisode], drift: float) -> bool:
    if len(recorded) != len(rerun):
        return False
    return all(_alike(one, other, drift) for one, other in zip(recorded, rerun, strict=True))


def _alike(one: CardEpisode, other: CardEpisode, drift: float) -> bool:
    if (one.seat, one.decisions, one.ticks) != (other.seat, other.decisions, other.ticks):
        return False
    pairs = ((one.metrics, other.metrics), (one.returns, other.returns))
    return all(
        first.keys() == second.keys() and all(abs(first[key] - second[key]) <= drift for key in first)
        for first, second in pairs
    )
