"""The encoder before a residual memory: one layer whose outputs are normalized."""

from collections.abc import Mapping

import torch
from torch import nn

from diorama.contracts.spec import WorldSpec
from diorama.learn.heads.networks import hidden_layers
from diorama.learn.policies.embeddings import build_input


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
