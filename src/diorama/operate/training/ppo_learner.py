"""`PpoLearner`: the trainer, with the demonstrations it begins from."""

from dataclasses import replace
from typing import Final

from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.cloning.demonstrations import Demonstrations, gather_demonstrations
from diorama.learn.cloning.disturbance import Disturbance
from diorama.learn.cloning.imitation import CloningReport
from diorama.learn.listening import TrainingListener
from diorama.learn.settings import CloningSettings, Ramp
from diorama.learn.state import TrainerState
from diorama.learn.trainer import Trainer
from diorama.operate.training.match_desk import MatchDesk
from diorama.operate.training.plan import TrainingPlan
from diorama.rng import mix64
from diorama.runs.checkpoints.resume import StoredTraining

_MATCHES: Final = "matches"


class PpoLearner:
    """A `Learner` that learns."""

    def __init__(
        self, batch: Batch, plan: TrainingPlan, listener: TrainingListener, desk: MatchDesk | None = None
    ) -> None:
        """Make the trainer; it takes over the batch, or the copies of the desk where opponents or stages change."""
        self._plan = plan
        self._desk = desk
        self._trainer = Trainer(
            batch if desk is None else desk.source(),
            plan.settings.trainer,
            seed=plan.settings.seed,
            listener=listener if desk is None else desk,
        )

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""
        return self._trainer.env_steps_total

    @property
    def needs_demonstrations(self) -> bool:
        """Whether a scripted baseline still has something to teach."""
        cloning = self._plan.settings.cloning
        return cloning is not None and (self.env_steps_total == 0 or _pulls_after(cloning, self.env_steps_total))

    def imitate(self, cloning: CloningSettings) -> CloningReport | None:
        """Let the baseline play, and imitate it if the run begins; None where it goes on."""
        shown = self._demonstrations(cloning)
        self._trainer.show(shown)
        if self.env_steps_total:
            return None
        normalizer = self._trainer.policy.normalizer
        if normalizer is not None:
            # What the policy clones and what it does afterwards must be seen on one scale.
            normalizer.update(shown.sights.obs, shown.head_weights.new_ones(len(shown.returns)))
        return self._trainer.warm_up()

    def advance(self) -> None:
        """Gather a rollout and update the policy."""
        trainer = self._trainer
        trainer.train_until(trainer.env_steps_total + 1)
        if self._desk is not None:
            self._desk.after_update(trainer.policy, updates=trainer.updates, env_steps=trainer.env_steps_total)

    def state(self) -> TrainerState:
        """Return everything needed to continue."""
        state = self._trainer.state()
        if self._desk is None:
            return state
        return replace(
            state,
            values={**state.values, _MATCHES: self._desk.state()},
            tensors={**state.tensors, **self._desk.tensors()},
        )

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""
        if self._desk is not None:
            self._desk.load(stored.values[_MATCHES], stored.tensors)
        self._trainer.load_state(TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots))

    def close(self) -> None:
        """End the trainer's threads."""
        if self._desk is not None:
            self._desk.close()
        self._trainer.close()

    def _demonstrations(self, cloning: CloningSettings) -> Demonstrations:
        venue, settings = self._plan.venue, self._plan.settings
        seed, pushes = mix64(settings.seed), cloning.disturbance
        configs = [venue.config] if self._desk is None else self._desk.demonstrated_configs()
        batches = [
            make_batch(
                venue.world,
                copies=max(1, cloning.copies // len(configs)),
                config=config,
                # Episodes that the policy will not meet again as its first ones.
                seed=seed,
                tier=settings.tier,
            )
            for config in configs
        ]
        return gather_demonstrations(
            batches,
            venue.world.bots[cloning.bot],
            self._trainer.policy,
            decisions=cloning.decisions,
            sequence_length=settings.ppo.sequence_length or settings.ppo.rollout_steps,
            gamma=settings.ppo.gamma,
            disturbance=None if pushes is None else Disturbance(pushes, venue.spec, seed=seed),
        )


def _pulls_after(cloning: CloningSettings, env_steps: int) -> bool:
    anneal = cloning.anneal
    if isinstance(anneal, Ramp):
        return anneal.end > 0.0 or env_steps < anneal.env_steps
    return anneal > 0.0
