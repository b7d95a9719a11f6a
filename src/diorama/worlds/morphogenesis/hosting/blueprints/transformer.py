"""Seeds of a transformer host. Features are (batch, positions, width).

The last projection starts at zero and nothing follows it, so that no gain is needed.
"""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from diorama.worlds.morphogenesis.hosting.attention import CausalSelfAttention
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule
from diorama.worlds.morphogenesis.hosting.initialization import linear

SEED_HEADS: Final = 4
MIN_WINDOW: Final = 16
WINDOW_SHARE: Final = 4


class NormSeed(SeedModule):
    """Moves toward the normalized features as far as one scalar says."""

    def __init__(self, width: int) -> None:
        """Build for a width."""
        super().__init__()
        self.scale = nn.Parameter(torch.empty(()))
        self.norm = nn.LayerNorm(width)

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start the scalar at zero."""
        return {"scale": 0.0}

    def residual(self, features: Tensor) -> Tensor:
        """Return a share of the way to the normalized features."""
        normalized: Tensor = self.norm(features)
        return torch.tanh(self.scale) * (normalized - features)


class LoraSeed(SeedModule):
    """A linear map of low rank."""

    def __init__(self, width: int, rank: int) -> None:
        """Build for a width and a rank."""
        super().__init__()
        self.down = linear(width, rank, bias=False)
        self.up = linear(rank, width, bias=False)

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start the way up at zero."""
        return {"up.weight": 0.0}

    def residual(self, features: Tensor) -> Tensor:
        """Map down and up again."""
        mapped: Tensor = self.up(self.down(features))
        return mapped


class MlpSeed(SeedModule):
    """Two layers with a wider one in between."""

    def __init__(self, width: int, expansion: int) -> None:
        """Build for a width and how many times wider it gets."""
        super().__init__()
        self.wide = linear(width, expansion * width)
        self.narrow = linear(expansion * width, width)

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start the second layer at zero."""
        return {"narrow.weight": 0.0, "narrow.bias": 0.0}

    def residual(self, features: Tensor) -> Tensor:
        """Map through both layers."""
        mapped: Tensor = self.narrow(gelu(self.wide(features)))
        return mapped


class AttentionSeed(SeedModule):
    """Causal self-attention, of all earlier positions or the last few."""

    def __init__(self, width: int, *, window: int | None = None) -> None:
        """Build for a width, which four must divide."""
        super().__init__()
        self.attention = CausalSelfAttention(width, SEED_HEADS, window=window)

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start the output projection at zero."""
        return {"attention.out.weight": 0.0, "attention.out.bias": 0.0}

    def residual(self, features: Tensor) -> Tensor:
        """Attend."""
        seen: Tensor = self.attention(features)
        return seen


def window_of(block_size: int) -> int:
    """Return how many keys a query of the windowed attention sees."""
    return max(MIN_WINDOW, block_size // WINDOW_SHARE)
