"""Headers of policy checkpoints, and loading of policies from checkpoints."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.validation import first_problem
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.runs.champions import CHAMPION_PREFIX, is_champion_id, open_champion
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import StoredPolicy, read_policy
from diorama.runs.checkpoints.headers import (
    PolicyCheckpoint,
    check_architecture,
    check_fits_world,
    check_shapes,
    observation_shape,
)
from diorama.runs.layout import RunLayout

if TYPE_CHECKING:
    from diorama.learn.policies.policy import Policy


def find_policy(name: str) -> Path:
    """Return the checkpoint that a name stands for: `champion/WORLD`, a run directory, or the file itself.

    Of a run directory it is the best one where checkpoints were judged, else the newest.

    Raises:
        UnknownName: There is no such champion or checkpoint.
    """
    if is_champion_id(name):
        return open_champion(name.removeprefix(CHAMPION_PREFIX)).policy_path()
    path = Path(name)
    return choose_checkpoint(RunLayout(path)) if path.is_dir() else path


def policy_checkpoint(
    spec: WorldSpec,
    policy: PolicySettings,
    normalization: NormalizationSettings,
    *,
    run_id: str,
    window_id: int,
    env_steps_total: int,
    created_at: str,
) -> PolicyCheckpoint:
    """Return the header of a checkpoint, with everything needed to build the policy again."""
    return PolicyCheckpoint(
        run_id=run_id,
        world=spec.world,
        window_id=window_id,
        env_steps_total=env_steps_total,
        created_at=created_at,
        interface_version=spec.interface_version,
        policy_arch=policy.arch,
        policy_settings={
            "policy": policy.model_dump(mode="json"),
            "normalization": normalization.model_dump(mode="json"),
        },
        obs_shape=observation_shape(spec),
        n_actions=len(spec.option_names),
    )


def load_policy(path: Path, spec: WorldSpec, *, sha256: str | None = None) -> "tuple[Policy, StoredPolicy]":
    """Build the policy of a checkpoint for a world.

    Args:
        path: A `ppo_torch_v1` file.
        spec: Contract of the world it is to play in.
        sha256: What its bytes must hash to, if that is known.

    Raises:
        UnknownName: There is no such file.
        CheckpointMismatch: It is of another world, interface, architecture or shape.
        DocumentError: It is broken.
    """
    from diorama.learn.policies.policy import Policy

    stored = read_policy(path, sha256=sha256)
    check_fits_world(stored.header, spec)
    settings, normalization = _settings(path, stored.header)
    check_architecture(stored.header, settings.arch)
    policy = Policy(spec, settings, normalization, seed=0)
    wanted = {name: tuple(tensor.shape) for name, tensor in policy.state_dict().items()}
    check_shapes({name: tuple(tensor.shape) for name, tensor in stored.tensors.items()}, wanted)
    policy.load_state_dict(stored.tensors)
    return policy.eval(), stored


def _settings(path: Path, header: PolicyCheckpoint) -> tuple[PolicySettings, NormalizationSettings]:
    stored = header.policy_settings
    try:
        return (
            PolicySettings.model_validate(stored.get("policy")),
            NormalizationSettings.model_validate(stored.get("normalization")),
        )
    except ValidationError as error:
        raise DocumentError(
            f"{path}: the settings of its policy are broken: {first_problem(error)}",
            code="policy_settings_invalid",
            path=path,
        ) from None
