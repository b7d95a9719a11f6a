"""Shifts and scales observations by what has been seen so far."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.learn.normalize.moments import RunningMoments, block_moments

_EPSILON: Final = 1e-4


class ObservationNormalizer(nn.Module):
    """Frozen while a rollout is gathered and learned from, so that both see the same numbers; updated in between."""

    shift: torch.Tensor
    scale: torch.Tensor
    limit: torch.Tensor

    def __init__(self, spec: WorldSpec, *, passthrough: Sequence[str], clip: float, momentum: float | None) -> None:
        """Start as the identity within the clip; fields of `passthrough` stay as they are for ever."""
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
    fields = {item.name: item for item in spec.observation if item.dtype is Dtype.FLOAT32}
    marked = torch.zeros(spec.obs_width, dtype=torch.bool)
    for name in names:
        if name not in fields:
            raise UnknownName.among("float32 observation field", name, fields)
        marked[fields[name].start : fields[name].stop] = True
    return marked
