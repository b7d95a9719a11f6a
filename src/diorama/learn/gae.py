"""Advantages of the decisions of a rollout: GAE, corrected by V-trace where asked for."""

from dataclasses import dataclass
from typing import Any

import torch

from diorama.learn import kernels
from diorama.native import load_native


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What advantages are computed from, all time-major.

    Attributes:
        rewards: Steps × rows.
        values: (Steps + 1) × rows.
        terminated: Steps × rows, uint8; nothing comes after.
        truncated: Steps × rows, uint8; what comes after is worth `bootstrap`.
        bootstrap: Steps × rows; read only where truncated.
    """

    rewards: torch.Tensor
    values: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor
    bootstrap: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """Discount per decision, and decay of advantages."""

    gamma: float
    gae_lambda: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """V-trace: how likely the decisions are now against when they were taken (steps × rows), and what counts of it."""

    ratios: torch.Tensor
    rho_clip: float
    c_clip: float


def compute_advantages(outcomes: Outcomes, decay: Decay, correction: Correction | None = None) -> torch.Tensor:
    """Return the advantage of every decision, steps × rows; the return it belongs to is advantage + value."""
    if not kernels.serves(outcomes.rewards):
        return advantages_in_torch(outcomes, decay, correction)
    advantages = torch.empty_like(outcomes.rewards)
    arrays = (outcomes.rewards, outcomes.values, outcomes.terminated, outcomes.truncated, outcomes.bootstrap)
    load_native().rollout_advantages(
        *(_array(array) for array in arrays),
        (decay.gamma, decay.gae_lambda),
        None if correction is None else (_array(correction.ratios), correction.rho_clip, correction.c_clip),
        advantages.numpy(),
    )
    return advantages


def advantages_in_torch(outcomes: Outcomes, decay: Decay, correction: Correction | None = None) -> torch.Tensor:
    """Do the same with torch operations on any device."""
    steps = len(outcomes.rewards)
    terminated, truncated = outcomes.terminated != 0, outcomes.truncated != 0
    next_values = torch.where(truncated, outcomes.bootstrap, outcomes.values[1:]).masked_fill(terminated, 0.0)
    differences = outcomes.rewards + decay.gamma * next_values - outcomes.values[:-1]
    reach = (decay.gamma * decay.gae_lambda) * (~(terminated | truncated)).to(differences.dtype)
    if correction is not None:
        differences = differences * correction.ratios.clamp(max=correction.rho_clip)
        reach = reach * correction.ratios.clamp(max=correction.c_clip)
    advantages = torch.empty_like(differences)
    carried = torch.zeros_like(differences[0])
    for step in reversed(range(steps)):
        carried = differences[step] + reach[step] * carried
        advantages[step] = carried
    return advantages


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().contiguous().numpy()
