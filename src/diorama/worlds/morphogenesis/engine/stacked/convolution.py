"""Convolutions of many hosts at once. Features are (hosts, channels, height, width, batch), weights have hosts first.

With the batch innermost, what a kernel sees at one of its places is one long run of memory, so that hosts of a few
channels become a few large matrix products.
"""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import conv2d

CACHED_COLUMN_VALUES: Final = 2**19
"""Values that a processor gathers at a time: as many as stay in its caches."""
DEVICE_COLUMN_VALUES: Final = 2**26
"""Values that a graphics card gathers at a time: there every call costs, and memory is all that bounds them."""
MAX_HOST_VALUES: Final = 2**18
"""Features of one host beyond which the library's own convolution is quicker."""


def convolve(features: Tensor, weight: Tensor) -> Tensor:
    """Convolve each host's features with its own weights, (hosts, out, in, kernel, kernel), and keep the image size.

    Features of one host are shared by all.
    """
    hosts, outputs, inputs, kernel, _ = weight.shape
    # One product for all hosts would be quicker but sum a host's values in an order that depends on its place.
    features = features.expand(hosts, -1, -1, -1, -1)
    if kernel == 1:
        mixed = weight.view(hosts, outputs, inputs) @ features.reshape(hosts, inputs, -1)
        return mixed.view(hosts, outputs, *features.shape[2:])
    if features[0].numel() > MAX_HOST_VALUES:
        return _grouped(features, weight)
    convolved: Tensor = _ThreeByThree.apply(  # type: ignore[no-untyped-call]
        features, weight.reshape(hosts, outputs, -1)
    )
    return convolved


def convolve_depthwise(features: Tensor, weight: Tensor) -> Tensor:
    """Convolve each channel by itself; weights are (hosts, channels, 1, kernel, kernel)."""
    hosts, channels, *image = features.shape
    apart = convolve(features.reshape(hosts * channels, 1, *image), weight.reshape(-1, 1, *weight.shape[2:]))
    return apart.view(hosts, channels, *image)


class _ThreeByThree(Function):
    """A matrix product with the nine neighbors of every pixel, a few hosts at a time.

    The neighbors are gathered again on the way back: that is quicker than to write and read them all.
    """

    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor) -> Tensor:
        padded = _pad(features)
        ctx.save_for_backward(padded, weight)
        hosts, outputs, _ = weight.shape
        convolved = features.new_empty(hosts, outputs, features[0, 0].numel())
        for part in _parts(features):
            torch.bmm(weight[part], _columns(padded[part]), out=convolved[part])
        return convolved.view(hosts, outputs, *features.shape[2:])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor]:
        padded, weight = ctx.saved_tensors
        flat = gradient.reshape(*weight.shape[:2], -1)
        of_weight = torch.empty_like(weight, memory_format=torch.contiguous_format)
        for part in _parts(padded):
            torch.bmm(flat[part], _columns(padded[part]).transpose(1, 2), out=of_weight[part])
        if not ctx.needs_input_grad[0]:
            return None, of_weight
        hosts, outputs, _ = weight.shape
        # What a pixel gave to its neighbors comes back from them: a convolution again, with the kernel turned around.
        turned = weight.view(hosts, outputs, -1, 9).flip(3).transpose(1, 2).reshape(hosts, -1, outputs * 9)
        around = _pad(gradient)
        of_features = gradient.new_empty(hosts, turned.shape[1], flat.shape[2])
        for part in _parts(gradient):
            torch.bmm(turned[part], _columns(around[part]), out=of_features[part])
        return of_features.view(hosts, -1, *gradient.shape[2:]), of_weight


def _pad(features: Tensor) -> Tensor:
    hosts, channels, height, width, batch = features.shape
    padded = features.new_zeros(hosts, channels, height + 2, width + 2, batch)
    padded[:, :, 1:-1, 1:-1] = features
    return padded


def _columns(padded: Tensor) -> Tensor:
    hosts, channels, height, width, batch = padded.shape
    host, channel, row, column, sample = padded.stride()
    shape = (hosts, channels, 3, 3, height - 2, width - 2, batch)
    neighbors = padded.as_strided(shape, (host, channel, row, column, row, column, sample), padded.storage_offset())
    return neighbors.reshape(hosts, channels * 9, -1)


def _parts(features: Tensor) -> list[slice]:
    values = CACHED_COLUMN_VALUES if features.is_cpu else DEVICE_COLUMN_VALUES
    step = max(1, values // (9 * features[0].numel()))
    return [slice(first, first + step) for first in range(0, len(features), step)]


def _grouped(features: Tensor, weight: Tensor) -> Tensor:
    hosts, outputs, inputs, kernel, _ = weight.shape
    _, _, height, width, batch = features.shape
    images = features.permute(4, 0, 1, 2, 3).reshape(batch, hosts * inputs, height, width)
    convolved = conv2d(images, weight.reshape(-1, inputs, kernel, kernel), padding=kernel // 2, groups=hosts)
    return convolved.view(batch, hosts, outputs, height, width).permute(1, 2, 3, 4, 0).contiguous()
