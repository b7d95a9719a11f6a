"""A replay of any length, from frames of real play: a bot's episode, told again and again."""

from pathlib import Path
from typing import Final

import msgspec

from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.runs.clock import SystemClock
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.frames import Frame
from diorama.runs.replays.index import add_to_index
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.replays.writer import FrameWriter
from diorama.runs.untrained import untrained_metadata
from diorama.runs.windows.row import Totals
from diorama.runs.writer import create_run

LONG_ID: Final = "replay-000000-benchmark"
_EPISODE_STEPS: Final = 1024
_SEED: Final = 7


def make_long_replay(run_root: Path, run_id: str, world: str, *, frames: int) -> ReplayEntry:
    """Make a run with one recorded episode of the world's last bot and one replay of `frames` frames made of it.

    Raises:
        UnknownName: There is no such world.
        RunConflict: There is a run of that id.
    """
    clock = SystemClock()
    venue = open_venue(world, threads=1)
    spec = venue.spec
    bot = tuple(venue.world.bots)[-1]
    metadata = untrained_metadata(venue, run_id, _SEED, clock)
    plan = RecordingPlan(
        window_id=0,
        trainer_backend=metadata.trainer_backend.value,
        players=(PlayerFacts(kind=PlayerKind.BOT, name=bot, deterministic=True),) * spec.agents,
        checkpoint_env_steps_total=None,
        max_steps=min(frames, _EPISODE_STEPS),
        include_info=True,
        milestones={},
    )
    player = bot_contender(venue.world, bot).start(spec, spec.agents)
    with create_run(run_root, metadata, {"world": world}, clock) as writer:
        episode = record_episode(writer.layout, venue, player, _SEED, plan, clock=clock)
        entry = _lengthen(writer.layout, episode, frames)
        writer.keeper.replay_written(entry.to_json())
        writer.keeper.completed(Totals())
    return entry


def _lengthen(layout: RunLayout, episode: ReplayEntry, frames: int) -> ReplayEntry:
    source = open_replay(layout, episode.replay_id)
    told = list(source.frames())
    writer = FrameWriter(layout.replays)
    try:
        for index in range(frames):
            writer.add(_retold(told, index))
        writer.finish(layout.replay(LONG_ID))
    finally:
        writer.abandon()
    sidecar = msgspec.structs.replace(
        source.sidecar,
        replay_id=LONG_ID,
        frame_count=writer.frame_count,
        actions_sha256=writer.actions_sha256,
        member_offsets=writer.member_offsets,
    )
    replace_document(layout.replay_sidecar(LONG_ID), sidecar)
    entry = msgspec.structs.replace(
        episode,
        replay_id=LONG_ID,
        replay_path=layout.relative(layout.replay(LONG_ID)),
        meta_path=layout.relative(layout.replay_sidecar(LONG_ID)),
        steps=frames,
        ticks=_retold(told, frames - 1).t,
    )
    return add_to_index(layout, entry, lambda *_: ("benchmark",), SystemClock())


def _retold(told: list[Frame], index: int) -> Frame:
    rounds, place = divmod(index, len(told))
    frame = told[place]
    return msgspec.structs.replace(frame, frame_index=index, t=frame.t + rounds * told[-1].t)
