"""From an observation row to features."""

import math
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.heads.networks import orthogonal_linear
from diorama.learn.policies.activations import ACTIVATIONS
from diorama.learn.policies.patches import PatchConvolution

_HIDDEN_GAIN: Final = math.sqrt(2.0)
_CONVOLUTIONS: Final = ((32, 8, 4), (64, 4, 2), (64, 3, 1))  # channels, kernel, stride
_FEW_CONVOLUTIONS: Final = ((16, 4, 4), (32, 3, 2))
_SMALL_PICTURE_CONVOLUTIONS: Final = ((16, 3, 1), (32, 3, 1))
_OTHER_FEATURES: Final = 64
_SMALL_PICTURE: Final = 36  # narrower pictures would be used up by the large kernels


class FlatInput(nn.Module):
    """All entries of an observation row in one float32 row; bytes are scaled to 0..1 by their field's bounds."""

    low: torch.Tensor
    scale: torch.Tensor

    def __init__(self, spec: WorldSpec, *, without: ObservationField | None = None) -> None:
        """Describe the row; the field `without` is left to someone else."""
        super().__init__()
        fields = [item for item in spec.observation if item.dtype is Dtype.UINT8]
        kept = [item is not without for item in fields for _ in range(item.start, item.stop)]
        low = [item.low for item in fields for _ in range(item.start, item.stop)]
        high = [item.high for item in fields for _ in range(item.start, item.stop)]
        columns = [place for place, keep in enumerate(kept) if keep]
        self._columns = columns
        self._all_bytes = len(columns) == spec.obs_u8_width
        self.register_buffer("low", torch.tensor([low[place] for place in columns]), persistent=False)
        scale = torch.tensor([1.0 / (high[place] - low[place]) for place in columns])
        self.register_buffer("scale", scale, persistent=False)
        self.width = spec.obs_width + len(columns)

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        if not self._columns:
            return obs
        kept = obs_u8 if self._all_bytes else obs_u8[:, self._columns]
        return torch.cat([obs, (kept.to(obs.dtype) - self.low) * self.scale], dim=1)


class MlpEncoder(nn.Module):
    """Fully connected layers."""

    def __init__(
        self, spec: WorldSpec, widths: tuple[int, ...], activation: str, *, generator: torch.Generator
    ) -> None:
        """Make the layers."""
        super().__init__()
        self.input = FlatInput(spec)
        layers: list[nn.Module] = []
        inputs = self.input.width
        for width in widths:
            layers += [
                orthogonal_linear(inputs, width, gain=_HIDDEN_GAIN, generator=generator),
                ACTIVATIONS[activation](),
            ]
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.width = inputs

    def forward(self, obs: torch.Tensor, obs_u8: torch.Tensor) -> torch.Tensor:
        """Return rows × width."""
        features: torch.Tensor = self.layers(self.input(obs, obs_u8))
        return features


class PictureEncoder(nn.Module):
    """Convolutions over the first picture of the world; everything else joins before the last layer.

    It joins through a layer of its own: a single number among thousands of features of a picture would hardly be
    heard, and where pictures of different situations are alike nothing else tells them apart.
    """

    def __init__(self, spec: WorldSpec, features: int, *, is_small: bool, generator: torch.Generator) -> None:
        """Make the layers."""
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
        seen = self.convolutions(picture.to(obs.dtype) * self._scale).flatten(1)
        if self.others is not None:
            seen = torch.cat([seen, torch.relu(self.others(self.input(obs, obs_u8)))], dim=1)
        return torch.relu(self.linear(seen))


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
        ConfigError: The world shows no picture.
    """
    for item in spec.observation:
        if item.dtype is Dtype.UINT8 and len(item.shape) in (2, 3):
            return item
    raise ConfigError(f"policy.arch: {spec.world!r} shows no picture (a uint8 field of 2 or 3 dimensions); use mlp-...")


def picture_shape(item: ObservationField) -> tuple[int, int, int]:
    """Return channels, height and width of a picture field."""
    channels, height, width = item.shape if len(item.shape) == 3 else (1, *item.shape)
    return channels, height, width
