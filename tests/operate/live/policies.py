"""Policies that nobody trained, for the worlds they are to decide in."""

from pathlib import Path

from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.layout import RunLayout
from diorama.worlds.registry import load_world
from tests.runs.kept_policies import keep_untrained

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
    layout = RunLayout(runs / run_id)
    keep_untrained(layout, spec, arch, window_id=1)
    return newest_checkpoint(layout)
