"""`PpoLearner`: the trainer, with the demonstrations it begins from."""

from dataclasses import dataclass, replace
from typing import Final

from diorama.contracts.resident import ResidentCore
from diorama.engine.batch import Batch
from diorama.engine.system_facts import usable_cores
from diorama.learn.callbacks import Callback
from diorama.learn.collector import RemoteEnvs
from diorama.learn.distributed import Team, local_device
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.imitation.judging import Agreement, compare, refuse_poor_clone
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import CloningSettings, Ramp, TrainerSettings
from diorama.learn.state import TrainerState
from diorama.learn.trainer import Trainer
from diorama.operate.training.conductors import TrainingCallbacks
from diorama.operate.training.match_desk import SelfPlayCallback
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.teaching import AskedBot, Lesson, read_book, read_lesson, take_over_weights
from diorama.runs.checkpoints.resume import StoredTraining

_MATCHES: Final = "matches"
_COURSE: Final = "course"
_ANNEAL: Final = "anneal"
_ROUNDS: Final = "rounds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imitated:
    """How imitating went, and how the clone compares with what was held out, if anything was."""

    report: CloningReport
    agreement: Agreement | None

    def sentence(self, teacher: str) -> str:
        """Say it in one line."""
        line = (
            f"imitated {self.report.decisions:,} decisions of {teacher}: "
            f"the policy's first choice is the teacher's in {self.report.accuracy:.0%}"
        )
        return line if self.agreement is None else f"{line}, in {self.agreement.accuracy:.1%} of those held out"


