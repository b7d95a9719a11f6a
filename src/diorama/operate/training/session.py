"""`TrainingSession`: one run from its first step, or its newest checkpoint, to its end."""

from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from diorama.contracts.errors import TierUnavailable
from diorama.learn.errors import CloneRefused
from diorama.operate.training.announcing import outlook_of, start_of
from diorama.operate.training.checkpointing import Checkpointer
from diorama.operate.training.gauges import UpdateGauges
from diorama.operate.training.learners import Learner, one_copy, resident_copies, training_batch
from diorama.operate.training.listener import WindowCallback
from diorama.operate.training.making import make_learner
from diorama.operate.training.opening import check_new, create, take_over
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.replays import ReplayCallback
from diorama.operate.training.sinks import make_sinks
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.metadata import RunStatus
from diorama.runs.windows import WindowAggregator
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import RunEnded, RunOutcome
from diorama.telemetry.hub import SinkHealth, TelemetryHub
from diorama.telemetry.sinks import Sink
from diorama.telemetry.wandb_sink import WandbSink

if TYPE_CHECKING:
    from diorama.contracts.resident import ResidentCore
    from diorama.learn.collector import RemoteEnvs
    from diorama.learn.distributed import Team


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOutcome:
    """How a run ended.

    Attributes:
        layout: Where it lies.
        status: `completed`, or `stopped` by the operator.
        env_steps_total: Of the whole run.
        sinks: How the telemetry fared.
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
    watch: ProgressReporter,
    stop: Event,
    clock: Clock,
    team: "Team | None" = None,
    elsewhere: "RemoteEnvs | None" = None,
) -> TrainingOutcome:
    """Train a new run.

    Args:
        plan: What to do.
        runs_root: Directory of the runs.
        run_id: Of the new one.
        watch: Told what happens.
        stop: Once set, the run ends at the next update with a checkpoint, as `stopped`.
        clock: Dates everything.
        team: Processes that train together, this one leading; the others `follow`.
        elsewhere: Copies to learn from that are not in this process.

    Raises:
        RunConflict: There is a run of that id.
        DioramaError: Whatever made the run fail; its metadata say so, too.
    """
    layout = check_new(runs_root, run_id)
    settings = plan.settings
    if any(lesson is not None for lesson in (settings.start, settings.cloning, settings.replay)):
        from diorama.operate.training.teaching import check_beginning

        check_beginning(plan)
    session = _Session(plan, layout, watch, clock, team, elsewhere)
    writer = create(runs_root, run_id, plan, session.batch, clock)
    return session.run(writer, target=settings.steps, stop=stop)


def resume(
    plan: TrainingPlan,
    runs_root: Path,
    run_id: str,
    *,
    steps: int,
    watch: ProgressReporter,
    stop: Event,
    clock: Clock,
    team: "Team | None" = None,
    elsewhere: "RemoteEnvs | None" = None,
) -> TrainingOutcome:
    """Continue a run exactly where its newest checkpoint stands, up to a total of env steps; see `train`.

    Raises:
        UnknownName: There is no such run.
        RunConflict: Another process is writing it.
        DocumentError: A file of it is broken, or the world has changed since.
    """
    session = _Session(plan, run_layout(runs_root, run_id), watch, clock, team, elsewhere)
    writer, point = take_over(runs_root, run_id, plan, session.batch, clock)
    if point is not None:
        session.aggregator.load_state(point.service("windows"))
        session.learner.load(point.training)
        writer.continue_from(point, session.aggregator.totals, target_env_steps=steps)
    return session.run(writer, target=steps, stop=stop, is_resumed=True)


class _Session:
    def __init__(
        self,
        plan: TrainingPlan,
        layout: RunLayout,
        watch: ProgressReporter,
        clock: Clock,
        team: "Team | None",
        elsewhere: "RemoteEnvs | None",
    ) -> None:
        settings = plan.settings
        self._plan = plan
        self._watch = watch
        self._clock = clock
        self._team = team
        self._sinks: list[Sink] = make_sinks(settings.telemetry, layout, learns=plan.learns)
        self._why_on_host: str | None = None
        resident = self._resident() if team is None and elsewhere is None else None
        is_here = elsewhere is None and resident is None
        self.batch = training_batch(plan, team=team) if is_here else one_copy(plan)
        self.aggregator = WindowAggregator(
            plan.spec,
            run_id=layout.run_id,
            copies=settings.copies,
            window_env_steps=settings.windows.env_steps,
            clock=clock,
        )
        telemetry = plan.venue.world.telemetry
        gauges = None if telemetry is None else UpdateGauges(telemetry, plan.spec)
        self._listener = WindowCallback(self.aggregator, watch, clock, gauges)
        self.learner: Learner = make_learner(
            plan,
            self.batch,
            self._listener,
            self.aggregator,
            layout=layout,
            watch=watch,
            clock=clock,
            team=team,
            elsewhere=elsewhere,
            resident=resident,
        )

    def run(self, writer: RunWriter, *, target: int, stop: Event, is_resumed: bool = False) -> TrainingOutcome:
        hub = TelemetryHub(self._sinks, tell=self._watch.tell)
        desk = ReplayCallback(self._plan, writer, hub, self._watch, self._clock)
        try:
            with writer:
                try:
                    self._listener.open(writer, hub)
                    self._announce(writer, hub, target, is_resumed=is_resumed)
                    status = self._train(writer, hub, desk, target, stop)
                except KeyboardInterrupt:
                    self._end(writer, hub, RunStatus.STOPPED, None)
                    raise
                except BaseException as error:
                    self._end(writer, hub, RunStatus.FAILED, error)
                    raise
                self._end(writer, hub, status, None)
        finally:
            desk.close()
            self.learner.close()
            health = hub.close()
        return TrainingOutcome(
            layout=writer.layout, status=status, env_steps_total=self.learner.env_steps_total, sinks=health
        )

    def _announce(self, writer: RunWriter, hub: TelemetryHub, target: int, *, is_resumed: bool) -> None:
        metadata = writer.keeper.current
        self._watch.begin(outlook_of(self._plan, writer, self.learner.env_steps_total, target))
        if self._team is not None:
            each = self._plan.settings.copies // self._team.size
            self._watch.tell(f"{self._team.size} processes train together, {each} copies each")
        if self._why_on_host is not None:
            self._watch.tell(f"the copies are stepped on the host: {self._why_on_host}")
        if metadata.tier_fallback_reason is not None:
            self._watch.tell(f"the reference tier runs, which is slow: {metadata.tier_fallback_reason}")
        hub.publish(start_of(self._plan, metadata, self._clock, target=target, is_resumed=is_resumed))
        urls = [sink.url for sink in self._sinks if isinstance(sink, WandbSink)]
        if any(urls):
            writer.keeper.links_known(wandb_run_url=urls[0], constellation_url=metadata.constellation_url)

    def _train(self, writer: RunWriter, hub: TelemetryHub, desk: ReplayCallback, target: int, stop: Event) -> RunStatus:
        learner, totals = self.learner, self.aggregator.totals
        checkpointer = Checkpointer(self._plan, writer, hub, self.aggregator, self._clock)
        desk.catch_up()
        if learner.env_steps_total < target:
            self._prepare()
        while learner.env_steps_total < target and not stop.is_set():
            try:
                learner.advance()
            except CloneRefused:
                # What stood before the clone was tried is kept.
                if checkpointer.is_behind:
                    checkpointer.write(learner)
                raise
            self._watch.advance(totals.env_steps)
            if checkpointer.is_due:
                desk.ask(checkpointer.write(learner))
            desk.collect()
        is_complete = learner.env_steps_total >= target
        if checkpointer.is_behind:
            checkpointer.write(learner)
        partial = self.aggregator.partial_row()
        if partial is not None and self._plan.settings.windows.flush_partial:
            self._listener.write([partial])
        if is_complete:
            desk.close_up()
            checkpointer.retire()
        return RunStatus.COMPLETED if is_complete else RunStatus.STOPPED

    def _resident(self) -> "ResidentCore | None":
        try:
            return resident_copies(self._plan)
        except TierUnavailable as unavailable:
            self._why_on_host = str(unavailable)
            return None

    def _prepare(self) -> None:
        from diorama.operate.training.ppo_learner import PpoLearner

        learner, start, cloning = self.learner, self._plan.settings.start, self._plan.settings.cloning
        if not isinstance(learner, PpoLearner):
            return
        if start is not None and learner.env_steps_total == 0:
            learner.start_from(start)
            self._watch.tell(f"starts from the policy of {start}")
        if cloning is None or not learner.needs_demonstrations:
            return
        self._watch.stage(f"learning from {cloning.teacher}")
        imitated = learner.imitate(cloning)
        self._watch.stage(None)
        if imitated is not None:
            self._watch.tell(imitated.sentence(cloning.teacher))

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
