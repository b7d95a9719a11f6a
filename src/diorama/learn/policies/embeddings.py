"""Byte fields whose entries are names: every name is a few learned numbers."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.policies.encoders import FlatInput

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
