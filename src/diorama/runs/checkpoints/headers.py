"""What checkpoints say about themselves, and whether they fit."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from diorama.contracts.errors import CheckpointMismatch
from diorama.contracts.spec import WorldSpec
from diorama.runs.documents import Document, Int64, RawObject

Shape: TypeAlias = tuple[int, ...]


class RandomCheckpoint(Document, frozen=True, kw_only=True):
    """A moment of a run that learns nothing; the whole of a `json_v1` file."""

    checkpoint_format: Literal["json_v1"] = "json_v1"
    run_id: str
    world: str
    window_id: Int64
    env_steps_total: Int64
    trainer_backend: Literal["random"] = "random"
    created_at: str


class PolicyCheckpoint(Document, frozen=True, kw_only=True):
    """What a `ppo_torch_v1` file holds beside the tensors.

    Attributes:
        policy_arch: Name of the architecture.
        policy_settings: What the architecture needs to be built again, beside the world's contract.
        obs_shape: Shape of one observation, floats and bytes together.
        n_actions: Options of all heads.
    """

    checkpoint_format: Literal["ppo_torch_v1"] = "ppo_torch_v1"
    run_id: str
    world: str
    window_id: Int64
    env_steps_total: Int64
    trainer_backend: Literal["ppo"] = "ppo"
    created_at: str
    interface_version: str
    policy_arch: str
    policy_settings: RawObject
    obs_shape: Shape
    n_actions: Int64


CheckpointHeader: TypeAlias = RandomCheckpoint | PolicyCheckpoint


def observation_shape(spec: WorldSpec) -> Shape:
    """Return the `obs_shape` of a world."""
    return (spec.obs_width + spec.obs_u8_width,)


def check_fits_world(checkpoint: PolicyCheckpoint, spec: WorldSpec) -> None:
    """Refuse a policy that cannot see or act in a world.

    Raises:
        CheckpointMismatch: With the first thing that differs.
    """
    wanted = {
        "world": spec.world,
        "interface version": spec.interface_version,
        "observation shape": observation_shape(spec),
        "number of actions": len(spec.option_names),
    }
    found = {
        "world": checkpoint.world,
        "interface version": checkpoint.interface_version,
        "observation shape": checkpoint.obs_shape,
        "number of actions": checkpoint.n_actions,
    }
    for name, value in wanted.items():
        if found[name] != value:
            raise CheckpointMismatch(f"the checkpoint has {name} {found[name]!r}; this needs {value!r}")


def check_architecture(checkpoint: PolicyCheckpoint, policy_arch: str) -> None:
    """Refuse a policy of another architecture.

    Raises:
        CheckpointMismatch: With both names.
    """
    if checkpoint.policy_arch != policy_arch:
        raise CheckpointMismatch(f"the checkpoint holds a {checkpoint.policy_arch!r} policy; this is a {policy_arch!r}")


def check_shapes(found: Mapping[str, Sequence[int]], wanted: Mapping[str, Sequence[int]]) -> None:
    """Refuse tensors that are not exactly those of a module.

    Args:
        found: Shape of every stored tensor.
        wanted: Shape of every tensor of the module.

    Raises:
        CheckpointMismatch: With every name that is missing, left over or of another shape.
    """
    missing = [f"{name} is missing" for name in sorted(wanted.keys() - found.keys())]
    left_over = [f"{name} is not part of this policy" for name in sorted(found.keys() - wanted.keys())]
    reshaped = [
        f"{name} is {tuple(found[name])} and must be {tuple(wanted[name])}"
        for name in sorted(found.keys() & wanted.keys())
        if tuple(found[name]) != tuple(wanted[name])
    ]
    problems = missing + left_over + reshaped
    if problems:
        raise CheckpointMismatch(f"the checkpoint does not fit the policy: {'; '.join(problems)}")
