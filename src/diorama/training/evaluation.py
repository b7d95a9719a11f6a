"""The policy of a run as a contender, and its closing score beside every baseline."""

from diorama.contracts.errors import CheckpointMismatch
from diorama.engine.players import Contender, bot_contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.contest import Contest, SeedSet, run_contest, seed_matrix
from diorama.learn.evaluation.episodes import Progress
from diorama.learn.evaluation.matchups import MatchupResult, evaluate_against_scripts, select_scripts
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.layout import RunLayout


def run_contender(layout: RunLayout, venue: Venue, *, deterministic: bool, checkpoint: str | None = None) -> Contender:
    """Return the policy of a run under the name of the run.

    Args:
        layout: Of the run.
        venue: Where it plays.
        deterministic: Whether it takes the likeliest option or draws one.
        checkpoint: See `choose_checkpoint`.

    Raises:
        UnknownName: The run has no such checkpoint.
        CheckpointMismatch: It holds no policy, or one that does not fit the world.
    """
    import torch

    from diorama.learn.evaluation.policy_player import policy_contender
    from diorama.training.policy_files import load_policy

    path = choose_checkpoint(layout, checkpoint)
    if isinstance(read_checkpoint_header(path), RandomCheckpoint):
        raise CheckpointMismatch(
            f"run {layout.run_id!r} played at random; there is no policy in it to evaluate",
            code="run_has_no_policy",
            run_id=layout.run_id,
        )
    # Batches of a few dozen rows: threads would cost more than they save.
    torch.set_num_threads(1)
    policy, _ = load_policy(path, venue.spec)
    return policy_contender(layout.run_id, policy, deterministic=deterministic)


def held_out_seeds(venue: Venue, episodes: int) -> SeedSet:
    """Return the first seeds of the world's protocol, which training does not use."""
    return seed_matrix(venue.world.evaluation.matrix_seeds[:1], episodes)[0]


def final_contest(
    layout: RunLayout, venue: Venue, *, episodes: int, deterministic: bool, progress: Progress
) -> Contest:
    """Let the best or newest policy of a run and every baseline of its world play the same held-out episodes."""
    contenders = [
        run_contender(layout, venue, deterministic=deterministic),
        *(bot_contender(venue.world, name) for name in venue.world.bots),
    ]
    return run_contest(
        venue,
        contenders,
        [held_out_seeds(venue, episodes)],
        max_decisions=venue.world.evaluation.max_decisions,
        progress=progress,
    )


def final_matchups(
    layout: RunLayout, venue: Venue, *, episodes: int, deterministic: bool, progress: Progress
) -> list[MatchupResult]:
    """Let the best or newest policy of a run play every script of its world; returns nothing where it has none."""
    if venue.world.matches is None:
        return []
    contender = run_contender(layout, venue, deterministic=deterministic)
    seeds = held_out_seeds(venue, episodes).seeds
    return evaluate_against_scripts(venue, contender, select_scripts(venue.world, ()), seeds, progress=progress)
