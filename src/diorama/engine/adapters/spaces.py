"""Gymnasium spaces that follow from a world's contract."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from diorama.contracts.spec import Dtype, WorldSpec
from diorama.contracts.values import F32, U8

# What a caller gets: rows of one dtype alone, or of both under the names of the batch's buffers.
Observation = F32 | U8 | dict[str, F32 | U8]


def observation_space(spec: WorldSpec) -> gymnasium.Space[Any]:
    """Return one box per dtype the contract has: alone if there is one, else in a dictionary."""
    boxes: dict[str, gymnasium.Space[Any]] = {
        name: spaces.Box(_bound(spec, dtype, lowest=True), _bound(spec, dtype, lowest=False), (width,), numpy_type)
        for name, dtype, width, numpy_type in (
            ("obs", Dtype.FLOAT32, spec.obs_width, np.float32),
            ("obs_u8", Dtype.UINT8, spec.obs_u8_width, np.uint8),
        )
        if width
    }
    return next(iter(boxes.values())) if len(boxes) == 1 else spaces.Dict(boxes)


def action_space(spec: WorldSpec) -> gymnasium.Space[Any]:
    """Return a plain discrete space for one head, one choice per head otherwise."""
    sizes = [len(head.options) for head in spec.heads]
    return spaces.Discrete(sizes[0]) if len(sizes) == 1 else spaces.MultiDiscrete(sizes)


def observation_of(obs: F32, obs_u8: U8) -> Observation:
    """Return copies of the rows in the shape of `observation_space`."""
    parts = {name: rows.copy() for name, rows in (("obs", obs), ("obs_u8", obs_u8)) if rows.shape[-1]}
    return next(iter(parts.values())) if len(parts) == 1 else parts


def space_mask(spec: WorldSpec, mask: U8) -> NDArray[np.int8] | tuple[NDArray[np.int8], ...]:
    """Return a row of a batch's masks as `action_space(spec).sample` takes it: an array, or one per head."""
    parts, start = [], 0
    for head in spec.heads:
        parts.append(mask[start : start + len(head.options)].astype(np.int8))
        start += len(head.options)
    return parts[0] if len(parts) == 1 else tuple(parts)


def batched(space: gymnasium.Space[Any], rows: int) -> gymnasium.Space[Any]:
    """Return the space of `rows` observations or actions together."""
    return gymnasium.vector.utils.batch_space(space, rows)


def _bound(spec: WorldSpec, dtype: Dtype, *, lowest: bool) -> float:
    fields = [item for item in spec.observation if item.dtype is dtype]
    return min(item.low for item in fields) if lowest else max(item.high for item in fields)
