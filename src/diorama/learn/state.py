"""`TrainerState`: everything a run needs to continue exactly where it stood."""

from dataclasses import dataclass

import torch

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerState:
    """A training between two updates.

    Attributes:
        tensors: By dotted name: `model_state_dict.…`, `optimizer_state_dict.…`, `normalizer_state_dict.…`,
            `rollout.…`; on the CPU.
        values: Counters and the seed; every draw is a function of these.
        snapshots: One per copy.
    """

    tensors: dict[str, torch.Tensor]
    values: JsonObject
    snapshots: list[bytes]


def prefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return copies on the CPU under dotted names."""
    return {f"{prefix}.{name}": tensor.detach().cpu().clone() for name, tensor in tensors.items()}


def unprefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tensors of one dotted name, without it."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }
