"""Headers of policy checkpoints, and loading of policies from checkpoints."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.validation import first_problem
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.runs.champions import CHAMPION_PREFIX, is_champion_id, open_champion
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import StoredPolicy, open_policy
from diorama.runs.checkpoints.headers import (
    PolicyCheckpoint,
    check_architecture,
    check_fits_world,
    check_shapes,
    observation_shape,
)
from diorama.runs.layout import RunLayout
from diorama.storage.artifact_files import named_file

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
    return choose_checkpoint(RunLayout(path)) if path.is_dir() else named_file(path)


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


def load_policy(
    path: Path, spec: WorldSpec, *, sha256: str | None = None, within: Path | None = None
) -> "tuple[Policy, StoredPolicy]":
    """Build the policy of a checkpoint for a world.

    Nothing is built, and no tensor is read, before the architecture that the file declares was compared with the
    world, with the limits of the settings and with the shapes of its tensors.

    Args:
        path: A `ppo_torch_v1` file.
        spec: Contract of the world it is to play in.
        sha256: What its bytes must hash to, if that is known.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is no such file.
        CheckpointMismatch: It is of another world, interface, architecture or shape.
        DocumentError: It is broken.
    """
    with open_policy(path, sha256=sha256, within=within) as file:
        check_fits_world(file.stored.header, spec)
        settings, normalization = _settings(path, file.stored.header)
        check_architecture(file.stored.header, settings.arch)
        try:
            policy = blank_policy(spec, settings, normalization)
        except (ConfigError, UnknownName) as error:
            raise _broken_settings(path, str(error)) from None
        wanted = policy.state_dict()
        check_shapes(file.shapes, {name: tensor.shape for name, tensor in wanted.items()})
        # Copied, because what was read is the file itself, which another process may take away.
        tensors = {name: tensor.to(wanted[name].dtype, copy=True) for name, tensor in file.tensors().items()}
    policy.load_state_dict(tensors, assign=True)
    return policy.eval(), file.stored


def blank_policy(spec: WorldSpec, policy: PolicySettings, normalization: NormalizationSettings) -> "Policy":
    """Return a policy whose tensors have shapes and no memory: it takes milliseconds, however large it is.

    Raises:
        UnknownName: The settings name what the world does not have.
        ConfigError: They contradict themselves.
    """
    import torch

    from diorama.learn.policies.policy import Policy

    with torch.device("meta"):
        return Policy(spec, policy, normalization, seed=0)


def _settings(path: Path, header: PolicyCheckpoint) -> tuple[PolicySettings, NormalizationSettings]:
    stored = header.policy_settings
    try:
        return (
            PolicySettings.model_validate(stored.get("policy")),
            NormalizationSettings.model_validate(stored.get("normalization")),
        )
    except ValidationError as error:
        raise _broken_settings(path, first_problem(error)) from None


def _broken_settings(path: Path, problem: str) -> DocumentError:
    return DocumentError(
        f"{path}: the settings of its policy are broken: {problem}", code="policy_settings_invalid", path=path
    )
