"""`train` and `resume`: one training run, from its first step or its newest checkpoint to its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from diorama.contracts.errors import StorageError, TierUnavailable
from diorama.contracts.resident import ResidentCore
from diorama.learn.collector import RemoteEnvs
from diorama.learn.distributed import Team
from diorama.learn.errors import CloneRefused, ImitationStopped
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.metadata import RunStatus
from diorama.runs.windows import WindowAggregator
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import RunEnded, RunOutcome
from diorama.telemetry.hub import SinkHealth, TelemetryHub
from diorama.telemetry.wandb_sink import WandbSink
from diorama.training.callbacks.anneal import AnnealCallback
from diorama.training.callbacks.base import RunCallback, RunCallbacks
from diorama.training.callbacks.checkpoints import WINDOWS_SERVICE, CheckpointCallback
from diorama.training.callbacks.curriculum import CurriculumCallback
from diorama.training.callbacks.progress import ProgressCallback, ProgressReporter, run_summary
from diorama.training.callbacks.replays import ReplayCallback
from diorama.training.callbacks.rounds import RoundCallback
from diorama.training.callbacks.selfplay import SelfPlayCallback
from diorama.training.callbacks.telemetry import TelemetryCallback, WorldGaugesCallback
from diorama.training.callbacks.validation import ValidationCallback
from diorama.training.callbacks.windows import WindowCallback
from diorama.training.distributed import LeadingLearner
from diorama.training.envs import EventSums, ReplaceableEnvs, one_copy, resident_copies, training_batch
from diorama.training.imitation import check_starting_point
from diorama.training.learner import Learner, PpoLearner
from diorama.training.plan import TrainingPlan
from diorama.training.random_play import RandomLearner
from diorama.training.run_directory import check_model_fits, check_new, create, make_sinks, reopen, run_started


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOutcome:
    """How a run ended.

    Attributes:
        layout: Of its directory.
        status: `completed`, or `stopped` by the operator.
        env_steps_total: Of the whole run.
        sinks: Events that each telemetry sink delivered and lost.
    """

    layout: RunLayout
    status: RunStatus
    env_steps_total: int
    sinks: tuple[SinkHealth, ...]


def train(
    plan: TrainingPlan,
    runs_root: Path,
    run_id: str,
    *,
    progress: ProgressReporter,
    stop: Event,
    clock: Clock,
    callbacks: Sequence[RunCallback] = (),
    team: Team | None = None,
    remote_envs: RemoteEnvs | None = None,
) -> TrainingOutcome:
    """Train a new run.

    Args:
        plan: What to do.
        runs_root: Directory of the runs.
        run_id: Of the new one.
        progress: Shows how the run goes.
        stop: Once set, the run ends after the current update, or at once while it imitates, with a checkpoint, as
            `stopped`.
        clock: Dates everything.
        callbacks: Your own, called after those of the run.
        team: Processes that train together; this one leads, the others call `distributed.follow`.
        remote_envs: Copies in other processes, to train in instead of copies in this one.

    Raises:
        RunConflict: There is a run of that id.
        DioramaError: Whatever made the run fail; its metadata record it, too.
    """
    layout = check_new(runs_root, run_id)
    check_starting_point(plan)
    run = TrainingRun(plan, layout, progress, clock, callbacks, team, remote_envs)
    writer = create(runs_root, run_id, plan, run.batch, clock)
    return run.train(writer, target=plan.settings.steps, stop=stop)


def resume(
    plan: TrainingPlan,
    runs_root: Path,
    run_id: str,
    *,
    steps: int,
    progress: ProgressReporter,
    stop: Event,
    clock: Clock,
    callbacks: Sequence[RunCallback] = (),
    team: Team | None = None,
    remote_envs: RemoteEnvs | None = None,
) -> TrainingOutcome:
    """Continue a run exactly from its newest checkpoint, up to a total of env steps; see `train`.

    Raises:
        UnknownName: There is no such run.
        RunConflict: Another process is writing it.
        DocumentError: A file of it is broken, or the world or the network has changed since.
    """
    layout = run_layout(runs_root, run_id)
    check_model_fits(layout, plan)
    run = TrainingRun(plan, layout, progress, clock, callbacks, team, remote_envs)
    writer, point = reopen(runs_root, run_id, plan, run.batch, clock)
    if point is not None:
        run.aggregator.load_state(point.service(WINDOWS_SERVICE))
        run.learner.load(point.training)
        writer.continue_from(point, run.aggregator.totals, target_env_steps=steps)
    return run.train(writer, target=steps, stop=stop, is_resumed=True)


class TrainingRun:
    """The learner of a run and its callbacks, before the run's directory is opened.

    Attributes:
        batch: The copies, or a single one that shows the tier where the copies are elsewhere.
        aggregator: Counts steps into windows.
        learner: Takes the steps.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        layout: RunLayout,
        progress: ProgressReporter,
        clock: Clock,
        callbacks: Sequence[RunCallback],
        team: Team | None,
        remote_envs: RemoteEnvs | None,
    ) -> None:
        """Make copies, callbacks and learner; nothing is written yet."""
        self._plan = plan
        self._layout = layout
        self._progress = progress
        self._clock = clock
        self._team = team
        self._sinks = make_sinks(plan.settings.telemetry, layout, learns=plan.learns)
        self._why_on_host: str | None = None
        resident = self._resident_copies() if team is None and remote_envs is None else None
        is_local = remote_envs is None and resident is None
        self.batch = training_batch(plan, team=team) if is_local else one_copy(plan)
        self.aggregator = WindowAggregator(
            plan.spec,
            run_id=layout.run_id,
            copies=plan.settings.copies,
            window_env_steps=plan.settings.windows.env_steps,
            clock=clock,
        )
        self._checkpoints = CheckpointCallback(plan, self.aggregator, clock)
        self._windows = WindowCallback(self.aggregator, clock, flush_partial=plan.settings.windows.flush_partial)
        self._callbacks, self.learner = self._assemble(callbacks, resident or remote_envs)

    def train(self, writer: RunWriter, *, target: int, stop: Event, is_resumed: bool = False) -> TrainingOutcome:
        """Train until the run has taken `target` env steps, or `stop` is set."""
        hub = TelemetryHub(self._sinks, tell=self._progress.log)
        try:
            with writer:
                try:
                    self._announce(writer, hub, target, is_resumed=is_resumed)
                    self._callbacks.on_run_start(writer, hub, self.learner)
                    status = self._loop(target, stop)
                except KeyboardInterrupt:
                    self._windows.write_only_window()
                    self._end(writer, hub, RunStatus.STOPPED, None)
                    raise
                except BaseException as error:
                    if not isinstance(error, StorageError):
                        self._windows.write_only_window()
                    self._end(writer, hub, RunStatus.FAILED, error)
                    raise
                self._end(writer, hub, status, None)
        finally:
            try:
                self._callbacks.close()
            finally:
                self.learner.close()
                health = hub.close()
        return TrainingOutcome(
            layout=writer.layout, status=status, env_steps_total=self.learner.env_steps_total, sinks=health
        )

    def _loop(self, target: int, stop: Event) -> RunStatus:
        learner = self.learner
        if isinstance(learner, PpoLearner) and learner.env_steps_total < target:
            self._prepare(learner, stop)
        while learner.env_steps_total < target and not stop.is_set():
            try:
                learner.advance()
            except CloneRefused:
                # The policy from before the clone was tried is kept.
                self._checkpoints.write_if_stale()
                raise
            self._callbacks.on_advance(self.aggregator.totals.env_steps)
        is_complete = learner.env_steps_total >= target
        self._callbacks.on_run_end(is_complete=is_complete)
        return RunStatus.COMPLETED if is_complete else RunStatus.STOPPED

    def _prepare(self, learner: PpoLearner, stop: Event) -> None:
        try:
            is_clone = learner.prepare(self._progress, stop)
        except ImitationStopped:
            self._progress.log("stopping: the imitation is not finished; a resumed run imitates from its beginning")
            if learner.env_steps_total == 0:
                self._checkpoints.write()
            return
        if is_clone and self._plan.settings.checkpoints.keep_clone:
            self._checkpoints.write_clone()

    def _assemble(
        self, added: Sequence[RunCallback], remote: RemoteEnvs | ResidentCore | None
    ) -> tuple[RunCallbacks, Learner]:
        """Return the callbacks of the run and the learner that reports to them."""
        plan = self._plan
        if not plan.learns:
            callbacks = self._callback_list(added)
            return callbacks, RandomLearner(self.batch, plan.settings.seed, callbacks)
        if plan.settings.has_matches:
            selfplay = SelfPlayCallback(plan, self._layout, self._clock)
            if isinstance(remote, RemoteEnvs):
                remote.join_league(selfplay.league)
            callbacks = self._callback_list(added, selfplay=selfplay)
            configs = () if plan.settings.cloning is None else selfplay.demonstrated_configs()
            return callbacks, PpoLearner(plan, remote or selfplay.envs(), callbacks, demonstrated_configs=configs)
        if remote is not None:
            callbacks = self._callback_list(added)
            return callbacks, PpoLearner(plan, remote, callbacks)
        telemetry = plan.venue.world.telemetry
        envs = ReplaceableEnvs(self.batch, None if telemetry is None else EventSums(telemetry, plan.spec))
        callbacks = self._callback_list(added, envs=envs)
        if self._team is not None:
            return callbacks, LeadingLearner(plan, envs, callbacks, self._team)
        return callbacks, PpoLearner(plan, envs, callbacks)

    def _callback_list(
        self,
        added: Sequence[RunCallback],
        *,
        selfplay: SelfPlayCallback | None = None,
        envs: ReplaceableEnvs | None = None,
    ) -> RunCallbacks:
        """Return all callbacks of the run in the order in which they are called."""
        plan, clock, world, settings = self._plan, self._clock, self._plan.venue.world, self._plan.settings
        callbacks: list[RunCallback] = [] if selfplay is None else [selfplay]
        if world.telemetry is not None:
            # Before anneal, whose flags depend on what the world reports of an update.
            event_fields = None if envs is None else envs.pop_event_fields
            callbacks.append(WorldGaugesCallback(world.telemetry, plan.spec, event_fields))
        if envs is not None and world.course is not None:
            callbacks.append(CurriculumCallback(plan, envs, self._progress))
        if envs is not None and settings.anneal is not None:
            callbacks.append(AnnealCallback(plan, settings.anneal, self._layout.directory, self._progress))
        # Before the windows: the last checkpoint is written before the window that is still open.
        callbacks.append(self._checkpoints)
        callbacks.append(self._windows)
        callbacks.append(TelemetryCallback(clock))
        if envs is not None and world.rounds is not None and settings.ppo.diagnosed:
            callbacks.append(RoundCallback(plan, envs, self._layout))
        callbacks.append(ProgressCallback(self._progress))
        if plan.learns and settings.evaluation.validation_episodes:
            callbacks.append(ValidationCallback(plan, self._progress))
        callbacks.append(ReplayCallback(plan, self._progress, clock))
        return RunCallbacks([*callbacks, *added])

    def _announce(self, writer: RunWriter, hub: TelemetryHub, target: int, *, is_resumed: bool) -> None:
        metadata, progress = writer.keeper.current, self._progress
        progress.begin(run_summary(self._plan, writer, self.learner.env_steps_total, target))
        if self._team is not None:
            each = self._plan.settings.copies // self._team.size
            progress.log(f"{self._team.size} processes train together, {each} copies each")
        if self._why_on_host is not None:
            progress.log(f"the copies are stepped on the host: {self._why_on_host}")
        if metadata.tier_fallback_reason is not None:
            progress.log(f"the reference tier runs, which is slow: {metadata.tier_fallback_reason}")
        learner, totals = self.learner, self.aggregator.totals
        # The trainer counts transitions of replays, too, as its reports do.
        agent_steps = learner.agent_steps_total if isinstance(learner, PpoLearner) else totals.agent_steps
        hub.publish(
            run_started(
                self._plan, metadata, self._clock, target=target, agent_steps=agent_steps, is_resumed=is_resumed
            )
        )
        urls = [sink.url for sink in self._sinks if isinstance(sink, WandbSink)]
        if any(urls):
            writer.keeper.links_known(wandb_run_url=urls[0], constellation_url=metadata.constellation_url)

    def _resident_copies(self) -> ResidentCore | None:
        try:
            return resident_copies(self._plan)
        except TierUnavailable as unavailable:
            self._why_on_host = str(unavailable)
            return None

    def _end(self, writer: RunWriter, hub: TelemetryHub, status: RunStatus, error: BaseException | None) -> None:
        totals = self.aggregator.totals
        hub.publish(
            RunEnded(
                at=timestamp(self._clock.now()),
                outcome=RunOutcome(status.value),
                env_steps_total=totals.env_steps,
                ticks_total=totals.ticks,
                windows_emitted=writer.keeper.current.windows_emitted,
                error=None if error is None else f"{type(error).__name__}: {error}",
            )
        )
        if error is not None:
            writer.keeper.failed(totals, error)
        elif status is RunStatus.STOPPED:
            writer.keeper.stopped(totals)
        else:
            writer.keeper.completed(totals)
