"""`PpoLearner`: the trainer as a run drives it, with the demonstrations it begins from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from diorama.contracts.config import WorldConfig
from diorama.contracts.resident import ResidentCore
from diorama.engine.system_facts import usable_cores
from diorama.learn.collector import RemoteEnvs
from diorama.learn.distributed import Team, local_device
from diorama.learn.envs import TrainingEnvs
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.demonstrations import Demonstrations
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
    BotTeacher,
    CloningResult,
    load_weights,
    read_demonstrations,
    read_offline_buffer,
)
from diorama.training.plan import TrainingPlan


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
        self._trainer = Trainer(
            envs,
            plan.settings.trainer if team is None else _settings_of_replica(plan.settings.trainer, team),
            seed=plan.settings.seed,
            callbacks=callbacks.items,
            team=team,
        )
        if plan.settings.replay is not None:
            self._trainer.set_offline_buffer(read_offline_buffer(plan, plan.settings.replay.dataset))

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""
        return self._trainer.env_steps_total

    @property
    def policy(self) -> Policy:
        """The policy being trained."""
        return self._trainer.policy

    def prepare(self, progress: ProgressReporter) -> None:
        """Load weights or imitate a teacher, as the settings say; call it once before `advance`.

        Raises:
            CloneRefused: The clone does not pass its gate.
        """
        start, cloning = self._plan.settings.start, self._plan.settings.cloning
        if start is not None and self.env_steps_total == 0:
            load_weights(self._trainer.policy, self._plan, start)
            progress.log(f"starts from the policy of {start}")
        if cloning is None or not self._needs_demonstrations(cloning):
            return
        progress.stage(f"learning from {cloning.teacher}")
        result = self.imitate(cloning)
        progress.stage(None)
        if result is not None:
            progress.log(result.summary(cloning.teacher))

    def imitate(self, cloning: CloningSettings) -> CloningResult | None:
        """Set the trainer's demonstrations, and clone them if the run begins from nothing; None where it does not.

        Raises:
            CloneRefused: The clone does not pass its gate.
        """
        if cloning.dataset is not None:
            return self._imitate_dataset(cloning, cloning.dataset)
        assert cloning.bot is not None
        trainer = self._trainer
        teacher = BotTeacher(self._plan, cloning, cloning.bot, self._demonstrated_configs)
        demonstrations = teacher.demonstrate(trainer.policy)
        trainer.set_demonstrations(demonstrations)
        if not self._is_new:
            return None
        report = self._pretrain(demonstrations)
        for _ in range(1, cloning.rounds):
            trainer.set_demonstrations(teacher.demonstrate(trainer.policy))
            report = trainer.pretrain()
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
        return replace(
            state,
            values={**state.values, **self._callbacks.states()},
            tensors={**state.tensors, **self._callbacks.tensors()},
        )

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""
        self._callbacks.load(stored)
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

    def _imitate_dataset(self, cloning: CloningSettings, dataset: str) -> CloningResult | None:
        trainer = self._trainer
        split = read_demonstrations(self._plan, cloning, dataset, trainer.policy)
        trainer.set_demonstrations(split.train)
        annealing = [callback for callback in self._callbacks.items if isinstance(callback, AnnealCallback)]
        for callback in annealing:
            callback.demonstrations = split
        if not self._is_new:
            return None
        if annealing:
            self._fit_normalizer(split.train)
            return None
        report = self._pretrain(split.train)
        shard = self._plan.settings.execution.shard_sequences(split.held_out.inputs.length)
        agreement = evaluate_clone(trainer.policy, split.held_out, self._plan.spec, shard)
        if cloning.gate is not None:
            check_gate(agreement, cloning.gate)
        return CloningResult(report=report, agreement=agreement)

    def _pretrain(self, demonstrations: Demonstrations) -> CloningReport:
        self._fit_normalizer(demonstrations)
        return self._trainer.pretrain()

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
