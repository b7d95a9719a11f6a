"""Generalized advantage estimation, with an optional V-trace correction."""

from dataclasses import dataclass, replace
from typing import Any

import torch

from diorama.learn import kernels
from diorama.native import load_native


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Rewards, values and episode ends of a rollout, time-major.

    Attributes:
        rewards: Steps × rows.
        values: (Steps + 1) × rows.
        terminated: Steps × rows, uint8; the next value counts as 0.
        truncated: Steps × rows, uint8; the next value is `bootstrap`.
        bootstrap: Steps × rows; read only where truncated.
        dt: Steps × rows, float64; ticks of each decision, by which it is discounted. None discounts all alike.
    """

    rewards: torch.Tensor
    values: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor
    bootstrap: torch.Tensor
    dt: torch.Tensor | None = None

    def component(self, index: int) -> "Outcomes":
        """Return the outcomes of one component of the reward."""
        rewards, values, bootstrap = (array[..., index] for array in (self.rewards, self.values, self.bootstrap))
        return replace(self, rewards=rewards, values=values, bootstrap=bootstrap)

    def weighted(self, weights: torch.Tensor) -> "Outcomes":
        """Return the outcomes of the weighted sum of all components."""
        rewards, values, bootstrap = (array @ weights for array in (self.rewards, self.values, self.bootstrap))
        return replace(self, rewards=rewards, values=values, bootstrap=bootstrap)

    def discounts(self, gamma: float) -> torch.Tensor | None:
        """Return gamma to the power of the ticks of each decision, float64; None if gamma discounts every decision."""
        return None if self.dt is None else gamma**self.dt


@dataclass(frozen=True, slots=True, kw_only=True)
class GaeParams:
    """Discount factor, per decision or per tick, and GAE lambda per decision."""

    gamma: float
    gae_lambda: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VtraceCorrection:
    """V-trace: probability ratios of the actions, new policy / behavior policy (steps × rows), and their clips."""

    ratios: torch.Tensor
    rho_clip: float
    c_clip: float


def compute_advantages(
    outcomes: Outcomes, params: GaeParams, correction: VtraceCorrection | None = None
) -> torch.Tensor:
    """Return the advantage of every decision, shaped like the rewards; advantage + value is its return.

    With components (rewards are steps × rows × components) each component has advantages of its own.
    """
    if outcomes.rewards.dim() > 2:
        parts = [outcomes.component(index) for index in range(outcomes.rewards.shape[2])]
        return torch.stack([compute_advantages(part, params, correction) for part in parts], dim=2)
    if not kernels.can_use_native(outcomes.rewards):
        return advantages_in_torch(outcomes, params, correction)
    advantages = torch.empty_like(outcomes.rewards)
    discounts = outcomes.discounts(params.gamma)
    arrays = (outcomes.rewards, outcomes.values, outcomes.terminated, outcomes.truncated, outcomes.bootstrap)
    load_native().rollout_advantages(
        *(_array(array) for array in arrays),
        None if discounts is None else _array(discounts.to(outcomes.rewards.dtype)),
        (params.gamma, params.gae_lambda),
        None if correction is None else (_array(correction.ratios), correction.rho_clip, correction.c_clip),
        advantages.numpy(),
    )
    return advantages


def advantages_in_torch(
    outcomes: Outcomes, params: GaeParams, correction: VtraceCorrection | None = None
) -> torch.Tensor:
    """Compute the same with torch operations, on any device."""
    steps = len(outcomes.rewards)
    terminated, truncated = outcomes.terminated != 0, outcomes.truncated != 0
    next_values = torch.where(truncated, outcomes.bootstrap, outcomes.values[1:]).masked_fill(terminated, 0.0)
    deltas = outcomes.rewards + discounted(next_values, outcomes, params.gamma) - outcomes.values[:-1]
    # Advantages are discounted in float32, but by a product of gamma and lambda that is rounded only once.
    factors = discounted((~(terminated | truncated)).to(deltas.dtype), outcomes, params.gamma, params.gae_lambda)
    if correction is not None:
        deltas = deltas * correction.ratios.clamp(max=correction.rho_clip)
        factors = factors * correction.ratios.clamp(max=correction.c_clip)
    advantages = torch.empty_like(deltas)
    advantage = torch.zeros_like(deltas[0])
    for step in reversed(range(steps)):
        advantage = deltas[step] + factors[step] * advantage
        advantages[step] = advantage
    return advantages


def discounted(following: torch.Tensor, outcomes: Outcomes, gamma: float, factor: float = 1.0) -> torch.Tensor:
    """Return what follows each decision (steps × rows), discounted and multiplied by a factor."""
    discounts = outcomes.discounts(gamma)
    if discounts is None:
        return gamma * factor * following
    return (discounts * factor).to(following.dtype) * following


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().contiguous().numpy()
