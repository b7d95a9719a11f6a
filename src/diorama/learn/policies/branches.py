"""An encoder with two branches: convolutions over a small map of floats, layers over everything else."""

import math
from typing import Final

import torch
from torch import nn

from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.heads.networks import orthogonal_linear
from diorama.learn.policies.encoders import FlatInput

_GAIN: Final = math.sqrt(2.0)
_CHANNELS: Final = (16, 32)
_KERNEL: Final = 3
_FEATURES: Final = 128


class BranchEncoder(nn.Module):
    """Map and features, each through layers of its own, side by side; a world without a map has only the features.

    The map is the first float field of three dimensions: channels × height × width.
    """

    def __init__(self, spec: WorldSpec, width: int, *, has_memory: bool, generator: torch.Generator) -> None:
        """Make the layers; what leaves them is `width` wide, through one more layer where no memory follows."""
        super().__init__()
        self.width = width
        self._map = map_field(spec)
        self._bytes = FlatInput(spec)
        own = width if self._map is None else width // 2
        entries = self._bytes.width - (0 if self._map is None else self._map.stop - self._map.start)
        self.features = nn.Sequential(
            orthogonal_linear(entries, _FEATURES, gain=_GAIN, generator=generator),
            nn.ReLU(),
            orthogonal_linear(_FEATURES, own, gain=_GAIN, generator=generator),
            nn.ReLU(),
        )
        self.map = None if self._map is None else _map_branch(self._map, width - own, generator)
        self.joint = None if has_memory else orthogonal_linear(width, width, gain=_GAIN, generator=generator)

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        row = self._bytes(obs, obs_u8)
        if self._map is None or self.map is None:
            seen = self.features(row)
        else:
            start, stop = self._map.start, self._map.stop
            rest = torch.cat([row[:, :start], row[:, stop:]], dim=1)
            picture = row[:, start:stop].reshape(-1, *self._map.shape)
            seen = torch.cat([self.map(picture), self.features(rest)], dim=1)
        joined: torch.Tensor = seen if self.joint is None else torch.relu(self.joint(seen))
        return joined


def map_field(spec: WorldSpec) -> ObservationField | None:
    """Return the first float field of three dimensions; None where there is none."""
    maps = (item for item in spec.observation if item.dtype is Dtype.FLOAT32 and len(item.shape) == 3)
    return next(maps, None)


def _map_branch(field: ObservationField, width: int, generator: torch.Generator) -> nn.Sequential:
    channels, height, breadth = field.shape
    layers: list[nn.Module] = []
    for outputs in _CHANNELS:
        convolution = nn.Conv2d(channels, outputs, _KERNEL, padding="same" if min(height, breadth) < _KERNEL else 0)
        nn.init.orthogonal_(convolution.weight, _GAIN, generator=generator)
        assert convolution.bias is not None
        nn.init.zeros_(convolution.bias)
        layers += [convolution, nn.ReLU()]
        if min(height, breadth) >= _KERNEL:
            height, breadth = height - _KERNEL + 1, breadth - _KERNEL + 1
        channels = outputs
    flat = orthogonal_linear(channels * height * breadth, width, gain=_GAIN, generator=generator)
    return nn.Sequential(*layers, nn.Flatten(), flat, nn.ReLU())