class PpoLearner:
    """A `Learner` that learns."""

    def __init__(
        self,
        batch: Batch,
        plan: TrainingPlan,
        listener: Callback,
        desk: SelfPlayCallback | None = None,
        conductors: TrainingCallbacks | None = None,
        team: Team | None = None,
        elsewhere: RemoteEnvs | ResidentCore | None = None,
    ) -> None:
        """Make the trainer.

        It takes over the batch, the copies that a desk exchanges now and then, or those that are elsewhere or on a
        device.
        """
        self._plan = plan
        self._desk = desk
        self._course = None if conductors is None else conductors.course
        self._anneal = None if conductors is None else conductors.anneal
        self._rounds = None if conductors is None else conductors.rounds
        self._lesson: Lesson | None = None
        copies = batch if conductors is None else conductors.copies
        self._trainer = Trainer(
            elsewhere or (copies if desk is None else desk.source()),
            plan.settings.trainer if team is None else _beside_others(plan.settings.trainer, team),
            seed=plan.settings.seed,
            callbacks=[listener if desk is None else desk],
            team=team,
        )
        if plan.settings.replay is not None:
            self._trainer.replay_from(read_book(plan, plan.settings.replay.dataset))

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""
        return self._trainer.env_steps_total

    @property
    def policy(self) -> Policy:
        """The policy as it stands."""
        return self._trainer.policy

    @property
    def needs_demonstrations(self) -> bool:
        """Whether a teacher still has something to show: at the beginning of a run, and while its pull lasts."""
        cloning, anneal = self._plan.settings.cloning, self._plan.settings.anneal
        if anneal is not None:
            return anneal.needs_demonstrations
        return cloning is not None and (self._begins or _pulls_after(cloning, self.env_steps_total))

    def start_from(self, start: str) -> None:
        """Begin with the weights of another policy; see `take_over_weights`."""
        take_over_weights(self._trainer.policy, self._plan, start)

    def imitate(self, cloning: CloningSettings) -> Imitated | None:
        """Take what is to be imitated, and imitate it if the run begins from nothing; None where it does not.

        Raises:
            CloneRefused: The clone does not pass its gate.
        """
        if cloning.dataset is not None:
            return self._imitate_dataset(cloning, cloning.dataset)
        assert cloning.bot is not None
        trainer, bot = self._trainer, AskedBot(self._plan, cloning, cloning.bot, self._desk)
        shown = bot.show(trainer.policy)
        trainer.show(shown)
        if not self._begins:
            return None
        report = self._warm_up(shown)
        for _ in range(1, cloning.rounds):
            trainer.show(bot.show(trainer.policy))
            report = trainer.warm_up()
        return Imitated(report=report, agreement=None)

    def advance(self) -> None:
        """Gather a rollout and update the policy."""
        trainer = self._trainer
        if self._course is not None:
            self._course.before_cycle(trainer.updates)
        overrides = None if self._anneal is None else self._anneal.before_cycle(trainer, self._lesson)
        trainer.update(overrides)
        if self._anneal is not None:
            self._anneal.after_cycle(trainer, self._lesson)
        if self._desk is not None:
            self._desk.after_update(trainer.policy, updates=trainer.updates, env_steps=trainer.env_steps_total)

    def state(self) -> TrainerState:
        """Return everything needed to continue."""
        state = self._trainer.state()
        values, tensors = dict(state.values), dict(state.tensors)
        if self._desk is not None:
            values[_MATCHES] = self._desk.state()
            tensors |= self._desk.tensors()
        if self._course is not None:
            values[_COURSE] = self._course.state()
        if self._anneal is not None:
            values[_ANNEAL] = self._anneal.state()
        if self._rounds is not None:
            values[_ROUNDS] = self._rounds.state()
        return replace(state, values=values, tensors=tensors)

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""
        if self._desk is not None:
            self._desk.load(stored.values[_MATCHES], stored.tensors)
        if self._course is not None and _COURSE in stored.values:
            self._course.load(stored.values[_COURSE])
        if self._anneal is not None:
            self._anneal.load(stored.values[_ANNEAL])
        self._trainer.load_state(TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots))
        if self._rounds is not None:
            self._rounds.load(stored.values.get(_ROUNDS))

    def close(self) -> None:
        """End the trainer's threads."""
        if self._desk is not None:
            self._desk.close()
        self._trainer.close()

    @property
    def _begins(self) -> bool:
        return self.env_steps_total == 0 and self._plan.settings.start is None

    def _imitate_dataset(self, cloning: CloningSettings, dataset: str) -> Imitated | None:
        trainer = self._trainer
        lesson = read_lesson(self._plan, cloning, dataset, trainer.policy)
        trainer.show(lesson.shown)
        self._lesson = lesson
        if not self._begins:
            return None
        if self._anneal is not None:
            self._scale_sights(lesson.shown)
            return None
        report = self._warm_up(lesson.shown)
        shard = self._plan.settings.execution.shard_sequences(lesson.held_out.inputs.length)
        agreement = compare(trainer.policy, lesson.held_out, self._plan.spec, shard)
        if cloning.gate is not None:
            refuse_poor_clone(agreement, cloning.gate)
        return Imitated(report=report, agreement=agreement)

    def _warm_up(self, shown: Demonstrations) -> CloningReport:
        self._scale_sights(shown)
        return self._trainer.warm_up()

    def _scale_sights(self, shown: Demonstrations) -> None:
        normalizer = self._trainer.policy.normalizer
        if normalizer is not None:
            # What the policy clones and what it does afterwards must be seen on one scale.
            normalizer.update(shown.inputs.obs, shown.head_weights.new_ones(len(shown.returns)))


def _beside_others(settings: TrainerSettings, team: Team) -> TrainerSettings:
    """Return the settings of one of several trainers: each has its GPU, or its share of the machine's cores."""
    execution = settings.execution
    threads = execution.threads or max(1, usable_cores() // team.local_size)
    here = execution.model_copy(update={"device": local_device(execution.device), "threads": threads})
    return settings.model_copy(update={"execution": here})


def _pulls_after(cloning: CloningSettings, env_steps: int) -> bool:
    anneal = cloning.anneal
    if isinstance(anneal, Ramp):
        return anneal.end > 0.0 or env_steps < anneal.env_steps
    return anneal > 0.0
