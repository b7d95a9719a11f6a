"""All weights of a policy in one row of memory, so that clipping and Adam are one call each."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn

_ALIGNMENT: Final = 16  # float32 entries, 64 bytes: products run at full speed and round alike wherever memory lies


class FlatParameters:
    """The weights as views of one tensor.

    Attributes:
        tensors: The weights, in the module's order.
        values: One long leaf tensor they are views of.
    """

    def __init__(self, module: nn.Module) -> None:
        """Move the module's weights; everyone who holds them keeps seeing them."""
        self.tensors: list[nn.Parameter] = list(module.parameters())
        self._offsets: list[int] = []
        length = 0
        for tensor in self.tensors:
            self._offsets.append(length)
            length += -(-tensor.numel() // _ALIGNMENT) * _ALIGNMENT
        self.values = torch.zeros(length, device=self.tensors[0].device)
        for tensor, offset in zip(self.tensors, self._offsets, strict=True):
            view = self.values[offset : offset + tensor.numel()].view(tensor.shape)
            view.copy_(tensor.data)
            tensor.data = view

    def parts(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Return what belongs to each weight in something laid out like the weights."""
        return [
            flat[offset : offset + tensor.numel()] for tensor, offset in zip(self.tensors, self._offsets, strict=True)
        ]

    def flatten(self, gradients: Sequence[torch.Tensor | None]) -> torch.Tensor:
        """Return gradients of the weights laid out like the weights; a weight without one has zeros."""
        flat = torch.zeros_like(self.values)
        for gradient, offset in zip(gradients, self._offsets, strict=True):
            if gradient is not None:
                flat[offset : offset + gradient.numel()] = gradient.reshape(-1)
        return flat
