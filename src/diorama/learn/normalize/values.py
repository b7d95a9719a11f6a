"""Lets the critic predict returns in units of their own deviation."""

from typing import Final

import torch
from torch import nn

from diorama.learn.normalize.moments import RunningMoments, block_moments

_EPSILON: Final = 1e-4
_ALIKE: Final = 32  # fewer returns say too little of their spread to lean on the newest


class ValueScale(nn.Module):
    """The unit of the critic's last layer; when it changes, the layer is rescaled so that no value jumps.

    Attributes:
        unit: Deviation of returns, 1 before the first update.
    """

    unit: torch.Tensor

    def __init__(self, momentum: float | None) -> None:
        """Start with unit 1."""
        super().__init__()
        self.moments = RunningMoments(1, momentum, alike=_ALIKE)
        self.register_buffer("unit", torch.ones(()))

    @torch.no_grad()
    def update(self, returns: torch.Tensor, weights: torch.Tensor, last_layer: nn.Linear) -> None:
        """Take in the returns whose weight is not 0 and rescale the layer that predicts them."""
        kept = (weights.reshape(-1) > 0).to(returns.dtype)
        self.moments.absorb(*block_moments(returns.reshape(-1, 1), kept))
        unit = (self.moments.variance + _EPSILON).sqrt().to(self.unit.dtype).reshape(())
        last_layer.weight.mul_(self.unit / unit)
        last_layer.bias.mul_(self.unit / unit)
        self.unit.copy_(unit)
