"""Running means and variances that normalize observations, rewards and values."""

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.learn.settings.trainer import NormalizationSettings, RewardScale

Moments: TypeAlias = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Mean and population variance per column, and the number of samples."""

_ROWS_PER_CHUNK: Final = 4096  # keeps the float64 copies in the cache
_ROWS_PER_GPU_CHUNK: Final = 1 << 18  # enough work for a kernel launch


class RunningMoments(nn.Module):
    """Mean and population variance per column, in float64.

    Attributes:
        mean: Mean of all samples, or an exponential average if there is a momentum.
        variance: Likewise.
        count: Number of samples.
        merge: Combines the moments of a block with those of other processes; None without other processes.
    """

    mean: torch.Tensor
    variance: torch.Tensor
    count: torch.Tensor

    def __init__(self, width: int, momentum: float | None, *, warmup_samples: int = 1) -> None:
        """Start without samples.

        Args:
            width: Number of columns.
            momentum: Weight of a new block; None gives every sample the same weight.
            warmup_samples: Until there are this many, every sample has the same weight in any case.
        """
        super().__init__()
        self._momentum = momentum
        self._warmup_samples = warmup_samples
        self.merge: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Moments] | None = None
        self.register_buffer("mean", torch.zeros(width, dtype=torch.float64))
        self.register_buffer("variance", torch.ones(width, dtype=torch.float64))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))

    def update(self, mean: torch.Tensor, variance: torch.Tensor, count: torch.Tensor) -> None:
        """Add the moments of a block of `count` samples; an empty block changes nothing."""
        if self.merge is not None:
            mean, variance, count = self.merge(mean, variance, count)
        is_first = self.count == 0
        share = count / (self.count + count).clamp(min=1)
        if self._momentum is not None:
            share = torch.where(self.count < self._warmup_samples, share, self._momentum)
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
    size = _ROWS_PER_CHUNK if samples.device.type == "cpu" else _ROWS_PER_GPU_CHUNK
    for rows, keep in zip(torch.split(samples, size), torch.split(weights, size), strict=True):
        wide = rows.double() * keep.double()[:, None]
        total += wide.sum(dim=0)
        squares += (wide * rows).sum(dim=0)
    mean = total / count.clamp(min=1)
    return mean, (squares / count.clamp(min=1) - mean * mean).clamp(min=0), count


_EPSILON: Final = 1e-4
_ENTRIES: Final = re.compile(r"(?P<fields>[^\[\]]+)(?:\[(?P<start>\d+):(?P<stop>\d+)\])?")


class ObservationNormalizer(nn.Module):
    """Normalizes float observations; updated between rollouts, so that acting and learning use the same numbers."""

    shift: torch.Tensor
    scale: torch.Tensor
    limit: torch.Tensor

    def __init__(self, spec: WorldSpec, *, passthrough: Sequence[str], clip: float, momentum: float | None) -> None:
        """Start as the identity within the clip.

        Args:
            spec: Contract of the world.
            passthrough: Fields that are never normalized; `*` matches any characters, and a range selects entries, as
                in `slot_*[0:11]`.
            clip: Largest magnitude of a normalized entry.
            momentum: Of the running moments.
        """
        super().__init__()
        self.moments = RunningMoments(spec.obs_width, momentum)
        self._passthrough = _columns(spec, passthrough)
        self.register_buffer("shift", torch.zeros(spec.obs_width))
        self.register_buffer("scale", torch.ones(spec.obs_width))
        limit = torch.where(self._passthrough, torch.inf, clip)
        self.register_buffer("limit", limit, persistent=False)

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return normalized observations."""
        return torch.clamp((obs - self.shift) * self.scale, -self.limit, self.limit)

    def update(self, obs: torch.Tensor, weights: torch.Tensor) -> None:
        """Update the moments with the raw rows whose weight is 1."""
        self.moments.update(*block_moments(obs, weights))
        passthrough = self._passthrough.to(obs.device)
        self.shift.copy_(torch.where(passthrough, 0.0, self.moments.mean))
        self.scale.copy_(torch.where(passthrough, 1.0, (self.moments.variance + _EPSILON).rsqrt()))


def _columns(spec: WorldSpec, names: Sequence[str]) -> torch.Tensor:
    marked = torch.zeros(spec.obs_width, dtype=torch.bool, device="cpu")  # even where the rest has no memory yet
    for name in names:
        for columns in _slices(spec, name):
            marked[columns] = True
    return marked


def _slices(spec: WorldSpec, name: str) -> Iterator[slice]:
    fields = {item.name: item for item in spec.observation if item.dtype is Dtype.FLOAT32}
    match = _ENTRIES.fullmatch(name)
    matching = [] if match is None else [item for key, item in fields.items() if fnmatchcase(key, match["fields"])]
    if match is None or not matching:
        raise UnknownName.among("float32 observation field", name, fields, code="unknown_observation_field")
    for item in matching:
        width = item.stop - item.start
        start, stop = (0, width) if match["start"] is None else (int(match["start"]), int(match["stop"]))
        if not 0 <= start < stop <= width:
            raise ConfigError(
                f"normalization.observation_passthrough: {name!r} is outside of {item.name}[0:{width}]",
                code="passthrough_out_of_range",
                name=name,
                field=item.name,
                width=width,
            )
        yield slice(item.start + start, item.start + stop)


