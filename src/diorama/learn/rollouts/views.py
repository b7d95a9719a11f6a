"""A lane's parts of a rollout, sliced once: a dozen small calls saved per decision."""

from dataclasses import dataclass

import torch

from diorama.contracts.values import I32
from diorama.learn.rollouts.rollout import SHOWN, Rollout


@dataclass(frozen=True, slots=True)
class StepViews:
    """What a decision is taken from, and the value it is given."""

    obs: torch.Tensor
    obs_u8: torch.Tensor
    starts: torch.Tensor
    masks: torch.Tensor
    extras: dict[str, torch.Tensor]
    values: torch.Tensor


@dataclass(frozen=True, slots=True)
class DecisionViews:
    """Where a decision is written: on the policy's device, and where the core reads it."""

    actions: torch.Tensor
    log_probs: torch.Tensor
    host_actions: torch.Tensor
    sent: I32

    def send(self) -> None:
        """Bring the actions to where the core reads them; where both are one memory there is nothing to do."""
        if self.host_actions is not self.actions:
            self.host_actions.copy_(self.actions)


def step_views(rollout: Rollout, step: int, rows: slice) -> StepViews:
    """Return the views of one step and a run of rows."""
    seen = rollout.seen
    return StepViews(
        obs=seen["obs"][step, rows],
        obs_u8=seen["obs_u8"][step, rows],
        starts=seen["episode_start"][step : step + 1, rows],
        masks=seen["masks"][step, rows],
        extras={name: array[step, rows] for name, array in rollout.extras.items()},
        values=rollout.values[step, rows],
    )


def decision_views(rollout: Rollout, step: int, rows: slice) -> DecisionViews:
    """Return the views of one decision and a run of rows."""
    actions = rollout.actions[step, rows]
    host_actions = actions if rollout.actions is rollout.host_actions else rollout.host_actions[step, rows]
    return DecisionViews(actions, rollout.log_probs[step, rows], host_actions, host_actions.numpy())


def show_step(rollout: Rollout, step: int, rows: slice) -> None:
    """Bring what the core wrote for a step of some rows to the policy's device, if that has memory of its own."""
    if not rollout.is_apart:
        return
    for name in SHOWN:
        rollout.seen[name][step, rows].copy_(rollout.host[name][step, rows], non_blocking=True)
    for name, array in rollout.host_extras.items():
        rollout.extras[name][step, rows].copy_(array[step, rows], non_blocking=True)
