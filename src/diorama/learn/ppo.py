"""`PpoUpdate`: epochs of clipped PPO over the minibatches of one rollout."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final

import torch

from diorama.learn.buffer import RolloutBuffer
from diorama.learn.distributed import Team, all_reduce_gradient
from diorama.learn.experience import Experience, PolicyInputs, SequenceSubset, TeachingTargets, prepare_rollout
from diorama.learn.gae import GaeParams, VtraceCorrection
from diorama.learn.kickstarting import add_kickstarting
from diorama.learn.loss import Coefficients, DropoutKey, LossTerms, auxiliary_loss, ppo_loss
from diorama.learn.native import NativeLearner, NativeNetwork, why_torch_learns
from diorama.learn.normalization import RewardScaler
from diorama.learn.optimizer import FlatAdam, FlatParameters
from diorama.learn.policies.distributions import Scores
from diorama.learn.policies.policy import Policy
from diorama.learn.sampling import Minibatch, ShuffleKey, cut_minibatches, cut_team_minibatches
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.statistics import (
    UpdateStatistics,
    experience_moments,
    merge_experience_moments,
    minibatch_row,
    read_statistics,
    term_row,
)
from diorama.learn.workers import Workers

GradientPart = tuple[torch.Tensor, torch.Tensor | None]  # a gradient, and its loss terms if they are reported
APPROX_KL: Final = 4  # index among the loss terms
AuxiliaryLoss = Callable[[int, int], list[Callable[[], GradientPart]]]  # by epoch and minibatch: gradients to add


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateContext:
    """Position of an update in the run, and the exploration of its rollout."""

    seed: int
    update: int
    env_steps: int
    exploration: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EpochResults:
    """Result of the epochs of an update; the statistics are still on the device."""

    experience: Experience
    rows: list[torch.Tensor]
    _: KW_ONLY
    update: int
    epochs_done: int
    skipped: int = 0
    team: Team | None = None

    def read(self) -> UpdateStatistics:
        """Return the statistics; on a GPU this waits for the update.

        Raises:
            TrainingDiverged: A statistic is NaN or infinite.
        """
        moments = experience_moments(self.experience)
        if self.team is not None:
            moments = merge_experience_moments(self.team, moments)
        return read_statistics(
            moments, self.rows, update=self.update, epochs_done=self.epochs_done, skipped=self.skipped
        )


class PpoUpdate:
    """Clipped PPO.

    A minibatch is split into shards of a fixed number of decisions. One thread computes the gradient of each shard, and
    the gradients are added in order, so the result does not depend on the number of threads.

    Attributes:
        parameters: The policy's parameters, as views of one flat tensor.
        adam: The optimizer.
        gradient: Clipped gradient of the last step, laid out like `parameters.values`.
    """

    def __init__(self, policy: Policy, settings: TrainerSettings, workers: Workers, team: Team | None = None) -> None:
        """Flatten the policy's parameters; with a team, gradients are summed over all processes."""
        self._policy = policy
        self._settings = settings
        self._workers = workers
        self._team = team
        self.parameters = FlatParameters(policy)
        self.adam = FlatAdam(self.parameters, settings.optimizer, warmed_up=policy.critic_parameters)
        self.gradient = torch.zeros_like(self.parameters.values)
        self.native = self._native_learner()

    def learn(
        self, experience: Experience, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None
    ) -> UpdateStatistics:
        """Run the epochs of one update and return its statistics.

        Args:
            experience: The rollout to learn from.
            context: Position in the run.
            auxiliary: Further losses whose gradients are added to those of each minibatch.

        Raises:
            TrainingDiverged: A statistic is NaN or infinite.
        """
        return self._run_epochs(experience, context, auxiliary).read()

    def _run_epochs(
        self, experience: Experience, context: UpdateContext, auxiliary: AuxiliaryLoss | None
    ) -> EpochResults:
        ppo = self._settings.ppo
        learning_rate = value_at(self._settings.optimizer.learning_rate, context.env_steps)
        is_warmup = ppo.is_warming_up(context.env_steps)
        current, epochs_done, skipped = experience, 0, 0
        rows: list[torch.Tensor] = []
        for epoch in range(ppo.update_epochs):
            if epoch and ppo.vtrace is not None:
                current = self._recompute_advantages(experience, context)
            first_row, exceeds_kl = len(rows), False
            for index, minibatch in enumerate(self._minibatches(current, context, epoch)):
                if self.native is not None:
                    self.native.load_weights()
                tasks = self._shard_tasks(current, minibatch, context, epoch)
                if auxiliary is not None:
                    tasks += auxiliary(epoch, index)
                gradient, terms = _sum_parts(self._workers.run(tasks))
                if self._team is not None:
                    all_reduce_gradient(self._team, gradient, terms)
                exceeds_kl = ppo.kl_guards_step and epoch > 0 and self._exceeds_target_kl(terms)
                if exceeds_kl:
                    break
                if ppo.skips_allowed and not _is_finite(gradient, terms):
                    skipped += 1
                    continue
                rows.append(minibatch_row(terms, self.adam.step(gradient, learning_rate, is_warmup=is_warmup)))
                self.gradient.copy_(gradient)
            if exceeds_kl:
                break
            epochs_done += 1
            is_last = epochs_done == ppo.update_epochs
            if ppo.target_kl is not None and not is_last and _mean_kl(rows[first_row:]) > ppo.target_kl:
                break
        return EpochResults(
            experience, rows, update=context.update, epochs_done=epochs_done, skipped=skipped, team=self._team
        )

    def _minibatches(self, experience: Experience, context: UpdateContext, epoch: int) -> list[Minibatch]:
        shuffle_key = ShuffleKey(
            seed=context.seed,
            update=context.update,
            epoch=epoch,
            shard_sequences=self._settings.execution.shard_sequences(experience.inputs.length),
        )
        if self._team is not None:
            return cut_team_minibatches(self._team, experience, self._settings.ppo, shuffle_key)
        return cut_minibatches(experience, self._settings.ppo, shuffle_key)

    def _exceeds_target_kl(self, terms: torch.Tensor) -> bool:
        target = self._settings.ppo.target_kl
        return target is not None and float(terms[APPROX_KL]) > target

    def _shard_tasks(
        self, experience: Experience, minibatch: Minibatch, context: UpdateContext, epoch: int
    ) -> list[Callable[[], GradientPart]]:
        coefficients = Coefficients(
            entropy=value_at(self._settings.ppo.ent_coef, context.env_steps),
            value=value_at(self._settings.ppo.vf_coef, context.env_steps),
            entropy_weights=self._policy.heads.plan.entropy_weights,
            value_unit=self._policy.value_scale.unit,
        )
        return [
            partial(self._shard_gradient, experience, minibatch, shard, coefficients, context, epoch)
            for shard in minibatch.shards
        ]

    def _shard_gradient(
        self,
        experience: Experience,
        minibatch: Minibatch,
        shard: SequenceSubset,
        coefficients: Coefficients,
        context: UpdateContext,
        epoch: int,
    ) -> GradientPart:
        inputs = experience.inputs.select(shard)
        targets = minibatch.targets(experience, shard)
        taught = None if experience.teaching is None else experience.teaching.select(shard)
        if self.native is not None:

            def loss_of(scores: Scores, values: torch.Tensor, logits: torch.Tensor) -> tuple[torch.Tensor, LossTerms]:
                terms = ppo_loss(self._settings.ppo, scores, values, targets, minibatch.denominators, coefficients)
                if taught is not None:
                    terms = self._taught(terms, logits, inputs, taught, minibatch, context)
                return terms.total, terms

            gradient, terms = self.native.gradient(inputs, context.exploration, loss_of)
            return gradient, term_row(terms)
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(
            features.actor, inputs.masks, inputs.extras, inputs.actions, context.exploration
        )
        values = self._policy.value_outputs(features)
        terms = ppo_loss(self._settings.ppo, scores, values, targets, minibatch.denominators, coefficients)
        if taught is not None:
            logits = self._policy.heads.logits(features.actor, taught.choices)
            terms = self._taught(terms, logits, inputs, taught, minibatch, context)
        loss = terms.total
        if self._settings.policy.auxiliary:
            loss = loss + auxiliary_loss(
                self._policy,
                self._settings.policy.auxiliary,
                features,
                inputs.extras,
                weight=targets.value_weights.sum() / minibatch.denominators.value,
                env_steps=context.env_steps,
                dropout_key=self._dropout_key(experience, shard, context, epoch),
            )
        gradients = torch.autograd.grad(loss, self.parameters.tensors, allow_unused=True)
        return self.parameters.flatten(gradients), term_row(terms)

    def _taught(
        self,
        terms: LossTerms,
        logits: torch.Tensor,
        inputs: PolicyInputs,
        taught: TeachingTargets,
        minibatch: Minibatch,
        context: UpdateContext,
    ) -> LossTerms:
        kickstarting, decisions = self._settings.kickstarting, minibatch.denominators.teaching
        assert kickstarting is not None, "a rollout is taught where the settings ask for it"
        assert decisions is not None, "minibatches of a taught rollout count its decisions"
        return add_kickstarting(
            terms,
            logits,
            inputs,
            taught,
            plan=self._policy.heads.plan,
            decisions=decisions,
            weight=value_at(kickstarting.weight, context.env_steps),
        )

    def _native_learner(self) -> NativeLearner | None:
        if why_torch_learns(self._policy, self._settings) is not None:
            return None
        return NativeLearner(self._policy, self.parameters, NativeNetwork(self._policy))

    def _dropout_key(
        self, experience: Experience, shard: SequenceSubset, context: UpdateContext, epoch: int
    ) -> DropoutKey | None:
        if not any(item.dropout for item in self._settings.policy.auxiliary.values()):
            return None
        decisions = torch.arange(len(experience.targets.values), device=experience.targets.values.device)
        return DropoutKey(context.seed, context.update, epoch, shard.select_decisions(decisions))

    @torch.no_grad()
    def _recompute_advantages(self, experience: Experience, context: UpdateContext) -> Experience:
        ppo = self._settings.ppo
        assert ppo.vtrace is not None
        subsets = experience.inputs.chunks(self._settings.execution.shard_sequences(experience.inputs.length))
        parts = self._workers.run([partial(self._log_ratios_and_values, experience, item, context) for item in subsets])
        log_ratios, values = torch.empty_like(experience.targets.values), torch.empty_like(experience.targets.values)
        decisions = torch.arange(len(values), device=values.device)
        for subset, (log_ratio, value) in zip(subsets, parts, strict=True):
            indices = subset.select_decisions(decisions)
            log_ratios[indices], values[indices] = log_ratio, value
        shape = experience.outcomes.rewards.shape
        correction = VtraceCorrection(
            ratios=log_ratios.exp().view(shape), rho_clip=ppo.vtrace.rho_clip, c_clip=ppo.vtrace.c_clip
        )
        params = GaeParams(gamma=ppo.gamma, gae_lambda=ppo.gae_lambda)
        return experience.with_vtrace(params, correction, values.view(shape))

    @torch.no_grad()
    def _log_ratios_and_values(
        self, experience: Experience, subset: SequenceSubset, context: UpdateContext
    ) -> tuple[torch.Tensor, torch.Tensor]:
        inputs = experience.inputs.select(subset)
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(
            features.actor, inputs.masks, inputs.extras, inputs.actions, context.exploration
        )
        old_log_probs = subset.select_decisions(experience.targets.log_probs)
        return (scores.log_probs - old_log_probs).sum(dim=1), self._policy.values(features)


