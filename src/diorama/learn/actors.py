"""`Actor`: samples actions and computes values for the rows of one shard."""

from typing import Protocol

import torch

from diorama.learn.buffer import DecisionViews, StepViews
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.heads import option_probabilities
from diorama.learn.policies.policy import Policy


class Actor(Protocol):
    """Runs the policy for one shard of environments; used by one thread at a time."""

    def act(
        self,
        step: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        sampling: ActionSampling,
        out: DecisionViews,
    ) -> None:
        """Sample an action per row; write actions, log-probabilities, values and the next recurrent state.

        Args:
            step: Inputs of the policy; `step.values` is written.
            masks: Valid options, rows × options; None if all are valid.
            memory: Recurrent state, rows × memory width; replaced by the next state.
            sampling: How to sample.
            out: Receives actions and log-probabilities.
        """

    def probabilities(
        self, step: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], out: DecisionViews
    ) -> torch.Tensor | None:
        """Return the probabilities of all options in the last `act`, rows × options; None if they are not available."""

    def values(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the critic's outputs for each row; `starts` (1 × rows) is non-zero where an episode starts."""

    def total_values(self, values: torch.Tensor) -> torch.Tensor:
        """Return one value per row from the critic's outputs."""


class TorchActor:
    """Runs any policy with torch, on any device."""

    def __init__(self, policy: Policy) -> None:
        """Act with this policy."""
        self._policy = policy
        self._features: torch.Tensor | None = None

    def act(
        self,
        step: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        sampling: ActionSampling,
        out: DecisionViews,
    ) -> None:
        """Sample an action per row; write actions, log-probabilities, values and the next recurrent state."""
        features, next_memory = self._policy.features(step.obs, step.obs_u8, memory, step.starts)
        memory.copy_(next_memory)
        self._features = features.actor
        self._policy.heads.sample(
            features.actor, masks, step.extras, sampling, actions=out.actions, log_probs=out.log_probs
        )
        step.values.copy_(self._policy.value_outputs(features))

    def probabilities(
        self, step: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], out: DecisionViews
    ) -> torch.Tensor | None:
        """Return the probabilities of all options in the last `act`, rows × options."""
        if self._features is None:
            return None
        return option_probabilities(self._policy.heads, self._features, masks, step.extras, out.actions, exploration)

    def values(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the critic's outputs for each row."""
        features, _ = self._policy.features(obs, obs_u8, memory, starts)
        return self._policy.value_outputs(features)

    def total_values(self, values: torch.Tensor) -> torch.Tensor:
        """Return one value per row from the critic's outputs."""
        return self._policy.total_values(values)
