"""`PpoUpdate`: clipped PPO over the minibatches of one rollout."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final

import torch

from diorama.learn.buffer import RolloutBuffer
from diorama.learn.distributed import Team, add_over
from diorama.learn.experience import Experience, Portion, prepare_rollout
from diorama.learn.gae import Correction, Decay
from diorama.learn.loss import Coefficients, DropoutKey, auxiliary_loss, ppo_loss
from diorama.learn.native import NativeLearner, NativeNetwork, why_torch_learns
from diorama.learn.normalization import RewardScaler
from diorama.learn.optimizer import FlatAdam, FlatParameters
from diorama.learn.policies.policy import Policy
from diorama.learn.sampling import Minibatch, ShuffleKey, cut_minibatches, cut_together
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.statistics import (
    UpdateStatistics,
    experience_moments,
    merged_experience,
    minibatch_row,
    read_statistics,
    term_row,
)
from diorama.learn.workers import Workers

Part = tuple[torch.Tensor, torch.Tensor | None]  # a gradient, and the loss terms it belongs to where they are reported
APPROX_KL: Final = 4  # place among the loss terms
AuxiliaryLoss = Callable[[int, int], list[Callable[[], Part]]]  # what else minibatch (pass, place) learns from


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateContext:
    """Where in the run an update happens, and how much its rollout explored."""

    seed: int
    update: int
    env_steps: int
    exploration: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EpochResults:
    """Passes over an experience, with the numbers of every step where they were computed."""

    experience: Experience
    rows: list[torch.Tensor]
    _: KW_ONLY
    update: int
    epochs_done: int
    skipped: int = 0
    team: Team | None = None

    def read(self) -> UpdateStatistics:
        """Return what happened; on a device this waits for it.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        moments = experience_moments(self.experience)
        if self.team is not None:
            moments = merged_experience(self.team, moments)
        return read_statistics(
            moments, self.rows, update=self.update, epochs_done=self.epochs_done, skipped=self.skipped
        )


