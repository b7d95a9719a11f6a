"""Layers of many hosts at once, besides convolutions. Images are (hosts, channels, height, width, batch)."""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import batch_norm, max_pool2d

EPSILON: Final = 1e-5
"""The one that every norm of hosts and seeds is made with."""


def per_channel(values: Tensor) -> Tensor:
    """Shape values of (hosts, channels) so that they multiply images."""
    return values[:, :, None, None, None]


def normalize_batch(
    features: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, variance: Tensor, *, is_training: bool
) -> Tensor:
    """Batch norm of every host by itself; while training, the running statistics move on in place."""
    flat = features.reshape(1, weight.numel(), -1)
    normalized = batch_norm(
        flat,
        mean.view(-1),
        variance.view(-1),
        weight.reshape(-1),
        bias.reshape(-1),
        training=is_training,
        eps=EPSILON,
    )
    return normalized.view(features.shape)


def normalize_groups(features: Tensor, groups: int, weight: Tensor, bias: Tensor) -> Tensor:
    """Group norm of every host by itself."""
    normalized: Tensor = _Standardize.apply(features, groups)  # type: ignore[no-untyped-call]
    return torch.addcmul(per_channel(bias), normalized, per_channel(weight))


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


class _Standardize(Function):
    """Zero mean and unit variance over each group of channels of a sample."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, groups: int) -> Tensor:
        grouped = features.reshape(len(features), groups, -1, features.shape[-1])
        centered = grouped - grouped.mean(dim=2, keepdim=True)
        scale = torch.rsqrt(centered.square().mean(dim=2, keepdim=True) + EPSILON)
        standard = centered * scale
        ctx.save_for_backward(standard, scale)
        return standard.view(features.shape)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        standard, scale = ctx.saved_tensors
        grouped = gradient.reshape(standard.shape)
        along = (grouped * standard).mean(dim=2, keepdim=True)
        changed = (grouped - grouped.mean(dim=2, keepdim=True) - standard * along) * scale
        return changed.view(gradient.shape), None
