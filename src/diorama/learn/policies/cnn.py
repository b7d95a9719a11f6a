"""Convolutional encoders of pictures and maps."""

import math
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.policies.layers import orthogonal_linear
from diorama.learn.policies.mlp import (
    _CONVOLUTIONS,
    _FEW_CONVOLUTIONS,
    _HIDDEN_GAIN,
    _OTHER_FEATURES,
    _SMALL_PICTURE,
    _SMALL_PICTURE_CONVOLUTIONS,
    FlatInput,
)


class PictureEncoder(nn.Module):
    """Convolutions over the first picture of the observation; other entries join before the last layer.

    They join through their own layer: a single number next to thousands of picture features would have little effect.
    """

    def __init__(self, spec: WorldSpec, features: int, *, is_small: bool, generator: torch.Generator) -> None:
        """Create the layers."""
        super().__init__()
        self._field = picture_field(spec)
        channels, height, width = picture_shape(self._field)
        self._shape = (channels, height, width)
        self._scale = 1.0 / self._field.high
        self.input = FlatInput(spec, without=self._field)
        layers: list[nn.Module] = []
        for outputs, kernel, stride in _convolutions(min(height, width), is_small=is_small):
            convolution = _convolution(channels, outputs, kernel, stride)
            nn.init.orthogonal_(convolution.weight, _HIDDEN_GAIN, generator=generator)
            nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
            layers += [convolution, nn.ReLU()]
            channels = outputs
            height, width = ((side - kernel) // stride + 1 for side in (height, width))
        self.convolutions = nn.Sequential(*layers)
        self.others = (
            orthogonal_linear(self.input.width, _OTHER_FEATURES, gain=_HIDDEN_GAIN, generator=generator)
            if self.input.width
            else None
        )
        flat = channels * height * width + (_OTHER_FEATURES if self.others is not None else 0)
        self.linear = orthogonal_linear(flat, features, gain=_HIDDEN_GAIN, generator=generator)
        self.width = features

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        picture = obs_u8[:, self._field.start : self._field.stop].reshape(-1, *self._shape)
        features = self.convolutions(picture.to(obs.dtype) * self._scale).flatten(1)
        if self.others is not None:
            features = torch.cat([features, torch.relu(self.others(self.input(obs, obs_u8)))], dim=1)
        return torch.relu(self.linear(features))


def _convolutions(side: int, *, is_small: bool) -> tuple[tuple[int, int, int], ...]:
    if side < _SMALL_PICTURE:
        return _SMALL_PICTURE_CONVOLUTIONS
    return _FEW_CONVOLUTIONS if is_small else _CONVOLUTIONS


def _convolution(channels: int, outputs: int, kernel: int, stride: int) -> nn.Conv2d:
    if kernel == stride:
        return PatchConvolution(channels, outputs, kernel)
    return nn.Conv2d(channels, outputs, kernel, stride)


def picture_field(spec: WorldSpec) -> ObservationField:
    """Return the first uint8 field that is a picture: height × width, or channels × height × width.

    Raises:
        ConfigError: The observation has no picture.
    """
    for item in spec.observation:
        if item.dtype is Dtype.UINT8 and len(item.shape) in (2, 3):
            return item
    raise ConfigError(
        f"policy.arch: {spec.world!r} has no picture (a uint8 field with 2 or 3 dimensions); use mlp-...",
        code="picture_missing",
        world=spec.world,
    )


def picture_shape(item: ObservationField) -> tuple[int, int, int]:
    """Return channels, height and width of a picture field."""
    channels, height, width = item.shape if len(item.shape) == 3 else (1, *item.shape)
    return channels, height, width


class PatchConvolution(nn.Conv2d):
    """`nn.Conv2d` with stride = kernel, computed as a matrix product.

    The output has channels-last memory format, which makes the next convolution faster, too.
    """

    def __init__(self, channels: int, outputs: int, side: int) -> None:
        """Create the layer for windows of `side` × `side`."""
        super().__init__(channels, outputs, side, side)
        self._side = side

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """Return rows × outputs × windows down × windows across."""
        side = self._side
        rows, channels, height, width = picture.shape
        down, across = height // side, width // side
        whole = picture[:, :, : down * side, : across * side]
        windows = whole.reshape(rows, channels, down, side, across, side).permute(0, 2, 4, 1, 3, 5)
        flat = windows.reshape(rows * down * across, channels * side * side)
        outputs = functional.linear(flat, self.weight.flatten(1), self.bias)
        return outputs.view(rows, down, across, -1).permute(0, 3, 1, 2)


_GAIN: Final = math.sqrt(2.0)
_CHANNELS: Final = (16, 32)
_KERNEL: Final = 3
_FEATURES: Final = 128


class BranchEncoder(nn.Module):
    """Convolutions over a map and dense layers over the other features, concatenated.

    The map is the first float field with three dimensions: channels × height × width. Without one, there are only
    dense layers.
    """

    def __init__(self, spec: WorldSpec, width: int, *, has_memory: bool, generator: torch.Generator) -> None:
        """Create the layers; one more layer follows if the policy has no memory."""
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
            features = self.features(row)
        else:
            start, stop = self._map.start, self._map.stop
            rest = torch.cat([row[:, :start], row[:, stop:]], dim=1)
            picture = row[:, start:stop].reshape(-1, *self._map.shape)
            features = torch.cat([self.map(picture), self.features(rest)], dim=1)
        outputs: torch.Tensor = features if self.joint is None else torch.relu(self.joint(features))
        return outputs


def map_field(spec: WorldSpec) -> ObservationField | None:
    """Return the first float field with three dimensions, or None."""
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
