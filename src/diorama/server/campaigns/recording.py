"""`BattleRecorder`: turns battles that were fought into replays that can be watched, one after the other."""

import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.contracts.foreign_config import NO_FILE, FileAccess
from diorama.contracts.work import StopReason, Work, working
from diorama.engine.venue import open_foreign_venue
from diorama.runs.clock import Clock
from diorama.runs.layout import run_layout
from diorama.runs.replays.index import read_index
from diorama.runs.replays.scene import Moment
from diorama.runs.replays.unattended import UnattendedEpisode, record_unattended
from diorama.server.campaigns.documents import BattleDocument

_STAGING: Final = ".recording"  # no run id begins with a dot
_MAX_WAITING: Final = 64
_RECORDING_SECONDS: Final = 300.0  # for one battle


@dataclass(slots=True)
class _Job:
    work: Work = field(default_factory=lambda: Work(_RECORDING_SECONDS))
    steps: int = 0
    max_steps: int = 1
    problem: str | None = None
    is_running: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingState:
    """How far the recording of a battle is.

    Attributes:
        status: `none` if nobody asked for it, `waiting`, `recording`, `ready` or `failed`.
        steps: Moments that are recorded.
        run_id: Where it can be watched.
        replay_id: Which replay of that run; None until it is ready.
        problem: Why it failed.
    """

    status: str
    steps: int
    run_id: str
    replay_id: str | None
    problem: str | None


def battle_run_id(campaign_id: str, battle_id: str) -> str:
    """Return the run in which a battle is recorded."""
    return f"battle-{campaign_id}-{battle_id}"


class BattleRecorder:
    """Plays battles again on one thread and records them as runs; a battle comes out as it was fought."""

    def __init__(self, runs_root: Path, clock: Clock, *, files: FileAccess = NO_FILE) -> None:
        """Record nothing yet; `files` are those that stored battles may name."""
        self._files = files
        self._runs_root = runs_root
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="diorama-battles")
        self._jobs: dict[str, _Job] = {}
        self._lock = Lock()

    def ask(self, campaign_id: str, world_id: str, battle_id: str, read: Callable[[], BattleDocument]) -> None:
        """Record a battle unless it is recorded, or waits to be; when too many wait, nothing happens."""
        run_id = battle_run_id(campaign_id, battle_id)
        with self._lock:
            job = self._jobs.get(run_id)
            is_under_way = job is not None and job.problem is None
            if is_under_way or len(self._jobs) >= _MAX_WAITING or self._replay_of(run_id) is not None:
                return
            self._jobs[run_id] = _Job()
        self._thread.submit(self._record, run_id, world_id, read).add_done_callback(_raise_mistakes)

    def state(self, campaign_id: str, battle_id: str) -> RecordingState:
        """Return how far the recording of a battle is."""
        run_id = battle_run_id(campaign_id, battle_id)
        replay_id = self._replay_of(run_id)
        with self._lock:
            job = self._jobs.get(run_id)
            steps, problem = (0, None) if job is None else (job.steps, job.problem)
            if replay_id is not None:
                status = "ready"
            elif job is None:
                status = "none"
            elif problem is not None:
                status = "failed"
            else:
                status = "recording" if job.is_running else "waiting"
        return RecordingState(status=status, steps=steps, run_id=run_id, replay_id=replay_id, problem=problem)

    def close(self) -> None:
        """Give up what is not finished; it can be asked for again."""
        with self._lock:
            for job in self._jobs.values():
                job.work.stop(StopReason.SHUTDOWN)
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _replay_of(self, run_id: str) -> str | None:
        layout = run_layout(self._runs_root, run_id)
        if not layout.replay_index.is_file():
            return None
        entries = read_index(layout).entries
        return entries[0].replay_id if entries else None

    def _record(self, run_id: str, world_id: str, read: Callable[[], BattleDocument]) -> None:
        staging = self._runs_root / _STAGING
        job = self._jobs[run_id]
        job.is_running = True
        try:
            shutil.rmtree(staging, ignore_errors=True)
            with working(job.work):
                self._play(read(), world_id, staging / run_id, job)
            # Whoever sees the run sees all of it.
            (staging / run_id).rename(self._runs_root / run_id)
        except (DioramaError, OSError) as error:
            with self._lock:
                job.problem = str(error)
            return
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        with self._lock:
            del self._jobs[run_id]

    def _play(self, battle: BattleDocument, world_id: str, directory: Path, job: _Job) -> None:
        source = f"battle {battle.battle_id!r}"
        episode = UnattendedEpisode(
            venue=open_foreign_venue(world_id, battle.config, source, files=self._files, threads=1),
            episode_seed=battle.episode_seed,
            max_steps=battle.max_steps,
            shown_seed=battle.episode_seed,
        )

        def count(moment: Moment) -> None:
            job.steps = moment.frame_index + 1

        described = {"world": world_id, "battle_id": battle.battle_id}
        record_unattended(episode, directory, described, self._clock, on_moment=count)


def _raise_mistakes(done: "Future[None]") -> None:
    if not done.cancelled():
        done.result()
