"""Policies that nobody trained, as runs keep them."""

from pathlib import Path

import torch

from diorama.contracts.spec import WorldSpec
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.runs.checkpoints.files import MODEL_PREFIX, open_policy, write_checkpoint
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.layout import RunLayout
from diorama.training.policy_files import policy_checkpoint

CREATED_AT = "2026-01-01T00:00:00.000Z"


def keep_untrained(
    layout: RunLayout, spec: WorldSpec, arch: str, *, window_id: int = 0, seed: int = 3, actor_gain: float = 2.0
) -> Policy:
    """Write a policy as it is before it has learned anything as a checkpoint of a run; return it."""
    settings, normalization = PolicySettings(arch=arch, actor_gain=actor_gain), NormalizationSettings()
    policy = Policy(spec, settings, normalization, seed=seed).eval()
    run_id = layout.directory.name
    header = policy_checkpoint(
        spec, settings, normalization, run_id=run_id, window_id=window_id, env_steps_total=0, created_at=CREATED_AT
    )
    write_checkpoint(layout, header, {MODEL_PREFIX + name: tensor for name, tensor in policy.state_dict().items()})
    return policy


def kept_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read the tensors of a policy's checkpoint under the names of the module's own state."""
    with open_policy(path) as file:
        return {name: tensor.clone() for name, tensor in file.tensors().items()}


def keep_dice(layout: RunLayout) -> None:
    """Write the checkpoint of a run that draws its actions by lot."""
    header = RandomCheckpoint(
        run_id=layout.directory.name, world="prospector", window_id=0, env_steps_total=1, created_at=CREATED_AT
    )
    write_checkpoint(layout, header, {})
