"""A head that predicts something beside the decision."""

import torch
from torch import nn

from diorama.learn.heads.networks import hidden_layers, orthogonal_linear
from diorama.learn.settings.policy import AuxiliarySettings


class AuxiliaryHead(nn.Module):
    """ReLU layers, of whose first a share may be left out while it learns, and a last linear layer."""

    def __init__(
        self, features: int, outputs: int, settings: AuxiliarySettings, *, gain: float, generator: torch.Generator
    ) -> None:
        """Make the layers."""
        super().__init__()
        layers = hidden_layers(features, settings.hidden, normalized=settings.normalized_layers, generator=generator)
        inputs = settings.hidden[-1] if settings.hidden else features
        layers.append(orthogonal_linear(inputs, outputs, gain=gain, generator=generator))
        self.layers = nn.ModuleList(layers)
        self._first_relu = next((place for place, layer in enumerate(layers) if isinstance(layer, nn.ReLU)), None)

    def forward(self, features: torch.Tensor, kept: torch.Tensor | None = None) -> torch.Tensor:
        """Return rows × width; `kept` is what the outputs of the first hidden layer are multiplied with."""
        for place, layer in enumerate(self.layers):
            features = layer(features)
            if kept is not None and place == self._first_relu:
                features = features * kept
        return features
