"""Plays an episode and keeps it as a replay."""

from diorama.engine.players import BatchPlayer
from diorama.engine.venue import Venue
from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.recording import Recording, RecordingPlan


def record_episode(
    layout: RunLayout,
    venue: Venue,
    player: BatchPlayer,
    seed: int,
    plan: RecordingPlan,
    *,
    clock: Clock,
) -> ReplayEntry:
    """Play the episode of a seed and keep it as a replay of a run.

    Args:
        layout: Of the run.
        venue: World, configuration and tier.
        player: Plays all seats of one copy.
        seed: Episode seed.
        plan: Where the replay belongs.
        clock: Dates the entry.

    Raises:
        StorageError: The disk refuses; nothing is left behind.
    """
    recording = Recording(layout, venue, seed, plan)
    try:
        seats = range(venue.spec.agents)
        player.reset(seats, [recording.scene.seed for _ in seats])
        recording.play(player, lambda: None)
        return recording.finish(clock)
    finally:
        recording.close()
