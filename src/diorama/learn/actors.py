"""`Actor`: chooses actions for the rows of one shard, with torch or with compiled code."""

from typing import Protocol

import torch

from diorama.learn.buffer import DecisionViews, StepViews
from diorama.learn.policies.distributions import Drawing
from diorama.learn.policies.heads import option_probabilities
from diorama.learn.policies.policy import Policy


class Actor(Protocol):
    """Takes the decisions of one lane, on one thread at a time."""

    def decide(
        self,
        shown: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        drawing: Drawing,
        written: DecisionViews,
    ) -> None:
        """Write one option per head and row, its log-probability, the values, and what is remembered.

        Args:
            shown: What the rows see; its values are written.
            masks: Of the options; None where all are valid.
            memory: What the rows remember; written.
            drawing: How to choose.
            written: Where actions and log-probabilities go.
        """

    def likelihoods(
        self, shown: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], written: DecisionViews
    ) -> torch.Tensor | None:
        """Return how likely every option was in the decision just taken, rows × options; None where nobody knows."""

    def appraise(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the value of each row; `starts` is 1 × rows."""


class TorchActor:
    """Decides with torch operations, on any device and for every policy."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy."""
        self._policy = policy
        self._features: torch.Tensor | None = None

    def decide(
        self,
        shown: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        drawing: Drawing,
        written: DecisionViews,
    ) -> None:
        """Write one option per head and row, its log-probability, the values, and what is remembered."""
        features, after = self._policy.features(shown.obs, shown.obs_u8, memory, shown.starts)
        memory.copy_(after)
        self._features = features.actor
        self._policy.heads.choose(
            features.actor, masks, shown.extras, drawing, actions=written.actions, log_probs=written.log_probs
        )
        shown.values.copy_(self._policy.values(features))

    def likelihoods(
        self, shown: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], written: DecisionViews
    ) -> torch.Tensor | None:
        """Return how likely every option was in the decision just taken."""
        if self._features is None:
            return None
        heads, chosen = self._policy.heads, written.actions
        return option_probabilities(heads, self._features, masks, shown.extras, chosen, exploration)

    def appraise(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the value of each row."""
        features, _ = self._policy.features(obs, obs_u8, memory, starts)
        return self._policy.values(features)
