"""`PpoUpdate`: learns from one rollout at a time."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final

import torch

from diorama.learn.native.learning import NativeLearner
from diorama.learn.native.network import NativeNetwork
from diorama.learn.native.support import why_torch_learns
from diorama.learn.parallel.gradients import add_over
from diorama.learn.parallel.minibatches import cut_together
from diorama.learn.parallel.statistics import merged_experience
from diorama.learn.parallel.team import Team
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo.advantages import Correction, Decay
from diorama.learn.ppo.auxiliary import Dropping, auxiliary_loss
from diorama.learn.ppo.experience import Experience
from diorama.learn.ppo.loss import Coefficients, ppo_loss
from diorama.learn.ppo.minibatches import Minibatch, Shuffling, cut_minibatches
from diorama.learn.ppo.optimizer import FlatAdam
from diorama.learn.ppo.parameters import FlatParameters
from diorama.learn.ppo.portions import Portion
from diorama.learn.ppo.statistics import UpdateStatistics, experience_moments, minibatch_row, read_statistics, term_row
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.workers import Workers

Part = tuple[torch.Tensor, torch.Tensor | None]  # a gradient, and the loss terms it belongs to where they are reported
APPROX_KL: Final = 4  # place among the loss terms
Companion = Callable[[int, int], list[Callable[[], Part]]]  # what else minibatch (pass, place) learns from


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where in the run an update happens, and how much its rollout explored."""

    seed: int
    update: int
    env_steps: int
    exploration: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Passes:
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

    def learn(self, experience: Experience, moment: Moment, companion: Companion | None = None) -> UpdateStatistics:
        """Pass over the experience and return what happened.

        Args:
            experience: An appraised rollout.
            moment: Where in the run it is.
            companion: Further work whose gradient is added to each minibatch's.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        return self._pass_over(experience, moment, companion).read()

    def _pass_over(self, experience: Experience, moment: Moment, companion: Companion | None) -> Passes:
        ppo = self._settings.ppo
        learning_rate = value_at(self._settings.optimizer.learning_rate, moment.env_steps)
        appraised, epochs_done, skipped = experience, 0, 0
        rows: list[torch.Tensor] = []
        for epoch in range(ppo.update_epochs):
            if epoch and ppo.vtrace is not None:
                appraised = self._appraise_again(experience, moment)
            begun, is_far = len(rows), False
            for place, minibatch in enumerate(self._minibatches(appraised, moment, epoch)):
                if self._native is not None:
                    self._native.refresh()
                tasks = self._shards(appraised, minibatch, moment, epoch)
                if companion is not None:
                    tasks += companion(epoch, place)
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
        return Passes(experience, rows, update=moment.update, epochs_done=epochs_done, skipped=skipped, team=self._team)

    def _minibatches(self, experience: Experience, moment: Moment, epoch: int) -> list[Minibatch]:
        shuffling = Shuffling(
            seed=moment.seed,
            update=moment.update,
            epoch=epoch,
            shard_sequences=self._settings.execution.shard_sequences(experience.sights.length),
        )
        if self._team is not None:
            return cut_together(self._team, experience, self._settings.ppo, shuffling)
        return cut_minibatches(experience, self._settings.ppo, shuffling)

    def _is_too_far(self, terms: torch.Tensor) -> bool:
        target = self._settings.ppo.target_kl
        return target is not None and float(terms[APPROX_KL]) > target

    def _shards(
        self, experience: Experience, minibatch: Minibatch, moment: Moment, epoch: int
    ) -> list[Callable[[], Part]]:
        coefficients = Coefficients(
            entropy=value_at(self._settings.ppo.ent_coef, moment.env_steps),
            value=value_at(self._settings.ppo.vf_coef, moment.env_steps),
            entropy_weights=self._policy.heads.plan.entropy_weights,
            value_unit=self._policy.value_scale.unit,
        )
        return [
            partial(self._shard, experience, minibatch, shard, coefficients, moment, epoch)
            for shard in minibatch.shards
        ]

    def _shard(
        self,
        experience: Experience,
        minibatch: Minibatch,
        shard: Portion,
        coefficients: Coefficients,
        moment: Moment,
        epoch: int,
    ) -> Part:
        sights = experience.sights.of(shard)
        known = minibatch.known(experience, shard)
        if self._native is not None:
            loss_of = partial(ppo_loss, self._settings.ppo, known=known, over=minibatch.over, coefficients=coefficients)
            gradient, terms = self._native.gradient(sights, moment.exploration, loss_of)
            return gradient, term_row(terms)
        starts = sights.starts.view(sights.length, -1)
        features, _ = self._policy.features(sights.obs, sights.obs_u8, sights.memory, starts)
        scores = self._policy.heads.score(
            features.actor, sights.masks, sights.extras, sights.actions, moment.exploration
        )
        values = self._policy.values(features)
        terms = ppo_loss(self._settings.ppo, scores, values, known, minibatch.over, coefficients)
        loss = terms.total
        if self._settings.policy.auxiliary:
            loss = loss + auxiliary_loss(
                self._policy,
                self._settings.policy.auxiliary,
                features,
                sights.extras,
                share=known.value_weights.sum() / minibatch.over.value,
                env_steps=moment.env_steps,
                dropping=self._dropping(experience, shard, moment, epoch),
            )
        gradients = torch.autograd.grad(loss, self.parameters.tensors, allow_unused=True)
        return self.parameters.flatten(gradients), term_row(terms)

    def _native_learner(self) -> NativeLearner | None:
        if why_torch_learns(self._policy, self._settings) is not None:
            return None
        return NativeLearner(self._policy, self.parameters, NativeNetwork(self._policy))

    def _dropping(self, experience: Experience, shard: Portion, moment: Moment, epoch: int) -> Dropping | None:
        if not any(item.dropout for item in self._settings.policy.auxiliary.values()):
            return None
        places = torch.arange(len(experience.known.values), device=experience.known.values.device)
        return Dropping(moment.seed, moment.update, epoch, shard.of_decisions(places))

    @torch.no_grad()
    def _appraise_again(self, experience: Experience, moment: Moment) -> Experience:
        """Correct the advantages for how far the policy and its values have moved."""
        ppo = self._settings.ppo
        assert ppo.vtrace is not None
        portions = experience.sights.in_order(self._settings.execution.shard_sequences(experience.sights.length))
        seen = self._workers.run([partial(self._score_now, experience, portion, moment) for portion in portions])
        log_ratios, values = torch.empty_like(experience.known.values), torch.empty_like(experience.known.values)
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
    def _score_now(self, experience: Experience, portion: Portion, moment: Moment) -> tuple[torch.Tensor, torch.Tensor]:
        sights = experience.sights.of(portion)
        starts = sights.starts.view(sights.length, -1)
        features, _ = self._policy.features(sights.obs, sights.obs_u8, sights.memory, starts)
        scores = self._policy.heads.score(
            features.actor, sights.masks, sights.extras, sights.actions, moment.exploration
        )
        before = portion.of_decisions(experience.known.log_probs)
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
