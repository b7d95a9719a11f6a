"""Records an episode in which nobody has a seat, as a run of its own with one replay."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.values import JsonObject
from diorama.engine.venue import Venue
from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.recording import Recording, RecordingPlan
from diorama.runs.replays.scene import Moment, Scene
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.untrained import untrained_metadata
from diorama.runs.windows.row import Totals
from diorama.runs.writer import create_run

_NOBODY: Final = "nobody"

OnMoment = Callable[[Moment], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnattendedEpisode:
    """What is played.

    Attributes:
        venue: World, configuration and tier.
        episode_seed: Which episode.
        max_steps: Decisions after which it is over at the latest.
        shown_seed: The seed as the world counts it, for the metadata of the run.
    """

    venue: Venue
    episode_seed: int
    max_steps: int
    shown_seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnattendedRecord:
    """What was written, while the run is still open and its scene shows the last moment."""

    layout: RunLayout
    entry: ReplayEntry
    scene: Scene


def record_unattended(
    episode: UnattendedEpisode,
    directory: Path,
    config: JsonObject,
    clock: Clock,
    *,
    on_moment: OnMoment,
    on_record: Callable[[UnattendedRecord], None] = lambda record: None,
) -> ReplayEntry:
    """Play an episode to its end and keep it as the only replay of a new run.

    Args:
        episode: What is played.
        directory: Of the run; its name is the run's id.
        config: Configuration that is stored with the run.
        clock: Dates everything.
        on_moment: Told about every step; what it raises ends the recording.
        on_record: Told before the run is completed.

    Raises:
        RunConflict: The directory exists already.
        StorageError: The disk refuses.
    """
    metadata = untrained_metadata(episode.venue, directory.name, episode.shown_seed, clock)
    with create_run(directory.parent, metadata, config, clock) as writer:
        recording = Recording(writer.layout, episode.venue, episode.episode_seed, _plan(episode))
        try:
            _play(recording, episode.venue, on_moment)
            entry = recording.finish(clock)
            on_record(UnattendedRecord(layout=writer.layout, entry=entry, scene=recording.scene))
            writer.keeper.replay_written(entry.to_json())
            writer.keeper.completed(Totals())
            return entry
        finally:
            recording.close()


def _play(recording: Recording, venue: Venue, on_moment: OnMoment) -> None:
    noop = np.array([venue.spec.noop], np.int32)
    while recording.can_go_on:
        moment = recording.scene.step(noop)
        recording.keep(moment.frame(recording.scene.render_state(), include_info=False), moment.record)
        on_moment(moment)


def _plan(episode: UnattendedEpisode) -> RecordingPlan:
    return RecordingPlan(
        window_id=0,
        trainer_backend=TrainerBackend.RANDOM.value,
        players=(PlayerFacts(kind=PlayerKind.BOT, name=_NOBODY, deterministic=True),),
        checkpoint_env_steps_total=None,
        max_steps=episode.max_steps,
        include_info=False,
        milestones={},
    )
