"""Policies that nobody trained, as runs keep them."""

from pathlib import Path

from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.runs.checkpoints.files import MODEL_PREFIX, checkpoint_path, write_checkpoint
from diorama.runs.checkpoints.policies import policy_checkpoint
from diorama.runs.layout import RunLayout
from diorama.worlds.registry import load_world

WITH_MEMORY = "lstm-16-v1"


def untrained_policy(
    runs: Path,
    world_id: str,
    *,
    arch: str = WITH_MEMORY,
    run_id: str = "novice",
    config: dict[str, object] | None = None,
) -> Path:
    """Write the checkpoint of a policy as it is before it has learned anything; return its file."""
    world = load_world(world_id)
    spec = world.describe(world.config_type.model_validate(config or {}))
    settings, normalization = PolicySettings(arch=arch, actor_gain=2.0), NormalizationSettings()
    policy = Policy(spec, settings, normalization, seed=3)
    header = policy_checkpoint(
        spec,
        settings,
        normalization,
        run_id=run_id,
        window_id=1,
        env_steps_total=0,
        created_at="2026-01-01T00:00:00.000Z",
    )
    layout = RunLayout(runs / run_id)
    write_checkpoint(layout, header, {f"{MODEL_PREFIX}{name}": item for name, item in policy.state_dict().items()})
    return checkpoint_path(layout, header)
