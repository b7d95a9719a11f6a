"""Layers without hidden draws, and the one way parameters get their first values."""

import math
from collections.abc import Mapping

import torch
from numpy.random import Generator
from torch import nn


def conv(inputs: int, outputs: int, kernel: int, *, groups: int = 1) -> nn.Conv2d:
    """Make a convolution without bias that keeps the image size; its weights are still to be set."""
    layer: nn.Conv2d = nn.utils.skip_init(
        nn.Conv2d, inputs, outputs, kernel, padding=kernel // 2, groups=groups, bias=False
    )
    return layer


def linear(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """Make a linear layer whose weights are still to be set."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs, bias=bias)
    return layer


def embedding(entries: int, width: int) -> nn.Embedding:
    """Make an embedding whose rows are still to be set."""
    layer: nn.Embedding = nn.utils.skip_init(nn.Embedding, entries, width)
    return layer


def initialize(module: nn.Module, draws: Generator, constants: Mapping[str, float]) -> None:
    """Give every parameter its first value, in definition order.

    Norms start at weight 1 and bias 0; everything else is uniform within one over the root of its inputs per output.

    Args:
        module: Whose parameters are set in place.
        draws: The module's own stream; constants and norms consume nothing.
        constants: Parameters by name that start at one value.
    """
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            owner = module.get_submodule(name.rpartition(".")[0])
            if name in constants:
                parameter.fill_(constants[name])
            elif isinstance(owner, nn.GroupNorm | nn.LayerNorm | nn.BatchNorm2d):
                parameter.fill_(1.0 if name.endswith("weight") else 0.0)
            else:
                bound = 1.0 / math.sqrt(_inputs_per_output(owner))
                values = (2.0 * draws.random(tuple(parameter.shape)) - 1.0) * bound
                parameter.copy_(torch.from_numpy(values))


def _inputs_per_output(owner: nn.Module) -> int:
    if not isinstance(owner, nn.Conv2d | nn.Linear | nn.Embedding):
        raise TypeError(f"{type(owner).__name__} has no rule for its first values; name them as constants")
    return owner.weight[0].numel()


def count_parameters(module: nn.Module) -> int:
    """Count parameters, tied ones once."""
    return sum(parameter.numel() for parameter in module.parameters())
