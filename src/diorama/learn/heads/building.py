"""Chooses the plainest heads that carry out a plan."""

import torch

from diorama.learn.heads.joint import JointHeads
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.heads.stepwise import StepwiseHeads


def build_heads(
    plan: HeadPlan, features: int, *, gain: float, generator: torch.Generator
) -> JointHeads | StepwiseHeads:
    """Return joint heads where no head waits for another, else stepwise ones."""
    kind = StepwiseHeads if plan.is_stepwise else JointHeads
    return kind(plan, features, gain=gain, generator=generator)
