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
_SMALL_PICTURE: Final = 36  # smaller pictures would vanish in the large kernels


class FlatInput(nn.Module):
    """Concatenates floats and bytes of an observation; bytes are scaled to 0..1 by the bounds of their field."""

    low: torch.Tensor
    scale: torch.Tensor

    def __init__(self, spec: WorldSpec, *, without: ObservationField | None = None) -> None:
        """Read all fields except `without`."""
        super().__init__()
        fields = [item for item in spec.observation if item.dtype is Dtype.UINT8]
        kept = [item is not without for item in fields for _ in range(item.start, item.stop)]
        low = [item.low for item in fields for _ in range(item.start, item.stop)]
        high = [item.high for item in fields for _ in range(item.start, item.stop)]
        columns = [index for index, keep in enumerate(kept) if keep]
        self._columns = columns
        self._all_bytes = len(columns) == spec.obs_u8_width
        # On the CPU even where the rest is built without memory: no checkpoint brings these numbers.
        lows, scales = [low[index] for index in columns], [1.0 / (high[index] - low[index]) for index in columns]
        self.register_buffer("low", torch.tensor(lows, device="cpu"), persistent=False)
        self.register_buffer("scale", torch.tensor(scales, device="cpu"), persistent=False)
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
        self,
        spec: WorldSpec,
        widths: tuple[int, ...],
        activation: str,
        *,
        further: int = 0,
        generator: torch.Generator,
    ) -> None:
        """Create the layers; `further` features join the observation."""
        super().__init__()
        self.input = FlatInput(spec)
        layers: list[nn.Module] = []
        inputs = self.input.width + further
        for width in widths:
            layers += [
                orthogonal_linear(inputs, width, gain=_HIDDEN_GAIN, generator=generator),
                ACTIVATIONS[activation](),
            ]
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.width = inputs

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor, further: torch.Tensor | None = None) -> torch.Tensor:
        """Return rows × width."""
        inputs = self.input(obs, obs_u8)
        features: torch.Tensor = self.layers(inputs if further is None else torch.cat([inputs, further], dim=1))
        return features


_DEVIATION: Final = 0.02


class EmbeddedInput(nn.Module):
    """Concatenates the floats of an observation with embeddings of its byte fields.

    Every field has its own embedding table, which its entries share.
    """

    def __init__(self, spec: WorldSpec, embeddings: Mapping[str, int], *, generator: torch.Generator) -> None:
        """Create the tables.

        Args:
            spec: Contract of the world.
            embeddings: Width of the embedding of every byte field, by name.
            generator: Of the initial weights.

        Raises:
            UnknownName: The world has no such byte field.
            ConfigError: A byte field has no embedding.
        """
        super().__init__()
        fields = {item.name: item for item in spec.observation if item.dtype is Dtype.UINT8}
        for name in embeddings:
            if name not in fields:
                raise UnknownName.among("byte field", name, fields, code="unknown_byte_field")
        self._fields = [fields[name] for name in embeddings]
        missing = [name for name in fields if name not in embeddings]
        if missing:
            raise ConfigError(
                f"policy.embeddings: list all byte fields or none; {missing[0]!r} is missing",
                code="embedding_missing",
                field=missing[0],
            )
        self.tables = nn.ModuleDict(
            {item.name: _table(item, embeddings[item.name], generator) for item in self._fields}
        )
        self.width = spec.obs_width + sum((item.stop - item.start) * embeddings[item.name] for item in self._fields)

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        embedded = [
            self.tables[item.name](obs_u8[:, item.start : item.stop].long()).flatten(1).to(obs.dtype)
            for item in self._fields
        ]
        return torch.cat([obs, *embedded], dim=1)


def build_input(
    spec: WorldSpec, embeddings: Mapping[str, int], *, generator: torch.Generator
) -> FlatInput | EmbeddedInput:
    """Return the input layer: with embeddings of byte fields, if there are any."""
    return EmbeddedInput(spec, embeddings, generator=generator) if embeddings else FlatInput(spec)


def _table(item: ObservationField, width: int, generator: torch.Generator) -> nn.Embedding:
    table = nn.Embedding(int(item.high) + 1, width)
    nn.init.normal_(table.weight, std=_DEVIATION, generator=generator)
    return table


class NormalizedEncoder(nn.Module):
    """A linear layer, a LayerNorm and a ReLU."""

    def __init__(
        self, spec: WorldSpec, width: int, embeddings: Mapping[str, int], *, generator: torch.Generator
    ) -> None:
        """Create the layers."""
        super().__init__()
        self.width = width
        self.input = build_input(spec, embeddings, generator=generator)
        self.layers = nn.Sequential(*hidden_layers(self.input.width, (width,), normalized=1, generator=generator))

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        features: torch.Tensor = self.layers(self.input(obs, obs_u8))
        return features
