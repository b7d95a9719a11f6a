"""`PpoLearner`: the trainer as a run drives it, with the demonstrations it begins from."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Event
from typing import Protocol

from diorama.contracts.config import WorldConfig
from diorama.contracts.resident import ResidentCore
from diorama.engine.system_facts import usable_cores
from diorama.learn.collector import RemoteEnvs
from diorama.learn.distributed import Team, local_device
from diorama.learn.envs import TrainingEnvs
from diorama.learn.errors import ImitationStopped
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.imitation.stopping import StopCheck, never_stop, stop_check
from diorama.learn.imitation.validation import check_gate, evaluate_clone
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import CloningSettings, Ramp, TrainerSettings
from diorama.learn.state import TrainerState
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.resume import StoredTraining, TrainingState
from diorama.training.callbacks.anneal import AnnealCallback
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.callbacks.progress import ProgressReporter
from diorama.training.imitation import (
    BotDemonstrator,
    CloningResult,
    load_weights,
    read_demonstrations,
    read_offline_buffer,
)
from diorama.training.plan import TrainingPlan
from diorama.training.start_states import fill_library
from diorama.training.teachers import TEACHER_KEY, open_teacher


class Learner(Protocol):
    """Takes env steps and reports them to callbacks."""

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""

    def advance(self) -> None:
        """Take steps up to the next point at which a checkpoint may be written."""

    def state(self) -> TrainingState:
        """Return everything needed to continue."""

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""

    def close(self) -> None:
        """End threads and free the copies."""


class PpoLearner:
    """A `Learner` that updates a policy with every advance."""

    def __init__(
        self,
        plan: TrainingPlan,
        envs: TrainingEnvs | RemoteEnvs | ResidentCore,
        callbacks: RunCallbacks,
        *,
        demonstrated_configs: Sequence[WorldConfig] = (),
        team: Team | None = None,
    ) -> None:
        """Make the trainer, which takes over the environments.

        Args:
            plan: Of the run.
            envs: Have not been reset.
            callbacks: Called after every step and update.
            demonstrated_configs: Configurations a teacher plays in; the run's own unless given.
            team: Processes that train together.
        """
        self._plan = plan
        self._callbacks = callbacks
        self._demonstrated_configs = demonstrated_configs or (plan.venue.config,)
        kickstarting = plan.settings.kickstarting
        self._teacher = (
            None if kickstarting is None else open_teacher(plan.venue.world, plan.spec, kickstarting.teacher)
        )
        self._trainer = Trainer(
            envs,
            plan.settings.trainer if team is None else _settings_of_replica(plan.settings.trainer, team),
            seed=plan.settings.seed,
            callbacks=callbacks.items,
            team=team,
            teacher=None if self._teacher is None else self._teacher.maker,
        )
        if plan.settings.replay is not None:
            self._trainer.set_offline_buffer(read_offline_buffer(plan, plan.settings.replay.dataset))

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""
        return self._trainer.env_steps_total

    @property
    def agent_steps_total(self) -> int:
        """Decisions of living seats, and transitions of replays, so far; every update adds some."""
        return self._trainer.agent_steps_total

    @property
    def policy(self) -> Policy:
        """The policy being trained."""
        return self._trainer.policy

    def prepare(self, progress: ProgressReporter, stop: Event) -> bool:
        """Load weights or imitate a teacher, as the settings say; call it once before `advance`.

        Returns:
            Whether the policy is now a clone that PPO has not changed yet.

        Raises:
            CloneRefused: The clone does not pass its gate.
            ImitationStopped: `stop` was set meanwhile; weights and statistics are those from before the imitation.
        """
        start, cloning = self._plan.settings.start, self._plan.settings.cloning
        if start is not None and self.env_steps_total == 0:
            load_weights(self._trainer.policy, self._plan, start)
            progress.log(f"starts from the policy of {start}")
        starts = self._trainer.starts
        if starts is not None and starts.settings.is_filled_before and not starts.library.states:
            progress.stage("storing start states")
            line = fill_library(self._plan, starts.settings, starts.library)
            progress.stage(None)
            progress.log(line)
        if cloning is None or not self._needs_demonstrations(cloning):
            return False
        progress.stage(f"learning from {cloning.teacher}")
        before = self._trainer.model_state.tensors()
        try:
            result = self.imitate(cloning, stop_check(stop))
        except ImitationStopped:
            self._trainer.model_state.load(before)
            raise
        finally:
            progress.stage(None)
        if result is not None:
            progress.log(result.summary(cloning.teacher))
        return result is not None

    def imitate(self, cloning: CloningSettings, check_stop: StopCheck = never_stop) -> CloningResult | None:
        """Set the trainer's demonstrations, and clone them if the run begins from nothing; None where it does not.

        Raises:
            CloneRefused: The clone does not pass its gate.
            ImitationStopped: By `check_stop`, which is called between the steps of recording and cloning.
        """
        if cloning.dataset is not None:
            return self._imitate_dataset(cloning, cloning.dataset, check_stop)
        assert cloning.bot is not None
        trainer = self._trainer
        demonstrator = BotDemonstrator(self._plan, cloning, cloning.bot, self._demonstrated_configs)
        demonstrations = demonstrator.demonstrate(trainer.policy, check_stop)
        trainer.set_demonstrations(demonstrations)
        if not self._is_new:
            return None
        report = self._pretrain(demonstrations, check_stop)
        for _ in range(1, cloning.rounds):
            trainer.set_demonstrations(demonstrator.demonstrate(trainer.policy, check_stop))
            report = trainer.pretrain(check_stop=check_stop)
        return CloningResult(report=report, agreement=None)

    def advance(self) -> None:
        """Collect a rollout and update the policy."""
        overrides = self._callbacks.before_update(self._trainer)
        self._trainer.update(overrides)
        self._callbacks.after_update(self._trainer)

    def advance_offline(self) -> None:
        """Update the policy once from stored episodes alone."""
        self._trainer.update_offline()

    def state(self) -> TrainerState:
        """Return everything needed to continue."""
        state = self._trainer.state()
        reference = {} if self._teacher is None else self._teacher.reference
        return replace(
            state,
            values={**state.values, **reference, **self._callbacks.states()},
            tensors={**state.tensors, **self._callbacks.tensors()},
        )

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""
        self._callbacks.load(stored)
        if self._teacher is not None:
            self._teacher.load(stored.values.get(TEACHER_KEY), self._plan.spec)
        self._trainer.load_state(TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots))
        self._callbacks.after_restore(stored)

    def close(self) -> None:
        """End the trainer's threads."""
        self._trainer.close()

    @property
    def _is_new(self) -> bool:
        return self.env_steps_total == 0 and self._plan.settings.start is None

    def _needs_demonstrations(self, cloning: CloningSettings) -> bool:
        """Whether the run begins with cloning, or still has a cloning loss."""
        anneal = self._plan.settings.anneal
        if anneal is not None:
            return anneal.needs_demonstrations
        return self._is_new or _has_cloning_loss_after(cloning, self.env_steps_total)

    def _imitate_dataset(self, cloning: CloningSettings, dataset: str, check_stop: StopCheck) -> CloningResult | None:
        trainer = self._trainer
        split = read_demonstrations(self._plan, cloning, dataset, trainer.policy, check_stop=check_stop)
        trainer.set_demonstrations(split.train)
        annealing = [callback for callback in self._callbacks.items if isinstance(callback, AnnealCallback)]
        for callback in annealing:
            callback.demonstrations = split
        if not self._is_new:
            return None
        if annealing:
            self._fit_normalizer(split.train)
            return None
        report = self._pretrain(split.train, check_stop)
        shard = self._plan.settings.execution.shard_sequences(split.held_out.inputs.length)
        agreement = evaluate_clone(trainer.policy, split.held_out, self._plan.spec, shard)
        if cloning.gate is not None:
            check_gate(agreement, cloning.gate)
        return CloningResult(report=report, agreement=agreement)

    def _pretrain(self, demonstrations: Demonstrations, check_stop: StopCheck) -> CloningReport:
        self._fit_normalizer(demonstrations)
        return self._trainer.pretrain(check_stop=check_stop)

    def _fit_normalizer(self, demonstrations: Demonstrations) -> None:
        normalizer = self._trainer.policy.normalizer
        if normalizer is not None:
            # Cloning and training must see observations on one scale.
            normalizer.update(
                demonstrations.inputs.obs, demonstrations.head_weights.new_ones(len(demonstrations.returns))
            )


def _settings_of_replica(settings: TrainerSettings, team: Team) -> TrainerSettings:
    """Return the settings of one process of a team, which has its own GPU or its share of the cores."""
    execution = settings.execution
    threads = execution.threads or max(1, usable_cores() // team.local_size)
    own = execution.model_copy(update={"device": local_device(execution.device), "threads": threads})
    return settings.model_copy(update={"execution": own})


def _has_cloning_loss_after(cloning: CloningSettings, env_steps: int) -> bool:
    anneal = cloning.anneal
    if isinstance(anneal, Ramp):
        return anneal.end > 0.0 or env_steps < anneal.env_steps
    return anneal > 0.0
