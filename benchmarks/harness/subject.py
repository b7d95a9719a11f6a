"""The replay a script reads: one that exists already, or a long one made for it."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.runs.replays.reader import open_entry
from diorama.runs.run import open_run
from harness.long_replay import make_long_replay
from harness.script import positive

_RUN_ID = "long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A replay and the root its run lies in."""

    run_root: Path
    run_id: str
    replay_id: str
    frames: int

    @property
    def frames_path(self) -> str:
        """Where a server has its frames over HTTP."""
        return f"/api/runs/{self.run_id}/replays/{self.replay_id}/frames"

    @property
    def stream_path(self) -> str:
        """Where a server has its frames over WebSocket."""
        return f"/ws/runs/{self.run_id}/replays/{self.replay_id}/frames"


def add_subject_options(parser: argparse.ArgumentParser, *, frames: int) -> None:
    """Let a script be told which replay to read."""
    parser.add_argument("--world", default="prospector", help="world of the replay that is made")
    parser.add_argument("--frames", type=positive, default=frames, help="length of the replay that is made")
    parser.add_argument("--replay", metavar="RUN/REPLAY", help="read this one of --replay-root instead of making one")
    parser.add_argument("--replay-root", type=Path, default=Path("runs"), help="directory of the runs for --replay")


def find_subject(options: argparse.Namespace, directory: Path) -> Subject:
    """Return the replay that was asked for.

    Raises:
        ConfigError: It was not named as a run and a replay.
        UnknownName: It does not exist.
    """
    if options.replay is None:
        entry = make_long_replay(directory, _RUN_ID, options.world, frames=options.frames)
        return Subject(run_root=directory, run_id=_RUN_ID, replay_id=entry.replay_id, frames=entry.steps)
    run_id, slash, replay_id = options.replay.partition("/")
    if not slash:
        raise ConfigError(f"--replay {options.replay!r} names no replay; use RUN/REPLAY")
    run = open_run(options.replay_root, run_id)
    reader = open_entry(run.layout, run.replay_index().entry(replay_id))
    return Subject(run_root=options.replay_root, run_id=run_id, replay_id=replay_id, frames=reader.frame_count)
