"""Shifts and scales observations by what has been seen so far."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.learn.normalize.moments import RunningMoments, block_moments

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
