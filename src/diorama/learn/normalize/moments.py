"""Running mean and variance over blocks of samples."""

from collections.abc import Callable
from typing import Final, TypeAlias

import torch
from torch import nn

Moments: TypeAlias = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Mean and population variance per column, and how many samples there were."""

_ROWS_AT_ONCE: Final = 4096  # keeps the float64 copies in the cache
_ROWS_AT_ONCE_ELSEWHERE: Final = 1 << 18  # enough work for a call to a device


class RunningMoments(nn.Module):
    """Mean and population variance per column, in float64.

    Attributes:
        mean: Of all samples, or leaning toward the newest where there is a momentum.
        variance: Likewise.
        count: Samples seen.
        merge: What makes of the moments of a block those that are taken in, where others have blocks of their own.
    """

    mean: torch.Tensor
    variance: torch.Tensor
    count: torch.Tensor

    def __init__(self, width: int, momentum: float | None, *, alike: int = 1) -> None:
        """Start empty.

        Args:
            width: Columns.
            momentum: Weight of a new block; None weighs every sample alike.
            alike: Samples up to which they are weighed alike in any case.
        """
        super().__init__()
        self._momentum = momentum
        self._alike = alike
        self.merge: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Moments] | None = None
        self.register_buffer("mean", torch.zeros(width, dtype=torch.float64))
        self.register_buffer("variance", torch.ones(width, dtype=torch.float64))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))

    def absorb(self, mean: torch.Tensor, variance: torch.Tensor, count: torch.Tensor) -> None:
        """Take in the moments of a block of `count` samples; an empty block changes nothing."""
        if self.merge is not None:
            mean, variance, count = self.merge(mean, variance, count)
        is_first = self.count == 0
        share = count / (self.count + count).clamp(min=1)
        if self._momentum is not None:
            share = torch.where(self.count < self._alike, share, self._momentum)
        share = torch.where(count == 0, 0.0, share)
        gap = mean.double() - self.mean
        blended = (1.0 - share) * self.variance + share * variance.double() + share * (1.0 - share) * gap * gap
        self.variance.copy_(torch.where(is_first & (count > 0), variance.double(), blended))
        self.mean += share * gap
        self.count += count


def block_moments(samples: torch.Tensor, weights: torch.Tensor) -> Moments:
    """Return mean, population variance and count of the samples (rows × width) whose weight is 1."""
    count = weights.sum(dtype=torch.float64)
    total = torch.zeros(samples.shape[1], dtype=torch.float64, device=samples.device)
    squares = torch.zeros_like(total)
    size = _ROWS_AT_ONCE if samples.device.type == "cpu" else _ROWS_AT_ONCE_ELSEWHERE
    for rows, keep in zip(torch.split(samples, size), torch.split(weights, size), strict=True):
        wide = rows.double() * keep.double()[:, None]
        total += wide.sum(dim=0)
        squares += (wide * rows).sum(dim=0)
    mean = total / count.clamp(min=1)
    return mean, (squares / count.clamp(min=1) - mean * mean).clamp(min=0), count