class PpoUpdate:
    """Clipped PPO over fixed portions.

    A minibatch is cut into shards of a fixed number of decisions. Each shard's gradient is computed by one thread,
    and they are added in order, so that neither threads nor cores change a bit of the result.

    Attributes:
        gradient: Of the last step, clipped, laid out like the weights.
    """

    def __init__(self, policy: Policy, settings: TrainerSettings, workers: Workers, team: Team | None = None) -> None:
        """Take over the policy's weights; with a team, every step is taken by all of its processes together."""
        self._policy = policy
        self._settings = settings
        self._workers = workers
        self._team = team
        self.parameters = FlatParameters(policy)
        self.adam = FlatAdam(self.parameters, settings.optimizer)
        self.gradient = torch.zeros_like(self.parameters.values)
        self._native = self._native_learner()

    def learn(
        self, experience: Experience, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None
    ) -> UpdateStatistics:
        """Pass over the experience and return what happened.

        Args:
            experience: An appraised rollout.
            context: Where in the run it is.
            auxiliary: Further losses whose gradient is added to each minibatch's.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        return self._pass_over(experience, context, auxiliary).read()

    def _pass_over(
        self, experience: Experience, context: UpdateContext, auxiliary: AuxiliaryLoss | None
    ) -> EpochResults:
        ppo = self._settings.ppo
        learning_rate = value_at(self._settings.optimizer.learning_rate, context.env_steps)
        appraised, epochs_done, skipped = experience, 0, 0
        rows: list[torch.Tensor] = []
        for epoch in range(ppo.update_epochs):
            if epoch and ppo.vtrace is not None:
                appraised = self._appraise_again(experience, context)
            begun, is_far = len(rows), False
            for place, minibatch in enumerate(self._minibatches(appraised, context, epoch)):
                if self._native is not None:
                    self._native.refresh()
                tasks = self._shards(appraised, minibatch, context, epoch)
                if auxiliary is not None:
                    tasks += auxiliary(epoch, place)
                gradient, terms = _added(self._workers.run(tasks))
                if self._team is not None:
                    add_over(self._team, gradient, terms)
                is_far = ppo.kl_guards_step and epoch > 0 and self._is_too_far(terms)
                if is_far:
                    break
                if ppo.skips_allowed and not _is_finite(gradient, terms):
                    skipped += 1
                    continue
                rows.append(minibatch_row(terms, self.adam.step(gradient, learning_rate)))
                self.gradient.copy_(gradient)
            if is_far:
                break
            epochs_done += 1
            if ppo.target_kl is not None and epochs_done < ppo.update_epochs and _moved(rows[begun:]) > ppo.target_kl:
                break
        return EpochResults(
            experience, rows, update=context.update, epochs_done=epochs_done, skipped=skipped, team=self._team
        )

    def _minibatches(self, experience: Experience, context: UpdateContext, epoch: int) -> list[Minibatch]:
        shuffling = ShuffleKey(
            seed=context.seed,
            update=context.update,
            epoch=epoch,
            shard_sequences=self._settings.execution.shard_sequences(experience.inputs.length),
        )
        if self._team is not None:
            return cut_together(self._team, experience, self._settings.ppo, shuffling)
        return cut_minibatches(experience, self._settings.ppo, shuffling)

    def _is_too_far(self, terms: torch.Tensor) -> bool:
        target = self._settings.ppo.target_kl
        return target is not None and float(terms[APPROX_KL]) > target

    def _shards(
        self, experience: Experience, minibatch: Minibatch, context: UpdateContext, epoch: int
    ) -> list[Callable[[], Part]]:
        coefficients = Coefficients(
            entropy=value_at(self._settings.ppo.ent_coef, context.env_steps),
            value=value_at(self._settings.ppo.vf_coef, context.env_steps),
            entropy_weights=self._policy.heads.plan.entropy_weights,
            value_unit=self._policy.value_scale.unit,
        )
        return [
            partial(self._shard, experience, minibatch, shard, coefficients, context, epoch)
            for shard in minibatch.shards
        ]

    def _shard(
        self,
        experience: Experience,
        minibatch: Minibatch,
        shard: Portion,
        coefficients: Coefficients,
        context: UpdateContext,
        epoch: int,
    ) -> Part:
        inputs = experience.inputs.of(shard)
        targets = minibatch.targets(experience, shard)
        if self._native is not None:
            loss_of = partial(
                ppo_loss, self._settings.ppo, targets=targets, over=minibatch.over, coefficients=coefficients
            )
            gradient, terms = self._native.gradient(inputs, context.exploration, loss_of)
            return gradient, term_row(terms)
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(
            features.actor, inputs.masks, inputs.extras, inputs.actions, context.exploration
        )
        values = self._policy.values(features)
        terms = ppo_loss(self._settings.ppo, scores, values, targets, minibatch.over, coefficients)
        loss = terms.total
        if self._settings.policy.auxiliary:
            loss = loss + auxiliary_loss(
                self._policy,
                self._settings.policy.auxiliary,
                features,
                inputs.extras,
                share=targets.value_weights.sum() / minibatch.over.value,
                env_steps=context.env_steps,
                dropping=self._dropping(experience, shard, context, epoch),
            )
        gradients = torch.autograd.grad(loss, self.parameters.tensors, allow_unused=True)
        return self.parameters.flatten(gradients), term_row(terms)

    def _native_learner(self) -> NativeLearner | None:
        if why_torch_learns(self._policy, self._settings) is not None:
            return None
        return NativeLearner(self._policy, self.parameters, NativeNetwork(self._policy))

    def _dropping(
        self, experience: Experience, shard: Portion, context: UpdateContext, epoch: int
    ) -> DropoutKey | None:
        if not any(item.dropout for item in self._settings.policy.auxiliary.values()):
            return None
        places = torch.arange(len(experience.targets.values), device=experience.targets.values.device)
        return DropoutKey(context.seed, context.update, epoch, shard.of_decisions(places))

    @torch.no_grad()
    def _appraise_again(self, experience: Experience, context: UpdateContext) -> Experience:
        """Correct the advantages for how far the policy and its values have moved."""
        ppo = self._settings.ppo
        assert ppo.vtrace is not None
        portions = experience.inputs.in_order(self._settings.execution.shard_sequences(experience.inputs.length))
        seen = self._workers.run([partial(self._score_now, experience, portion, context) for portion in portions])
        log_ratios, values = torch.empty_like(experience.targets.values), torch.empty_like(experience.targets.values)
        every = torch.arange(len(values), device=values.device)
        for portion, (log_ratio, value) in zip(portions, seen, strict=True):
            places = portion.of_decisions(every)
            log_ratios[places], values[places] = log_ratio, value
        shape = experience.outcomes.rewards.shape
        correction = Correction(
            ratios=log_ratios.exp().view(shape), rho_clip=ppo.vtrace.rho_clip, c_clip=ppo.vtrace.c_clip
        )
        decay = Decay(gamma=ppo.gamma, gae_lambda=ppo.gae_lambda)
        return experience.corrected(decay, correction, values.view(shape))

    @torch.no_grad()
    def _score_now(
        self, experience: Experience, portion: Portion, context: UpdateContext
    ) -> tuple[torch.Tensor, torch.Tensor]:
        inputs = experience.inputs.of(portion)
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(
            features.actor, inputs.masks, inputs.extras, inputs.actions, context.exploration
        )
        before = portion.of_decisions(experience.targets.log_probs)
        return (scores.log_probs - before).sum(dim=1), self._policy.values(features)


def _added(parts: list[Part]) -> tuple[torch.Tensor, torch.Tensor]:
    """Add gradients and terms in the order of the parts."""
    gradient = parts[0][0]
    for other, _ in parts[1:]:
        gradient.add_(other)
    return gradient, torch.stack([terms for _, terms in parts if terms is not None]).sum(dim=0)


def _moved(rows: list[torch.Tensor]) -> float:
    """Return how far the policy moved in a pass; reading it waits for the device."""
    return float(torch.stack(rows)[:, APPROX_KL].mean()) if rows else 0.0


def _is_finite(gradient: torch.Tensor, terms: torch.Tensor) -> bool:
    """Say whether a step can be taken; reading it waits for the device."""
    return bool(torch.isfinite(torch.linalg.vector_norm(gradient)) & torch.isfinite(terms).all())


class HostUpdate:
    """Everything happens in `finish`; `begin` only says from what.

    Attributes:
        experience: What was learned from last.
    """

    experience: Experience

    def __init__(self, ppo: PpoUpdate, policy: Policy, settings: TrainerSettings, scaler: RewardScaler) -> None:
        """Take what learns, and what brings rewards to scale."""
        self._ppo = ppo
        self._policy = policy
        self._settings = settings
        self._scaler = scaler
        self._asked: tuple[RolloutBuffer, UpdateContext, AuxiliaryLoss | None]

    def begin(self, rollout: RolloutBuffer, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None) -> None:
        """Say what to learn from."""
        self._asked = rollout, context, auxiliary

    def finish(self) -> UpdateStatistics:
        """Learn from it and return what happened.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        rollout, context, auxiliary = self._asked
        self.experience = prepare_rollout(rollout, self._policy, self._settings, self._scaler)
        return self._ppo.learn(self.experience, context, auxiliary)
