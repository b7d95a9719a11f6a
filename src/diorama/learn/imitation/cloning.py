"""Behavioral cloning: a warm-up before PPO, and a loss beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from diorama.learn.experience import Portion
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.imitation.judging import accuracy_of, answers_of
from diorama.learn.keyed_random import permutation
from diorama.learn.optimizer import FlatAdam, FlatParameters
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo import AuxiliaryLoss, Part
from diorama.learn.settings import CloningSettings, ExecutionSettings, OptimizerSettings
from diorama.learn.streams import DEMONSTRATIONS
from diorama.learn.workers import Workers

_WARM_UP = 0  # the companion's draws are numbered by update, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CloningReport:
    """How a warm-up went; accuracy is the share of imitable decisions whose likeliest option was the bot's."""

    decisions: int
    losses: tuple[float, ...]
    accuracy: float


class BehaviorCloning:
    """Pulls a policy toward demonstrations."""

    def __init__(
        self,
        policy: Policy,
        parameters: FlatParameters,
        demonstrations: Demonstrations,
        settings: CloningSettings,
        *,
        execution: ExecutionSettings,
        seed: int,
    ) -> None:
        """Take the demonstrations; nothing is learned yet."""
        self._policy = policy
        self._parameters = parameters
        self._shown = demonstrations
        self._settings = settings
        self._shard_sequences = execution.shard_sequences(demonstrations.inputs.length)
        self._seed = seed
        self._noise_free = (0.0,) * len(policy.heads.plan.heads)

    def warm_up(self, workers: Workers, optimizer: OptimizerSettings, epochs: int | None = None) -> CloningReport:
        """Imitate for so many passes, those of the settings unless given, with an optimizer of its own."""
        adam = FlatAdam(self._parameters, optimizer)
        losses = []
        for epoch in range(epochs or self._settings.epochs):
            order = permutation(self._seed, DEMONSTRATIONS, _WARM_UP, epoch, self._shown.inputs.sequences)
            passed = []
            for sequences in torch.split(order.to(self._device), self._sequences(self._settings.minibatch_rows)):
                gradients, losses_of_parts = zip(*workers.run(self._tasks(sequences, 1.0)), strict=True)
                adam.step(torch.stack(gradients).sum(dim=0), self._settings.learning_rate)
                passed.append(torch.stack(losses_of_parts).sum())
            losses.append(torch.stack(passed).mean())
        return CloningReport(
            decisions=len(self._shown.returns),
            losses=tuple(torch.stack(losses).tolist()),
            accuracy=accuracy_of(answers_of(self._policy, self._shown, self._shard_sequences), self._shown),
        )

    def beside(self, update: int, weight: float) -> AuxiliaryLoss:
        """Return what is to be learned beside each of PPO's minibatches of an update."""

        def tasks(epoch: int, place: int) -> list[Callable[[], Part]]:
            size = self._shown.inputs.sequences
            count = min(size, self._sequences(self._settings.anneal_rows))
            order = permutation(self._seed, DEMONSTRATIONS, 1 + update, epoch, size).to(self._device)
            chosen = order.roll(-place * count)[:count]
            return [partial(_silent, task) for task in self._tasks(chosen, weight)]

        return tasks

    @property
    def _device(self) -> torch.device:
        return self._shown.returns.device

    def _sequences(self, rows: int) -> int:
        return max(1, rows // self._shown.inputs.length)

    def _tasks(self, sequences: torch.Tensor, weight: float) -> list[Callable[[], tuple[torch.Tensor, torch.Tensor]]]:
        shards = self._shown.inputs.cut(sequences, self._shard_sequences)
        chosen = torch.cat([shard.of_decisions(self._shown.head_weights) for shard in shards])
        decisions = chosen.amax(dim=1).sum().clamp(min=1.0)
        valued = torch.cat([shard.of_decisions(self._shown.value_weights) for shard in shards]).sum().clamp(min=1.0)
        return [partial(self._part, shard, weight / decisions, weight / valued) for shard in shards]

    def _part(
        self, shard: Portion, policy_scale: torch.Tensor, value_scale: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, shown = self._shown.inputs.of(shard), self._shown
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, self._noise_free)
        loss = -(shard.of_decisions(shown.head_weights) * scores.log_probs).sum() * policy_scale
        errors = (self._policy.values(features) - shard.of_decisions(shown.returns)) / self._policy.value_scale.unit
        squares = (shard.of_decisions(shown.value_weights) * errors.square()).sum() * value_scale
        loss = loss + 0.5 * self._settings.value_coef * squares
        gradients = torch.autograd.grad(loss, self._parameters.tensors, allow_unused=True)
        return self._parameters.flatten(gradients), loss.detach()


def _silent(task: Callable[[], tuple[torch.Tensor, torch.Tensor]]) -> Part:
    gradient, _ = task()
    return gradient, None
