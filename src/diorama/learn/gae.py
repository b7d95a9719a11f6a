"""Generalized advantage estimation, with an optional V-trace correction."""

from dataclasses import dataclass
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
    """

    rewards: torch.Tensor
    values: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor
    bootstrap: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class GaeParams:
    """Discount factor and GAE lambda."""

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
    """Return the advantage of every decision, steps × rows; advantage + value is its return."""
    if not kernels.can_use_native(outcomes.rewards):
        return advantages_in_torch(outcomes, params, correction)
    advantages = torch.empty_like(outcomes.rewards)
    arrays = (outcomes.rewards, outcomes.values, outcomes.terminated, outcomes.truncated, outcomes.bootstrap)
    load_native().rollout_advantages(
        *(_array(array) for array in arrays),
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
    deltas = outcomes.rewards + params.gamma * next_values - outcomes.values[:-1]
    factors = (params.gamma * params.gae_lambda) * (~(terminated | truncated)).to(deltas.dtype)
    if correction is not None:
        deltas = deltas * correction.ratios.clamp(max=correction.rho_clip)
        factors = factors * correction.ratios.clamp(max=correction.c_clip)
    advantages = torch.empty_like(deltas)
    advantage = torch.zeros_like(deltas[0])
    for step in reversed(range(steps)):
        advantage = deltas[step] + factors[step] * advantage
        advantages[step] = advantage
    return advantages


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().contiguous().numpy()
