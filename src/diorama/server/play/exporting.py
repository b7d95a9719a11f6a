"""Writes a session as a replay that `diorama replay verify` accepts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.replays.best_episode import GivenActions
from diorama.runs.replays.entry import Fork, ReplayEntry
from diorama.runs.replays.recording import Recording, RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.server.play.errors import SessionConflict
from diorama.server.play.origin import Origin
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting

_BACKEND: Final = "play"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSession:
    """Everything that a replay of a session is made from; independent of the session itself."""

    session_id: str
    setting: Setting
    seed: int
    decisions: NDArray[np.int32]
    origin: Origin | None

    @classmethod
    def of(cls, session_id: str, session: Session) -> "PlayedSession":
        """Take what was played so far.

        Raises:
            SessionConflict: Nothing was.
        """
        if session.steps == 0:
            raise SessionConflict("nothing has been decided yet; a replay has at least one frame")
        return cls(
            session_id=session_id,
            setting=session.setting,
            seed=session.seed,
            decisions=session.decisions(),
            origin=session.origin,
        )

    @property
    def run_id(self) -> str:
        """The run under which the replay can be put below any runs root."""
        return f"play-{self.session_id}"


def export_session(played: PlayedSession, directory: Path, clock: Clock) -> Path:
    """Simulate what was played again and write it as an archive of one run directory with one replay.

    Args:
        played: What was played.
        directory: For the archive and everything on the way to it.
        clock: Dates the replay.

    Raises:
        StorageError: The disk refuses.
    """
    layout = RunLayout(directory / played.run_id)
    record_session(played, layout, clock)
    archive = directory / f"{played.run_id}.zip"
    # The frames are compressed already.
    with ZipFile(archive, "w", ZIP_STORED) as file:
        for path in (layout.replay_index, *sorted(layout.replays.glob("replay-*"))):
            file.write(path, path.relative_to(directory).as_posix())
    return archive


def record_session(played: PlayedSession, layout: RunLayout, clock: Clock) -> ReplayEntry:
    """Simulate what was played again and put it into a run as a replay.

    Raises:
        StorageError: The disk refuses.
    """
    plan = RecordingPlan(
        window_id=0,
        trainer_backend=_BACKEND,
        players=_players(played.setting),
        checkpoint_env_steps_total=None,
        max_steps=len(played.decisions),
        include_info=True,
        milestones={},
    )
    origin = None if played.origin is None else Fork(replay_id=played.origin.replay_id, frame=played.origin.frame)
    recording = Recording(layout, played.setting.venue, played.seed, plan, origin)
    try:
        recording.play(GivenActions(played.decisions), lambda: None)
        return recording.finish(clock)
    finally:
        recording.close()


def _players(setting: Setting) -> tuple[PlayerFacts, ...]:
    person = PlayerFacts(kind=PlayerKind.HUMAN, name="human", deterministic=False)
    if setting.others is None:
        other = PlayerFacts(kind=PlayerKind.ACTIONS, name="no-op", deterministic=True)
    else:
        is_bot = setting.others.name in setting.venue.world.bots
        kind = PlayerKind.BOT if is_bot else PlayerKind.CHECKPOINT
        other = PlayerFacts(kind=kind, name=setting.others.name, deterministic=True)
    return tuple(person if seat == setting.seat else other for seat in range(setting.spec.agents))
