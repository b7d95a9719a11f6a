"""Behavior cloning: pretraining before PPO, and an auxiliary loss beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import torch

from diorama.learn.experience import SequenceSubset
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.imitation.stopping import StopCheck, never_stop
from diorama.learn.imitation.validation import accuracy, predict
from diorama.learn.keyed_random import permutation
from diorama.learn.native import NativeLearner
from diorama.learn.optimizer import FlatAdam, FlatParameters
from diorama.learn.policies.distributions import Scores
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo import AuxiliaryLoss, GradientPart
from diorama.learn.settings import CloningSettings, ExecutionSettings, OptimizerSettings
from diorama.learn.streams import DEMONSTRATIONS
from diorama.learn.workers import Workers

_SHARD_DECISIONS: Final = 2048
_PRETRAINING = 0  # the auxiliary loss numbers its draws by update, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CloningReport:
    """Result of pretraining.

    Attributes:
        decisions: Number of demonstrated decisions.
        losses: Mean loss of each epoch.
        accuracy: Share of decisions with a choice in which the policy's most likely actions are the expert's.
    """

    decisions: int
    losses: tuple[float, ...]
    accuracy: float


class BehaviorCloning:
    """Trains a policy to imitate demonstrations, by cross-entropy and a squared error of the values."""

    def __init__(
        self,
        policy: Policy,
        parameters: FlatParameters,
        demonstrations: Demonstrations,
        settings: CloningSettings,
        *,
        execution: ExecutionSettings,
        seed: int,
        native: NativeLearner | None = None,
    ) -> None:
        """Store the demonstrations; nothing is trained yet.

        Args:
            policy: Is trained in place.
            parameters: Of the policy.
            demonstrations: What is imitated.
            settings: Of the cloning.
            execution: Shards and devices.
            seed: Of the order of minibatches.
            native: Computes the gradients of the policy; None lets torch.
        """
        self._policy = policy
        self._parameters = parameters
        self._demonstrations = demonstrations
        self._settings = settings
        self._native = native
        # Minibatches of long sequences are small: each thread gets some of its decisions.
        self._shard_sequences = min(
            execution.shard_sequences(demonstrations.inputs.length),
            max(1, _SHARD_DECISIONS // demonstrations.inputs.length),
        )
        self._seed = seed
        self._noise_free = (0.0,) * len(policy.heads.plan.heads)

    def pretrain(
        self,
        workers: Workers,
        optimizer: OptimizerSettings,
        epochs: int | None = None,
        *,
        check_stop: StopCheck = never_stop,
    ) -> CloningReport:
        """Train on the demonstrations alone, with a new optimizer.

        Args:
            workers: Threads that compute the gradients of shards.
            optimizer: Settings of Adam.
            epochs: Passes over the demonstrations; those of the settings by default.
            check_stop: Called before every optimizer step.
        """
        adam = FlatAdam(self._parameters, optimizer)
        losses = []
        for epoch in range(epochs or self._settings.epochs):
            order = permutation(self._seed, DEMONSTRATIONS, _PRETRAINING, epoch, self._demonstrations.inputs.sequences)
            epoch_losses = []
            for sequences in torch.split(order.to(self._device), self._sequences(self._settings.minibatch_rows)):
                check_stop()
                if self._native is not None:
                    self._native.load_weights()
                gradients, shard_losses = zip(*workers.run(self._tasks(sequences, 1.0)), strict=True)
                adam.step(torch.stack(gradients).sum(dim=0), self._settings.learning_rate)
                epoch_losses.append(torch.stack(shard_losses).sum())
            losses.append(torch.stack(epoch_losses).mean())
        return CloningReport(
            decisions=len(self._demonstrations.returns),
            losses=tuple(torch.stack(losses).tolist()),
            accuracy=accuracy(predict(self._policy, self._demonstrations, self._shard_sequences), self._demonstrations),
        )

    def auxiliary_loss(self, update: int, weight: float) -> AuxiliaryLoss:
        """Return the cloning loss that PPO adds to each minibatch of an update."""

        def tasks(epoch: int, minibatch: int) -> list[Callable[[], GradientPart]]:
            size = self._demonstrations.inputs.sequences
            count = min(size, self._sequences(self._settings.anneal_rows))
            order = permutation(self._seed, DEMONSTRATIONS, 1 + update, epoch, size).to(self._device)
            chosen = order.roll(-minibatch * count)[:count]
            return [partial(_without_loss, task) for task in self._tasks(chosen, weight)]

        return tasks

    @property
    def _device(self) -> torch.device:
        return self._demonstrations.returns.device

    def _sequences(self, rows: int) -> int:
        return max(1, rows // self._demonstrations.inputs.length)

    def _tasks(self, sequences: torch.Tensor, weight: float) -> list[Callable[[], tuple[torch.Tensor, torch.Tensor]]]:
        shards = self._demonstrations.inputs.split(sequences, self._shard_sequences)
        head_weights = torch.cat([shard.select_decisions(self._demonstrations.head_weights) for shard in shards])
        value_weights = torch.cat([shard.select_decisions(self._demonstrations.value_weights) for shard in shards])
        decisions = head_weights.amax(dim=1).sum().clamp(min=1.0)
        valued = value_weights.sum().clamp(min=1.0)
        return [partial(self._shard_gradient, shard, weight / decisions, weight / valued) for shard in shards]

    def _shard_gradient(
        self, shard: SequenceSubset, policy_scale: torch.Tensor, value_scale: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        demonstrations = self._demonstrations
        inputs = demonstrations.inputs.select(shard)

        def loss_of(scores: Scores, values: torch.Tensor, _: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
            loss = -(shard.select_decisions(demonstrations.head_weights) * scores.log_probs).sum() * policy_scale
            errors = self._policy.total_values(values) - shard.select_decisions(demonstrations.returns)
            errors = errors / self._policy.value_scale.unit
            squares = (shard.select_decisions(demonstrations.value_weights) * errors.square()).sum() * value_scale
            total = loss + 0.5 * self._settings.value_coef * squares
            return total, total.detach()

        if self._native is not None:
            return self._native.gradient(inputs, self._noise_free, loss_of)
        starts = inputs.starts.view(inputs.length, -1)
        features, _ = self._policy.features(inputs.obs, inputs.obs_u8, inputs.memory, starts)
        scores = self._policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, self._noise_free)
        total, loss = loss_of(scores, self._policy.value_outputs(features), None)
        gradients = torch.autograd.grad(total, self._parameters.tensors, allow_unused=True)
        return self._parameters.flatten(gradients), loss


def _without_loss(task: Callable[[], tuple[torch.Tensor, torch.Tensor]]) -> GradientPart:
    gradient, _ = task()
    return gradient, None