_REWARD_EPSILON: Final = 1e-8


class RewardScaler(nn.Module):
    """Divides rewards by a running standard deviation of rewards or discounted returns."""

    returns: torch.Tensor

    def __init__(self, settings: NormalizationSettings, rows: int, gamma: float) -> None:
        """Start without samples."""
        super().__init__()
        self._kind = settings.rewards
        self._clip = settings.reward_clip
        self.counts_failures = settings.counts_failures
        self._gamma = gamma
        self.moments = RunningMoments(1, settings.momentum)
        self.register_buffer("returns", torch.zeros(rows, dtype=torch.float64))

    def forward(
        self, rewards: torch.Tensor, ended: torch.Tensor, weights: torch.Tensor, dt: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Update the statistics with a rollout and return its scaled rewards.

        Args:
            rewards: Steps × rows.
            ended: Like `rewards`, true where the episode ended.
            weights: Like `rewards`, 1 where the reward counts as a sample.
            dt: Like `rewards`, float64; ticks of the decision, by which earlier rewards are discounted. None discounts
                them alike.
        """
        if self._kind is RewardScale.RUNNING_STD:
            rewards = self._divide_by_running_std(rewards, weights)
        elif self._kind is not RewardScale.NONE:
            samples = rewards if self._kind is RewardScale.REWARD_STD else self._discounted(rewards, ended, dt)
            self.moments.update(*block_moments(samples.reshape(-1, 1), weights.reshape(-1)))
            rewards = self.divide(rewards)
        return rewards if self._clip is None else rewards.clamp(-self._clip, self._clip)

    def divide(self, rewards: torch.Tensor) -> torch.Tensor:
        """Return terms of the rewards of the last rollout, divided like them; not for a deviation that runs on."""
        if self._kind is RewardScale.NONE:
            return rewards
        return rewards / (self.moments.variance.sqrt().to(rewards.dtype) + _REWARD_EPSILON)

    def _divide_by_running_std(self, rewards: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Divide every reward by the sample deviation of all rewards up to it; the first one stays as it is."""
        samples, counted = rewards.reshape(-1).double(), weights.reshape(-1).double()
        previous, mean = self.moments.count.clone(), self.moments.mean.clone()
        squares = self.moments.variance * previous
        # Sums of deviations from the previous mean: sums of the rewards themselves would cancel digits.
        deviations = (samples - mean) * counted
        count, first = previous + counted.cumsum(0), deviations.cumsum(0)
        second = (deviations * deviations).cumsum(0)
        spread = squares + second - first * first / count.clamp(min=1.0)
        deviation = (spread.clamp(min=0.0) / (count - 1.0).clamp(min=1.0)).sqrt()
        self.moments.count.copy_(count[-1])
        self.moments.mean.copy_(mean + first[-1] / count[-1].clamp(min=1.0))
        self.moments.variance.copy_((spread[-1] / count[-1].clamp(min=1.0)).reshape(1))
        divided = torch.where(count < 2.0, samples, samples / (deviation + _REWARD_EPSILON))
        return divided.to(rewards.dtype).view_as(rewards)

    def _discounted(self, rewards: torch.Tensor, ended: torch.Tensor, dt: torch.Tensor | None) -> torch.Tensor:
        samples = []
        for step, (reward, end) in enumerate(zip(rewards, ended, strict=True)):
            self.returns.mul_(self._gamma if dt is None else self._gamma ** dt[step]).add_(reward)
            samples.append(self.returns.clone())
            self.returns.masked_fill_(end, 0.0)
        return torch.stack(samples)


_VALUE_EPSILON: Final = 1e-4
_WARMUP_SAMPLES: Final = 32  # the deviation of fewer returns is too noisy for an exponential average


class ValueScale(nn.Module):
    """Scale of the critic's output (PopArt); when it changes, the last layer is rescaled so that values stay the same.

    Attributes:
        unit: Standard deviation of returns, 1 before the first update.
    """

    unit: torch.Tensor

    def __init__(self, momentum: float | None) -> None:
        """Start with unit 1."""
        super().__init__()
        self.moments = RunningMoments(1, momentum, warmup_samples=_WARMUP_SAMPLES)
        self.register_buffer("unit", torch.ones(()))

    @torch.no_grad()
    def update(self, returns: torch.Tensor, weights: torch.Tensor, last_layer: nn.Linear) -> None:
        """Update the scale with the returns whose weight is not 0, and rescale the layer that predicts them."""
        counted = (weights.reshape(-1) > 0).to(returns.dtype)
        self.moments.update(*block_moments(returns.reshape(-1, 1), counted))
        unit = (self.moments.variance + _VALUE_EPSILON).sqrt().to(self.unit.dtype).reshape(())
        last_layer.weight.mul_(self.unit / unit)
        last_layer.bias.mul_(self.unit / unit)
        self.unit.copy_(unit)
