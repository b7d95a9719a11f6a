"""Makes the learner a plan asks for, and the desks that conduct it."""

from typing import TYPE_CHECKING

from diorama.engine.batch import Batch
from diorama.operate.training.learners import Learner, RandomLearner
from diorama.operate.training.listener import WindowCallback
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.windows import WindowAggregator

if TYPE_CHECKING:
    from diorama.contracts.resident import ResidentCore
    from diorama.learn.collector import RemoteEnvs
    from diorama.learn.distributed import Team
    from diorama.operate.training.conductors import TrainingCallbacks


def make_learner(
    plan: TrainingPlan,
    batch: Batch,
    listener: WindowCallback,
    aggregator: WindowAggregator,
    *,
    layout: RunLayout,
    watch: ProgressReporter,
    clock: Clock,
    team: "Team | None" = None,
    elsewhere: "RemoteEnvs | None" = None,
    resident: "ResidentCore | None" = None,
) -> Learner:
    """Return what the plan asks for; it takes over the batch and reports to the listener."""
    if not plan.learns:
        return RandomLearner(batch, plan.settings.seed, listener)
    from diorama.operate.training.ppo_learner import PpoLearner

    if plan.settings.has_matches:
        from diorama.operate.training.match_desk import SelfPlayCallback

        desk = SelfPlayCallback(plan, layout, listener, clock)
        aggregator.add_fields(desk.matchmaker.window_fields)
        if elsewhere is not None:
            elsewhere.attend(desk.arena)
        return PpoLearner(batch, plan, listener, desk, elsewhere=elsewhere)
    if elsewhere is not None or resident is not None:
        return PpoLearner(batch, plan, listener, elsewhere=elsewhere or resident)
    conductors = _conductors(plan, batch, layout, watch)
    listener.follow(conductors.listening, conductors.copies.take_tally, conductors.rounds)
    if conductors.course is not None:
        aggregator.add_fields(conductors.course.window_fields)
    if team is not None:
        from diorama.operate.training.leading import LeadingLearner

        return LeadingLearner(batch, plan, listener, team, conductors)
    return PpoLearner(batch, plan, listener, conductors=conductors)


def _conductors(plan: TrainingPlan, batch: Batch, layout: RunLayout, watch: ProgressReporter) -> "TrainingCallbacks":
    from diorama.operate.training.anneal_desk import AnnealCallback
    from diorama.operate.training.conductors import TrainingCallbacks
    from diorama.operate.training.copies import Copies
    from diorama.operate.training.course_desk import CurriculumCallback
    from diorama.operate.training.event_tally import EventTally
    from diorama.operate.training.round_desk import RoundCallback

    world, anneal = plan.venue.world, plan.settings.anneal
    telemetry = world.telemetry
    has_rounds = world.rounds is not None and plan.settings.ppo.diagnosed
    copies = Copies(batch, None if telemetry is None else EventTally(telemetry, plan.spec))
    return TrainingCallbacks(
        copies=copies,
        course=None if world.course is None else CurriculumCallback(plan, copies, watch),
        anneal=None if anneal is None else AnnealCallback(plan, anneal, layout.directory, watch),
        rounds=RoundCallback(plan, copies, layout) if has_rounds else None,
    )
