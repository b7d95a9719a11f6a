"""Batch norm with one answer for channels that do not vary, however their mean is rounded."""

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm


def steady_levels(channels: Tensor) -> Tensor:
    """Return the value all entries of a channel share, and zero for one that varies; channels are (channels, entries).

    Less its level, a steady channel is zero, and normalized exactly its bias. With its level it comes out as the
    rounding of its mean, whose sign then decides whether the ReLU behind the norm lets a gradient pass.
    """
    lowest, highest = channels.amin(dim=1), channels.amax(dim=1)
    return torch.where(lowest == highest, lowest, 0.0)


class SteadyBatchNorm(nn.BatchNorm2d):
    """Batch norm for which a channel that does not vary within a minibatch is exactly its bias."""

    def forward(self, features: Tensor) -> Tensor:
        """Normalize images of shape (batch, channels, height, width)."""
        if not self.training or self.running_mean is None or self.num_batches_tracked is None:
            return super().forward(features)
        levels = steady_levels(features.detach().transpose(0, 1).flatten(1))
        running_mean = self.running_mean - levels
        normalized = batch_norm(
            features - levels[:, None, None],
            running_mean,
            self.running_var,
            self.weight,
            self.bias,
            training=True,
            eps=self.eps,
        )
        self.running_mean.copy_(running_mean + levels)
        self.num_batches_tracked += 1
        return normalized
