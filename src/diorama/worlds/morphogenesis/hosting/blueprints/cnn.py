"""Seeds of a convolutional host. Features are (batch, channels, height, width).

Each but `NormSeed` puts a gain per channel behind its branch. The gain starts at zero, and not a weight before a
normalization: that would be undone by the first update, or receive no gradient at all.
"""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule
from diorama.worlds.morphogenesis.hosting.initialization import conv, linear

GROUP_COUNTS: Final = (32, 16, 8, 4, 2)
MIN_CHANNELS_PER_GROUP: Final = 16


def group_norm(channels: int) -> nn.GroupNorm:
    """Make a group norm with as many groups as leave 16 channels to each, else one."""
    fitting = (count for count in GROUP_COUNTS if channels % count == 0 and channels // count >= MIN_CHANNELS_PER_GROUP)
    return nn.GroupNorm(next(fitting, 1), channels)


class NormSeed(SeedModule):
    """Moves toward the normalized features as far as one scalar says."""

    def __init__(self, channels: int) -> None:
        """Build for a number of channels."""
        super().__init__()
        self.scale = nn.Parameter(torch.empty(()))
        self.norm = group_norm(channels)

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start the scalar at zero."""
        return {"scale": 0.0}

    def residual(self, features: Tensor) -> Tensor:
        """Return a share of the way to the normalized features."""
        normalized: Tensor = self.norm(features)
        return torch.tanh(self.scale) * (normalized - features)


class BranchSeed(SeedModule):
    """A branch behind a gain per channel."""

    def __init__(self, channels: int, branch: nn.Module) -> None:
        """Wrap a branch."""
        super().__init__()
        self.branch = branch
        self.gain = nn.Parameter(torch.empty(channels))

    def constants(self, gain: float) -> Mapping[str, float]:
        """Start every gain at the given value."""
        return {"gain": gain}

    def residual(self, features: Tensor) -> Tensor:
        """Return the branch, channel by channel times its gain."""
        grown: Tensor = self.branch(features)
        return self.gain[:, None, None] * grown


class ChannelGate(nn.Module):
    """Scales each channel by a factor between -1 and 1 read from the means of all channels."""

    def __init__(self, channels: int) -> None:
        """Build with a quarter of the channels in between."""
        super().__init__()
        hidden = max(1, channels // 4)
        self.squeeze = linear(channels, hidden, bias=False)
        self.excite = linear(hidden, channels)

    def forward(self, features: Tensor) -> Tensor:
        """Return the scaled features."""
        means = features.mean(dim=(2, 3))
        factors = torch.tanh(self.excite(torch.relu(self.squeeze(means))))
        return features * factors[:, :, None, None]


def _rectified(channels: int, *convolutions: nn.Module) -> list[nn.Module]:
    return [*convolutions, group_norm(channels), nn.ReLU()]


def attention(channels: int) -> SeedModule:
    """Gate the channels by their means."""
    return BranchSeed(channels, ChannelGate(channels))


def conv_small(channels: int) -> SeedModule:
    """Mix the channels of each pixel."""
    return BranchSeed(channels, nn.Sequential(*_rectified(channels, conv(channels, channels, 1))))


def depthwise(channels: int) -> SeedModule:
    """Look around in each channel, then mix the channels."""
    around = conv(channels, channels, 3, groups=channels)
    return BranchSeed(channels, nn.Sequential(*_rectified(channels, around, conv(channels, channels, 1))))


def bottleneck(channels: int) -> SeedModule:
    """Look around in a few channels."""
    inner = max(2, channels // 4)
    branch = nn.Sequential(
        conv(channels, inner, 1),
        nn.ReLU(),
        conv(inner, inner, 3),
        nn.ReLU(),
        conv(inner, channels, 1),
        group_norm(channels),
    )
    return BranchSeed(channels, branch)


def conv_light(channels: int) -> SeedModule:
    """Look around in all channels."""
    return BranchSeed(channels, nn.Sequential(*_rectified(channels, conv(channels, channels, 3))))


def conv_heavy(channels: int) -> SeedModule:
    """Look around in all channels, twice."""
    first, second = (_rectified(channels, conv(channels, channels, 3)) for _ in range(2))
    return BranchSeed(channels, nn.Sequential(*first, *second))
