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


def relu_tower(
    inputs: int, hidden: Sequence[int], outputs: int, *, gain: float, generator: torch.Generator
) -> nn.Sequential:
    """Return ReLU layers of the given widths and a last linear layer of this gain."""
    layers: list[nn.Module] = []
    for width in hidden:
        layers += [orthogonal_linear(inputs, width, gain=_HIDDEN_GAIN, generator=generator), nn.ReLU()]
        inputs = width
    layers.append(orthogonal_linear(inputs, outputs, gain=gain, generator=generator))
    return nn.Sequential(*layers)
