"""Continues a replay from any of its frames and keeps what follows as a new one."""

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError, ReplayDiverged
from diorama.engine.players import BatchPlayer, let_see
from diorama.engine.venue import Venue
from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.quota import check_quota
from diorama.runs.replays.best_episode import GivenActions
from diorama.runs.replays.entry import Fork, ReplayEntry
from diorama.runs.replays.frames import action_rows
from diorama.runs.replays.reader import ReplayReader
from diorama.runs.replays.recording import Progress, Recording, RecordingPlan
from diorama.runs.replays.rerun import rerun_frame

OPENING = -1  # the frame before the first


def fork_replay(
    layout: RunLayout,
    reader: ReplayReader,
    venue: Venue,
    player: BatchPlayer,
    *,
    frame: int,
    plan: RecordingPlan,
    clock: Clock,
    progress: Progress = lambda: None,
) -> ReplayEntry:
    """Keep a replay up to and including a frame, let somebody else go on, and record it as a replay of its own.

    The player watches the frames that are kept, so that one with memory knows what has happened. A fork holds
    the whole episode: it is verified and forked again like any other replay.

    Args:
        layout: Of the run.
        reader: The replay.
        venue: Its world and configuration (`replay_venue`).
        player: Plays all seats of one copy from the next frame on.
        frame: The last one that is kept; -1 keeps none.
        plan: Where the new replay belongs; `max_steps` counts the frames that are kept too.
        clock: Dates the entry.
        progress: Told about every frame, kept or new.

    Raises:
        ConfigError: There is no such frame, or nothing follows it.
        ReplayDiverged: The frames before do not come out as they were recorded.
        QuotaReached: The directory of runs has taken what it may.
    """
    if not OPENING <= frame < reader.frame_count:
        raise ConfigError(f"frame {frame} does not exist; replay {reader.sidecar.replay_id!r} has {_range(reader)}")
    check_quota(layout.directory.parent)
    origin = Fork(replay_id=reader.sidecar.replay_id, frame=frame)
    recording = Recording(layout, venue, reader.sidecar.seed, plan, origin)
    try:
        seats = range(venue.spec.agents)
        player.reset(seats, [recording.scene.seed for _ in seats])
        _keep_frames(recording, reader, player, frame + 1, progress)
        if not recording.can_go_on:
            raise ConfigError(f"nothing can follow frame {frame}: the episode or the recording ends there")
        recording.play(player, progress)
        return recording.finish(clock)
    finally:
        recording.close()


def given_continuation(
    reader: ReplayReader, venue: Venue, *, frame: int, actions: NDArray[np.int32]
) -> tuple[GivenActions, int]:
    """Return a player that takes the given actions after a frame, and the number of frames it leads to.

    Args:
        reader: The replay that is continued.
        venue: Its world and configuration.
        frame: The last one that is kept.
        actions: Steps by seats by heads.
    """
    kept = [
        action_rows(venue.spec, item.action, where=f"{reader.path} frame {item.frame_index}")
        for item in reader.frames(0, frame + 1)
    ]
    whole = np.concatenate([np.array(kept, np.int32).reshape(-1, *actions.shape[1:]), actions])
    return GivenActions(whole), len(whole)


def _keep_frames(
    recording: Recording, reader: ReplayReader, player: BatchPlayer, count: int, progress: Progress
) -> None:
    let_see(player, recording.scene.extra)
    for frame in reader.frames(0, count):
        player.act(*recording.scene.view)
        rerun = rerun_frame(recording.scene, frame, where=f"{reader.path} frame {frame.frame_index}")
        if rerun.divergence is not None or rerun.moment is None:
            raise ReplayDiverged(f"replay {reader.sidecar.replay_id!r} cannot be continued: {rerun.divergence}")
        recording.keep(frame, rerun.moment.record)
        progress()


def _range(reader: ReplayReader) -> str:
    return f"frames 0..{reader.frame_count - 1}, and {OPENING} stands for its opening"
