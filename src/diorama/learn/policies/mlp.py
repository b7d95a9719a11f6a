"""Encoders of flat observations."""

import math
from collections.abc import Mapping
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.policies.layers import ACTIVATIONS, hidden_layers, orthogonal_linear

_HIDDEN_GAIN: Final = math.sqrt(2.0)
_CONVOLUTIONS: Final = ((32, 8, 4), (64, 4, 2), (64, 3, 1))  # channels, kernel, stride
_FEW_CONVOLUTIONS: Final = ((16, 4, 4), (32, 3, 2))
_SMALL_PICTURE_CONVOLUTIONS: Final = ((16, 3, 1), (32, 3, 1))
_OTHER_FEATURES: Final = 64
_SMALL_PICTURE: Final = 36  # narrower pictures would be used up by the large kernels


class FlatInput(nn.Module):
    """All entries of an observation row in one float32 row; bytes are scaled to 0..1 by their field's bounds."""

    low: torch.Tensor
    scale: torch.Tensor

    def __init__(self, spec: WorldSpec, *, without: ObservationField | None = None) -> None:
        """Describe the row; the field `without` is left to someone else."""
        super().__init__()
        fields = [item for item in spec.observation if item.dtype is Dtype.UINT8]
        kept = [item is not without for item in fields for _ in range(item.start, item.stop)]
        low = [item.low for item in fields for _ in range(item.start, item.stop)]
        high = [item.high for item in fields for _ in range(item.start, item.stop)]
        columns = [place for place, keep in enumerate(kept) if keep]
        self._columns = columns
        self._all_bytes = len(columns) == spec.obs_u8_width
        self.register_buffer("low", torch.tensor([low[place] for place in columns]), persistent=False)
        scale = torch.tensor([1.0 / (high[place] - low[place]) for place in columns])
        self.register_buffer("scale", scale, persistent=False)
        self.width = spec.obs_width + len(columns)

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        if not self._columns:
            return obs
        kept = obs_u8 if self._all_bytes else obs_u8[:, self._columns]
        return torch.cat([obs, (kept.to(obs.dtype) - self.low) * self.scale], dim=1)


class MlpEncoder(nn.Module):
    """Fully connected layers."""

    def __init__(
        self, spec: WorldSpec, widths: tuple[int, ...], activation: str, *, generator: torch.Generator
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.input = FlatInput(spec)
        layers: list[nn.Module] = []
        inputs = self.input.width
        for width in widths:
            layers += [
                orthogonal_linear(inputs, width, gain=_HIDDEN_GAIN, generator=generator),
                ACTIVATIONS[activation](),
            ]
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.width = inputs

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        features: torch.Tensor = self.layers(self.input(obs, obs_u8))
        return features


_DEVIATION: Final = 0.02


class EmbeddedInput(nn.Module):
    """All entries of an observation row in one float32 row, the named ones last and embedded.

    The entries of a field share one table; where several fields are named, each has its own.
    """

    def __init__(self, spec: WorldSpec, embeddings: Mapping[str, int], *, generator: torch.Generator) -> None:
        """Make the tables.

        Raises:
            UnknownName: The world has no such byte field.
            ConfigError: A byte field is left out: names and amounts cannot be told apart by themselves.
        """
        super().__init__()
        fields = {item.name: item for item in spec.observation if item.dtype is Dtype.UINT8}
        for name in embeddings:
            if name not in fields:
                raise UnknownName.among("byte field", name, fields)
        self._named = [fields[name] for name in embeddings]
        left = [name for name in fields if name not in embeddings]
        if left:
            raise ConfigError(f"policy.embeddings: name all byte fields or none; {left[0]!r} is missing")
        self.tables = nn.ModuleDict({item.name: _table(item, embeddings[item.name], generator) for item in self._named})
        self.width = spec.obs_width + sum((item.stop - item.start) * embeddings[item.name] for item in self._named)

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        named = [
            self.tables[item.name](obs_u8[:, item.start : item.stop].long()).flatten(1).to(obs.dtype)
            for item in self._named
        ]
        return torch.cat([obs, *named], dim=1)


def build_input(
    spec: WorldSpec, embeddings: Mapping[str, int], *, generator: torch.Generator
) -> FlatInput | EmbeddedInput:
    """Return what reads a row: bytes as amounts unless they are said to be names."""
    return EmbeddedInput(spec, embeddings, generator=generator) if embeddings else FlatInput(spec)


def _table(item: ObservationField, width: int, generator: torch.Generator) -> nn.Embedding:
    table = nn.Embedding(int(item.high) + 1, width)
    nn.init.normal_(table.weight, std=_DEVIATION, generator=generator)
    return table


class NormalizedEncoder(nn.Module):
    """A linear layer, a normalization and a ReLU."""

    def __init__(
        self, spec: WorldSpec, width: int, embeddings: Mapping[str, int], *, generator: torch.Generator
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.width = width
        self.input = build_input(spec, embeddings, generator=generator)
        self.layers = nn.Sequential(*hidden_layers(self.input.width, (width,), normalized=1, generator=generator))

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        features: torch.Tensor = self.layers(self.input(obs, obs_u8))
        return features
