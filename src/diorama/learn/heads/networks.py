"""Layers that turn features into logits, started orthogonally."""

import math
from collections.abc import Sequence

import torch
from torch import nn

_HIDDEN_GAIN = math.sqrt(2.0)


def orthogonal_linear(inputs: int, outputs: int, *, gain: float, generator: torch.Generator) -> nn.Linear:
    """Return a linear layer with orthogonal weights of this gain and no bias to begin with."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain, generator=generator)
    nn.init.zeros_(layer.bias)
    return layer


def hidden_layers(
    inputs: int, hidden: Sequence[int], *, normalized: int = 0, generator: torch.Generator
) -> list[nn.Module]:
    """Return ReLU layers of the given widths; outputs of the first `normalized` ones are normalized before."""
    layers: list[nn.Module] = []
    for place, width in enumerate(hidden):
        layers.append(orthogonal_linear(inputs, width, gain=_HIDDEN_GAIN, generator=generator))
        if place < normalized:
            layers.append(nn.LayerNorm(width))
        layers.append(nn.ReLU())
        inputs = width
    return layers


def relu_tower(
    inputs: int, hidden: Sequence[int], outputs: int, *, gain: float, generator: torch.Generator
) -> nn.Sequential:
    """Return ReLU layers of the given widths and a last linear layer of this gain."""
    layers = hidden_layers(inputs, hidden, generator=generator)
    layers.append(orthogonal_linear(hidden[-1] if hidden else inputs, outputs, gain=gain, generator=generator))
    return nn.Sequential(*layers)
