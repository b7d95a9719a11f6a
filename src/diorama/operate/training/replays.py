"""`ReplayCallback`: which replays a run has recorded, and what becomes of them."""

from collections.abc import Iterable

from diorama.operate.training.pending_replays import pending_replays
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.replay_jobs import ReplayAnswer, ReplayJob
from diorama.operate.training.replay_recorder import ReplayRecorder
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.clock import Clock, timestamp
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import ReplayWritten
from diorama.telemetry.hub import TelemetryHub

_SEEDS_PER_WINDOW = 1000


class ReplayCallback:
    """Asks for replays of checkpoints and notes those that are there; all calls come from the training thread."""

    def __init__(
        self, plan: TrainingPlan, writer: RunWriter, hub: TelemetryHub, watch: ProgressReporter, clock: Clock
    ) -> None:
        """Ask for nothing yet."""
        self._plan = plan
        self._writer = writer
        self._hub = hub
        self._watch = watch
        self._clock = clock
        self._recorder = ReplayRecorder()

    def ask(self, checkpoint: LatestCheckpoint) -> None:
        """Ask for the replay of a checkpointed window, where the settings want one."""
        episodes = self._plan.settings.evaluation.replays_per_window
        if episodes:
            self._recorder.submit(self._job(checkpoint, episodes))

    def catch_up(self) -> None:
        """Ask for the replays that an earlier process of this run has not come to."""
        settings, layout = self._plan.settings, self._writer.layout
        if not settings.evaluation.replays_per_window:
            return
        for header, path in pending_replays(layout, settings.windows.env_steps):
            self.ask(
                LatestCheckpoint(
                    window_id=header.window_id,
                    env_steps_total=header.env_steps_total,
                    path=layout.relative(path),
                    sha256=file_sha256(path),
                    created_at=header.created_at,
                )
            )

    def collect(self) -> None:
        """Note the replays that have been finished meanwhile."""
        self._note(self._recorder.finished())

    def close_up(self) -> None:
        """Wait for everything that was asked for, and see to it that the last checkpoint of a policy has a replay."""
        if self._recorder.pending:
            self._watch.stage(f"recording {self._recorder.pending} replays")
        self._note(self._recorder.remaining())
        latest = self._writer.keeper.current.latest_checkpoint
        if latest is not None and self._plan.learns and not self._is_recorded(latest):
            self._watch.stage("recording a replay of the last checkpoint")
            episodes = max(1, self._plan.settings.evaluation.replays_per_window)
            self._recorder.submit(self._job(latest, episodes))
            self._note(self._recorder.remaining())
        self._watch.stage(None)

    def close(self) -> None:
        """Give up whatever is still being recorded; a resumed run asks for it again."""
        self._recorder.close()

    def _is_recorded(self, checkpoint: LatestCheckpoint) -> bool:
        return any(
            entry.checkpoint_path == checkpoint.path and entry.checkpoint_env_steps_total == checkpoint.env_steps_total
            for entry in read_index(self._writer.layout).entries
            if entry.forked_from is None
        )

    def _job(self, checkpoint: LatestCheckpoint, episodes: int) -> ReplayJob:
        settings, evaluation = self._plan.settings, self._plan.settings.evaluation
        first = settings.seed + evaluation.seed_offset + _SEEDS_PER_WINDOW * checkpoint.window_id
        return ReplayJob(
            run_directory=str(self._writer.layout.directory),
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

    def _note(self, answers: Iterable[ReplayAnswer]) -> None:
        for answer in answers:
            if answer.entry is None:
                self._watch.tell(f"window {answer.window_id} has no replay: {answer.error}")
                continue
            self._writer.keeper.replay_written(answer.entry)
            entry = ReplayEntry.from_json(answer.entry, where=f"replay of window {answer.window_id}")
            self._hub.publish(
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
