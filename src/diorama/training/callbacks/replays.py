"""`ReplayCallback`: has another process play episodes from checkpoints, and keeps the best as a replay."""

from collections.abc import Iterable
from typing import Final

from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import RawObject
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index
from diorama.telemetry.events import ReplayWritten
from diorama.training.callbacks.base import RunCallback, RunContext
from diorama.training.callbacks.checkpoints import as_latest, closes_window, pending_replays
from diorama.training.callbacks.progress import ProgressReporter
from diorama.training.job_process import CheckpointJob, JobAnswer, JobProcess
from diorama.training.plan import TrainingPlan

_SEEDS_PER_WINDOW: Final = 1000
_WORKER: Final = "diorama.training.replay_worker"


class ReplayJob(CheckpointJob, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Asks the recording process to play episodes from a checkpoint and keep the best of them."""

    trainer_backend: str
    max_steps: int
    include_info: bool
    milestones: dict[str, list[float]]


class ReplayAnswer(JobAnswer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The stored entry of the replay index, or the reason why there is none."""

    entry: RawObject | None = None


class ReplayCallback(RunCallback):
    """Requests a replay for every checkpoint that closes a window, and one of the last or best checkpoint."""

    def __init__(self, plan: TrainingPlan, progress: ProgressReporter, clock: Clock) -> None:
        """Start no process yet."""
        self._plan = plan
        self._progress = progress
        self._clock = clock
        self._recorder = ReplayRecorder()

    def on_run_start(self, run: RunContext) -> None:
        """Request the replays that an earlier process of this run did not record."""
        super().on_run_start(run)
        settings, layout = self._plan.settings, run.writer.layout
        if not settings.evaluation.replays_per_window:
            return
        for header, path in pending_replays(layout, settings.windows.env_steps):
            self.on_checkpoint(as_latest(layout, header, path))

    def on_checkpoint(self, checkpoint: LatestCheckpoint) -> None:
        """Request the replay of a window that has closed, where the settings want one."""
        settings = self._plan.settings
        episodes = settings.evaluation.replays_per_window
        if episodes and closes_window(checkpoint.window_id, checkpoint.env_steps_total, settings.windows.env_steps):
            self._recorder.submit(self._job(checkpoint, episodes))

    def on_advance(self, env_steps_total: int) -> None:
        """Add the replays that have been recorded meanwhile."""
        self._add(self._recorder.finished())

    def on_run_end(self, *, is_complete: bool) -> None:
        """Wait for the replays of a complete run, and record one of its best checkpoint, or of its last."""
        if not is_complete:
            return
        if self._recorder.pending:
            self._progress.stage(f"recording {self._recorder.pending} replays")
        self._add(self._recorder.remaining())
        known = self.run.writer.keeper.current
        used = known.best_checkpoint or known.latest_checkpoint
        if used is not None and self._plan.learns and not self._is_recorded(used):
            name = "last" if known.best_checkpoint is None else "best"
            self._progress.stage(f"recording a replay of the {name} checkpoint")
            self._recorder.submit(self._job(used, max(1, self._plan.settings.evaluation.replays_per_window)))
            self._add(self._recorder.remaining())
        self._progress.stage(None)

    def close(self) -> None:
        """Cancel what is still being recorded; a resumed run requests it again."""
        self._recorder.close()

    def _is_recorded(self, checkpoint: LatestCheckpoint) -> bool:
        return any(
            entry.checkpoint_path == checkpoint.path and entry.checkpoint_env_steps_total == checkpoint.env_steps_total
            for entry in read_index(self.run.writer.layout).entries
            if entry.forked_from is None
        )

    def _job(self, checkpoint: LatestCheckpoint, episodes: int) -> ReplayJob:
        settings, evaluation = self._plan.settings, self._plan.settings.evaluation
        first = settings.seed + evaluation.seed_offset + _SEEDS_PER_WINDOW * checkpoint.window_id
        return ReplayJob(
            run_directory=str(self.run.writer.layout.directory),
            world=settings.world,
            config=self._plan.venue.config.model_dump(mode="json"),
            tier=settings.tier,
            trainer_backend=settings.backend.value,
            window_id=checkpoint.window_id,
            checkpoint_path=checkpoint.path,
            sha256=checkpoint.sha256,
            env_steps_total=checkpoint.env_steps_total,
            seeds=[first + episode for episode in range(episodes)],
            deterministic=evaluation.deterministic,
            max_steps=evaluation.max_steps_per_episode,
            include_info=evaluation.include_info,
            milestones={name: list(thresholds) for name, thresholds in self._plan.milestones.items()},
        )

    def _add(self, answers: Iterable[ReplayAnswer]) -> None:
        for answer in answers:
            if answer.entry is None:
                self._progress.log(f"window {answer.window_id} has no replay: {answer.error}")
                continue
            self.run.writer.keeper.replay_written(answer.entry)
            entry = ReplayEntry.from_json(answer.entry, where=f"replay of window {answer.window_id}")
            self.run.hub.publish(
                ReplayWritten(
                    at=timestamp(self._clock.now()),
                    window_id=entry.window_id,
                    replay_id=entry.replay_id,
                    replay_path=entry.replay_path,
                    meta_path=entry.meta_path,
                    tags=entry.tags,
                    return_total=entry.return_total,
                    steps=entry.steps,
                )
            )
            self.run.callbacks.on_replay(entry)


class ReplayRecorder(JobProcess[ReplayJob, ReplayAnswer]):
    """Runs `replay_worker` as a process."""

    def __init__(self) -> None:
        """Start no process yet."""
        super().__init__(_WORKER, ReplayAnswer)
