"""Running statistics that scale observations, rewards and values."""

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


_EPSILON: Final = 1e-4
_ENTRIES: Final = re.compile(r"(?P<fields>[^\[\]]+)(?:\[(?P<start>\d+):(?P<stop>\d+)\])?")


class ObservationNormalizer(nn.Module):
    """Frozen while a rollout is gathered and learned from, so that both see the same numbers; updated in between."""

    shift: torch.Tensor
    scale: torch.Tensor
    limit: torch.Tensor

    def __init__(self, spec: WorldSpec, *, passthrough: Sequence[str], clip: float, momentum: float | None) -> None:
        """Start as the identity within the clip; what `passthrough` names stays as it is for ever.

        Names are those of fields, with `*` for any characters, and may be followed by entries: `slot_*[0:11]`.
        """
        super().__init__()
        self.moments = RunningMoments(spec.obs_width, momentum)
        self._is_kept = _columns(spec, passthrough)
        self.register_buffer("shift", torch.zeros(spec.obs_width))
        self.register_buffer("scale", torch.ones(spec.obs_width))
        limit = torch.where(self._is_kept, torch.inf, clip)
        self.register_buffer("limit", limit, persistent=False)

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return normalized rows."""
        return torch.clamp((obs - self.shift) * self.scale, -self.limit, self.limit)

    def update(self, obs: torch.Tensor, weights: torch.Tensor) -> None:
        """Take in the raw rows whose weight is 1."""
        self.moments.absorb(*block_moments(obs, weights))
        kept = self._is_kept.to(obs.device)
        self.shift.copy_(torch.where(kept, 0.0, self.moments.mean))
        self.scale.copy_(torch.where(kept, 1.0, (self.moments.variance + _EPSILON).rsqrt()))


def _columns(spec: WorldSpec, names: Sequence[str]) -> torch.Tensor:
    marked = torch.zeros(spec.obs_width, dtype=torch.bool)
    for name in names:
        for columns in _slices(spec, name):
            marked[columns] = True
    return marked


def _slices(spec: WorldSpec, name: str) -> Iterator[slice]:
    fields = {item.name: item for item in spec.observation if item.dtype is Dtype.FLOAT32}
    found = _ENTRIES.fullmatch(name)
    chosen = [] if found is None else [item for key, item in fields.items() if fnmatchcase(key, found["fields"])]
    if found is None or not chosen:
        raise UnknownName.among("float32 observation field", name, fields)
    for item in chosen:
        width = item.stop - item.start
        start, stop = (0, width) if found["start"] is None else (int(found["start"]), int(found["stop"]))
        if not 0 <= start < stop <= width:
            raise ConfigError(f"observation_passthrough: {name!r} is outside of {item.name}, which has 0:{width}")
        yield slice(item.start + start, item.start + stop)


_REWARD_EPSILON: Final = 1e-8


class RewardScaler(nn.Module):
    """Scales the rewards of a rollout by those of all rollouts, this one included, or by those up to each of them."""

    returns: torch.Tensor

    def __init__(self, settings: NormalizationSettings, rows: int, gamma: float) -> None:
        """Start with nothing seen."""
        super().__init__()
        self._kind = settings.rewards
        self._clip = settings.reward_clip
        self.counts_failures = settings.counts_failures
        self._gamma = gamma
        self.moments = RunningMoments(1, settings.momentum)
        self.register_buffer("returns", torch.zeros(rows, dtype=torch.float64))

    def forward(self, rewards: torch.Tensor, ended: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Take in a rollout and return its rewards to scale.

        Args:
            rewards: Steps × rows.
            ended: Like `rewards`, true where the episode ended.
            weights: Like `rewards`, 1 where the row took the decision.
        """
        if self._kind is RewardScale.RUNNING_STD:
            rewards = self._divide_in_order(rewards, weights)
        elif self._kind is not RewardScale.NONE:
            samples = rewards if self._kind is RewardScale.REWARD_STD else self._discounted(rewards, ended)
            self.moments.absorb(*block_moments(samples.reshape(-1, 1), weights.reshape(-1)))
            rewards = rewards / (self.moments.variance.sqrt().to(rewards.dtype) + _REWARD_EPSILON)
        return rewards if self._clip is None else rewards.clamp(-self._clip, self._clip)

    def _divide_in_order(self, rewards: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Divide every reward by the sample deviation of all up to it; a single one stays as it is."""
        samples, counted = rewards.reshape(-1).double(), weights.reshape(-1).double()
        known, mean = self.moments.count.clone(), self.moments.mean.clone()
        squares = self.moments.variance * known
        # Deviations from a mean that is at hand: sums of the rewards themselves would lose digits to each other.
        apart = (samples - mean) * counted
        count, first, second = known + counted.cumsum(0), apart.cumsum(0), (apart * apart).cumsum(0)
        spread = squares + second - first * first / count.clamp(min=1.0)
        deviation = (spread.clamp(min=0.0) / (count - 1.0).clamp(min=1.0)).sqrt()
        self.moments.count.copy_(count[-1])
        self.moments.mean.copy_(mean + first[-1] / count[-1].clamp(min=1.0))
        self.moments.variance.copy_((spread[-1] / count[-1].clamp(min=1.0)).reshape(1))
        divided = torch.where(count < 2.0, samples, samples / (deviation + _REWARD_EPSILON))
        return divided.to(rewards.dtype).view_as(rewards)

    def _discounted(self, rewards: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
        samples = []
        for reward, end in zip(rewards, ended, strict=True):
            self.returns.mul_(self._gamma).add_(reward)
            samples.append(self.returns.clone())
            self.returns.masked_fill_(end, 0.0)
        return torch.stack(samples)


_VALUE_EPSILON: Final = 1e-4
_ALIKE: Final = 32  # fewer returns say too little of their spread to lean on the newest


class ValueScale(nn.Module):
    """The unit of the critic's last layer; when it changes, the layer is rescaled so that no value jumps.

    Attributes:
        unit: Deviation of returns, 1 before the first update.
    """

    unit: torch.Tensor

    def __init__(self, momentum: float | None) -> None:
        """Start with unit 1."""
        super().__init__()
        self.moments = RunningMoments(1, momentum, alike=_ALIKE)
        self.register_buffer("unit", torch.ones(()))

    @torch.no_grad()
    def update(self, returns: torch.Tensor, weights: torch.Tensor, last_layer: nn.Linear) -> None:
        """Take in the returns whose weight is not 0 and rescale the layer that predicts them."""
        kept = (weights.reshape(-1) > 0).to(returns.dtype)
        self.moments.absorb(*block_moments(returns.reshape(-1, 1), kept))
        unit = (self.moments.variance + _VALUE_EPSILON).sqrt().to(self.unit.dtype).reshape(())
        last_layer.weight.mul_(self.unit / unit)
        last_layer.bias.mul_(self.unit / unit)
        self.unit.copy_(unit)