def _sum_parts(parts: list[GradientPart]) -> tuple[torch.Tensor, torch.Tensor]:
    """Add gradients and terms, in order."""
    gradient = parts[0][0]
    for other, _ in parts[1:]:
        gradient.add_(other)
    return gradient, torch.stack([terms for _, terms in parts if terms is not None]).sum(dim=0)


def _mean_kl(rows: list[torch.Tensor]) -> float:
    """Return the mean approximate KL divergence of an epoch; waits for the device."""
    return float(torch.stack(rows)[:, APPROX_KL].mean()) if rows else 0.0


def _is_finite(gradient: torch.Tensor, terms: torch.Tensor) -> bool:
    """Return whether gradient and loss terms are finite; waits for the device."""
    return bool(torch.isfinite(torch.linalg.vector_norm(gradient)) & torch.isfinite(terms).all())


class HostUpdate:
    """PPO updates on the host: `begin` stores the rollout, `finish` learns from it.

    `cuda.update.DeviceUpdate` has the same two methods, but its `begin` starts the update on the device.

    Attributes:
        experience: The last experience.
    """

    experience: Experience

    def __init__(self, ppo: PpoUpdate, policy: Policy, settings: TrainerSettings, scaler: RewardScaler) -> None:
        """Update the policy with `ppo`; rewards are scaled by `scaler`."""
        self._ppo = ppo
        self._policy = policy
        self._settings = settings
        self._scaler = scaler
        self._pending: tuple[RolloutBuffer, UpdateContext, AuxiliaryLoss | None]

    def begin(self, rollout: RolloutBuffer, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None) -> None:
        """Store the rollout to learn from."""
        self._pending = rollout, context, auxiliary

    def finish(self) -> UpdateStatistics:
        """Learn from the rollout and return the statistics.

        Raises:
            TrainingDiverged: A statistic is NaN or infinite.
        """
        rollout, context, auxiliary = self._pending
        self.experience = prepare_rollout(rollout, self._policy, self._settings, self._scaler)
        return self._ppo.learn(self.experience, context, auxiliary)
