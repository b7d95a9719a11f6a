"""A copy of tensors to go back to, and the check that going back really brought them back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.errors import RollbackFailed


@dataclass(frozen=True, slots=True)
class TensorSnapshot:
    """Copies of named tensors, on the device they came from."""

    tensors: Mapping[str, Tensor]

    @classmethod
    def take(cls, tensors: Iterable[tuple[str, Tensor]]) -> Self:
        """Copy tensors."""
        return cls({name: tensor.detach().clone() for name, tensor in tensors})

    def put_back(self, tensors: Iterable[tuple[str, Tensor]]) -> None:
        """Write the copies into the tensors of the same names; nothing is written unless all of them fit.

        Raises:
            RollbackFailed: A tensor is missing or left over, has another shape, or the copy of it is not finite.
        """
        targets = dict(tensors)
        missing, unexpected = sorted(self.tensors.keys() - targets), sorted(targets.keys() - self.tensors)
        if missing or unexpected:
            raise RollbackFailed(f"the snapshot does not fit: missing {missing}, unexpected {unexpected}")
        for name, kept in self.tensors.items():
            shape, wanted = tuple(kept.shape), tuple(targets[name].shape)
            if shape != wanted:
                raise RollbackFailed(f"the snapshot holds {name!r} of shape {shape}; the host has {wanted}")
            if not bool(torch.isfinite(kept).all()):
                raise RollbackFailed(f"the snapshot of {name!r} is not finite")
        with torch.no_grad():
            for name, kept in self.tensors.items():
                targets[name].copy_(kept)
