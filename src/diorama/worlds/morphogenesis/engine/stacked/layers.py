"""Layers of many hosts at once, besides convolutions. Images are (hosts, channels, height, width, batch)."""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import batch_norm, max_pool2d

from diorama.worlds.morphogenesis.hosting.steadiness import steady_levels

EPSILON: Final = 1e-5
"""The one that every norm of hosts and seeds is made with."""


def per_channel(values: Tensor) -> Tensor:
    """Shape values of (hosts, channels) so that they multiply images."""
    return values[:, :, None, None, None]


def normalize_batch(
    features: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, variance: Tensor, *, is_training: bool
) -> Tensor:
    """Batch norm of every host by itself; while training, the running statistics move on in place."""
    flat, running_mean = features.reshape(weight.numel(), -1), mean.view(-1)
    if is_training:
        levels = steady_levels(flat.detach())
        flat, running_mean = flat - levels[:, None], running_mean - levels
    normalized = batch_norm(
        flat[None],
        running_mean,
        variance.view(-1),
        weight.reshape(-1),
        bias.reshape(-1),
        training=is_training,
        eps=EPSILON,
    )
    if is_training:
        mean.copy_((running_mean + levels).view(mean.shape))
    return normalized.view(features.shape)


def normalize_groups(features: Tensor, groups: int, weight: Tensor, bias: Tensor) -> Tensor:
    """Group norm of every host by itself."""
    normalized: Tensor = _GroupNorm.apply(features, groups, weight, bias)  # type: ignore[no-untyped-call]
    return normalized


def pool(features: Tensor) -> Tensor:
    """Halve height and width by the largest of four."""
    hosts, channels, height, width, batch = features.shape
    images = features.reshape(hosts * channels, height, width, batch).permute(0, 3, 1, 2)
    return max_pool2d(images, 2).permute(0, 2, 3, 1).reshape(hosts, channels, height // 2, width // 2, batch)


def means(features: Tensor) -> Tensor:
    """Return the mean of every channel of every sample, (hosts, channels, batch)."""
    return features.mean(dim=(2, 3))


def map_columns(features: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Apply each host's linear layer to features of (hosts, inputs, batch)."""
    mapped = torch.bmm(weight, features)
    return mapped if bias is None else mapped + bias[:, :, None]


class _GroupNorm(Function):
    """Zero mean and unit variance over each group of channels of a sample, then a weight and a bias per channel."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, groups: int, weight: Tensor, bias: Tensor) -> Tensor:
        grouped = features.reshape(len(features), groups, -1, features.shape[-1])
        centered = grouped - grouped.mean(dim=2, keepdim=True)
        scale = torch.rsqrt(centered.square().mean(dim=2, keepdim=True) + EPSILON)
        standard = centered.mul_(scale)
        ctx.save_for_backward(standard, scale, weight)
        return torch.addcmul(per_channel(bias), standard.view(features.shape), per_channel(weight))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor, Tensor]:
        standard, scale, weight = ctx.saved_tensors
        hosts, batch = len(gradient), gradient.shape[-1]
        groups, values = standard.shape[1:3]
        # Sums over the pixels serve the parameters and, weighted, the means of a group alike.
        along = (gradient * standard.view(gradient.shape)).sum(dim=(2, 3))
        level = gradient.sum(dim=(2, 3))
        moves, lifts = (
            (weight[:, :, None] * sums).view(hosts, groups, -1, batch).sum(dim=2, keepdim=True) / -values
            for sums in (along, level)
        )
        changed = torch.addcmul(lifts, standard, moves).add_((gradient * per_channel(weight)).reshape(standard.shape))
        return changed.mul_(scale).view(gradient.shape), None, along.sum(dim=2), level.sum(dim=2)
