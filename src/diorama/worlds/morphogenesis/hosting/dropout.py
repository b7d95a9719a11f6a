"""Dropout that draws from a named stream and never from the library's own state."""

import torch
from numpy.random import Generator
from torch import Tensor, nn

from diorama.worlds.morphogenesis.contracts.errors import WorldStateError


class StreamDropout(nn.Module):
    """Drops values while training; whoever trains sets `draws` to the epoch's stream first."""

    def __init__(self, share: float) -> None:
        """Drop this share of the values."""
        super().__init__()
        self.share = share
        self.draws: Generator | None = None

    def forward(self, features: Tensor) -> Tensor:
        """Drop and scale up what stays, or pass everything."""
        if not self.training or self.share == 0.0:
            return features
        if self.draws is None:
            raise WorldStateError("dropout has no stream; set `draws` before an epoch is trained")
        keeps = torch.from_numpy(self.draws.random(tuple(features.shape)) >= self.share)
        return features * keeps.to(features.device, features.dtype) / (1.0 - self.share)
