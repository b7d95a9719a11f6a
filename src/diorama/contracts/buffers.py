"""The arrays a batch writes: allocated once, owned by whoever allocated them, reused for ever."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from diorama.contracts.errors import ContractError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, U8, U16, U64


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffers:
    """Contiguous output arrays of a batch; a row is copy × seat.

    Attributes:
        obs: Rows × float32 width of the spec; the observation for the next decision.
        obs_u8: Rows × uint8 width of the spec (zero columns where the spec has no uint8 fields).
        masks: Rows × options of all heads; 1 where the option is valid for the next decision.
        rewards: One per row.
        terminated: One per row; the episode of the row ended by the rules.
        truncated: One per row; the episode of the row was cut off by the time limit.
        alive: One per row; the row takes the next decision.
        episode_start: One per row; `obs` opens an episode, of the copy or of whoever has just taken the seat, or the
            row's memory must be cleared. A free seat has a 1 only when its copy begins.
        metrics: Rows × metrics, after the step just taken.
        dt: One per copy; ticks the step took.
        events: One per copy; bit = place in the world's event table.
        final_obs: Like `obs`, written only for rows that ended in this step.
        final_obs_u8: Like `obs_u8`, written only for rows that ended in this step.
    """

    obs: F32
    obs_u8: U8
    masks: U8
    rewards: F32
    terminated: U8
    truncated: U8
    alive: U8
    episode_start: U8
    metrics: F32
    dt: U16
    events: U64
    final_obs: F32
    final_obs_u8: U8

    @classmethod
    def allocate(cls, spec: WorldSpec, copies: int) -> Self:
        """Return zeroed buffers for `copies` copies."""
        return cls(**{name: np.zeros(shape, dtype) for name, (shape, dtype) in buffer_shapes(spec, copies).items()})

    def check(self, spec: WorldSpec, copies: int) -> None:
        """Refuse arrays the core cannot write into.

        Raises:
            ContractError: With the buffer, what it is and what it must be.
        """
        for name, (shape, dtype) in buffer_shapes(spec, copies).items():
            array = getattr(self, name)
            if array.shape != shape or array.dtype != dtype:
                wanted = f"{np.dtype(dtype)} of shape {shape}"
                raise ContractError(f"buffer {name!r} is {array.dtype} of shape {array.shape}; it must be {wanted}")
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise ContractError(f"buffer {name!r} must be C-contiguous and writeable")

    def copies_slice(self, start: int, stop: int, *, agents: int) -> Self:
        """Return views of the copies `start..stop-1`."""
        return type(self)(
            **{
                item.name: getattr(self, item.name)[start:stop]
                if item.name in PER_COPY
                else getattr(self, item.name)[start * agents : stop * agents]
                for item in fields(self)
            }
        )


PER_COPY = frozenset({"dt", "events"})


def buffer_shapes(spec: WorldSpec, copies: int) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
    """Return shape and type of every buffer, in the order of `Buffers`."""
    rows = copies * spec.agents
    return {
        "obs": ((rows, spec.obs_width), np.float32),
        "obs_u8": ((rows, spec.obs_u8_width), np.uint8),
        "masks": ((rows, len(spec.option_names)), np.uint8),
        "rewards": ((rows,), np.float32),
        "terminated": ((rows,), np.uint8),
        "truncated": ((rows,), np.uint8),
        "alive": ((rows,), np.uint8),
        "episode_start": ((rows,), np.uint8),
        "metrics": ((rows, len(spec.metrics)), np.float32),
        "dt": ((copies,), np.uint16),
        "events": ((copies,), np.uint64),
        "final_obs": ((rows, spec.obs_width), np.float32),
        "final_obs_u8": ((rows, spec.obs_u8_width), np.uint8),
    }
