"""Rollout buffers whose arrays travel to or live on a device."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final, Self

import torch

from diorama.contracts.resident import DeviceRows
from diorama.contracts.values import F32
from diorama.device_recording import side_stream
from diorama.learn.buffer import ONE_FOR_ALL_STEPS, OUTCOMES, SHOWN, RolloutBuffer, RolloutShape


class CopyStream:
    """A stream of its own on a GPU; elsewhere copies are made where they are asked for."""

    def __init__(self, device: torch.device) -> None:
        """Open the stream."""
        self._stream = side_stream(device, is_urgent=False)

    def copy(self, pairs: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Copy into the first of each pair, and wait for it."""
        if self._stream is None:
            for into, array in pairs:
                into.copy_(array)
            return
        with torch.cuda.stream(self._stream):
            for into, array in pairs:
                into.copy_(array, non_blocking=True)
        self._stream.synchronize()

    def bring(self, array: torch.Tensor) -> F32:
        """Return numbers of the device on the host."""
        rows = torch.empty_like(array, device="cpu")
        self.copy([(rows, array)])
        found: F32 = rows.numpy()
        return found


SENT: Final = ("obs", "obs_u8", "masks", "episode_start")  # what decisions are made from
_NEWEST: Final = ONE_FOR_ALL_STEPS | set(SENT)


class SentRollout(RolloutBuffer):
    """A rollout that is kept on the device; of what decisions are made from, the host holds the step just taken.

    The rows are with the device before its decision is, so the core may write over them in the step that follows: they
    stay in the processor's caches, and always in the same place, so that sending them can be recorded. What the last
    step shows is what the next rollout begins with. Likewise `host_actions` (rows × heads) and `host_extras` (rows ×
    width) are those of one step.
    """

    def __init__(self, shape: RolloutShape, device: torch.device, beside: Self | None = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares with it what is always the newest.

        Args:
            shape: How large it is.
            device: Of the policy; even on the CPU nothing is learned from memory that the core writes.
            beside: The other one.
        """
        self._aside = CopyStream(device)
        self._beside = beside
        super().__init__(shape, device)
        self.is_apart = True
        if beside is not None:
            self.memory = beside.memory

    @property
    def openings(self) -> torch.Tensor:
        """Which rows open an episode with their next decision, on the host; one for each row."""
        return self.host["episode_start"]

    def observed(self, step: int) -> F32:
        """Return the float observations a decision was taken from, brought back beside whatever is being learned."""
        return self._aside.bring(self.seen["obs"][step])

    def turn_over(self, into: RolloutBuffer | None = None) -> None:
        """Make the end of this rollout the beginning of the next."""
        (into or self).host["alive"][0] = self.host["alive"][-1]

    def share_outcomes(self) -> None:
        """Bring to the device what only learning looks at."""
        outcomes = [(there, self.host[name][1:]) for name, there in self._outcomes.items()]
        self._aside.copy([(self.seen["alive"], self.host["alive"]), *outcomes])

    def _at(self, name: str, step: int) -> torch.Tensor:
        return self.host[name] if name in _NEWEST else self.host[name][step]

    def _allocate(self) -> None:
        described, steps, rows = self._described(), self.shape.steps, self.shape.rows
        device, heads = self.device, len(self.shape.spec.heads)
        extras = self.shape.extras.items()
        self.host = {name: self._host_array(*item) for name, item in described.items() if name not in _NEWEST}
        if self._beside is None:
            newest = {name: described[name] for name in ONE_FOR_ALL_STEPS}
            newest |= {name: (size[1:], dtype) for name, (size, dtype) in described.items() if name in SENT}
            self.host |= {name: self._host_array(*item) for name, item in newest.items()}
            self.host_actions = self._host_array((rows, heads), torch.int32)
            self.host_extras = {name: self._host_array((rows, extra.width), extra.dtype) for name, extra in extras}
        else:
            self.host |= {name: self._beside.host[name] for name in _NEWEST}
            self.host_actions, self.host_extras = self._beside.host_actions, self._beside.host_extras
        self.seen = {
            name: torch.zeros(size, dtype=dtype, device=device)
            for name, (size, dtype) in described.items()
            if name in SHOWN
        }
        self._outcomes = {name: torch.zeros_like(self.host[name][1:], device=device) for name in OUTCOMES}
        self.extras = {
            name: torch.zeros(steps + 1, rows, extra.width, dtype=extra.dtype, device=device) for name, extra in extras
        }
        self.actions = torch.zeros(steps, rows, heads, dtype=torch.int32, device=device)


_TOLD: Final = ("rewards", "terminated", "truncated", "alive", "episode_start", "metrics", "dt", "events")
_SIGNED: Final = {torch.uint16: torch.int16, torch.uint64: torch.int64}


class ResidentRollout(RolloutBuffer):
    """A rollout whose arrays are written on the device; what listeners hear of its steps is brought home at its end."""

    def __init__(self, shape: RolloutShape, device: torch.device, beside: "ResidentRollout | None" = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares the memory of the rows with it."""
        self._aside = CopyStream(device)
        self._before: ResidentRollout | None = None
        super().__init__(shape, device)
        if beside is not None:
            self.memory = beside.memory

    def rows_of(self, step: int) -> DeviceRows:
        """Return what the copies write at one step."""
        written = {item.name: self._written[item.name] for item in fields(DeviceRows)}
        return DeviceRows(
            **{name: array if name in ONE_FOR_ALL_STEPS else array[step] for name, array in written.items()}
        )

    def observed(self, step: int) -> F32:
        """Return the float observations a decision was taken from, brought back beside whatever is being learned."""
        return self._aside.bring(self.seen["obs"][step])

    def forget(self) -> None:
        """Begin with what the copies show now and with nothing that came before."""
        self._before = None
        for name in ("alive", "episode_start"):
            self.host[name][0].copy_(self.seen[name][0])

    def begin(self, rows: slice | None = None) -> None:
        """Begin where the rollout before ended; nobody learns from this one any more."""
        if self._before is not None:
            for name in SHOWN:
                self.seen[name][0].copy_(self._before.seen[name][-1])
            self._before = None
        self.seen["episode_start"][0].copy_(self.host["episode_start"][0])
        super().begin(rows)

    def turn_over(self, into: RolloutBuffer | None = None) -> None:
        """Make the end of this rollout the beginning of the next, on the device once that begins."""
        into = into or self
        assert isinstance(into, ResidentRollout)
        into._before = self
        for name in ("alive", "episode_start"):
            into.host[name][0] = self.host[name][-1]

    def share_outcomes(self) -> None:
        """Bring home what listeners hear of every step."""
        self._aside.copy((_signed(self.host[name]), self._written[name]) for name in _TOLD)

    def _allocate(self) -> None:
        shape, described = self.shape, self._described()
        self.host = {name: self._host_array(*described[name]) for name in _TOLD}
        self._written = {
            name: torch.zeros(size, dtype=_SIGNED.get(dtype, dtype), device=self.device)
            for name, (size, dtype) in described.items()
        }
        self.seen = {name: self._written[name] for name in SHOWN}
        self._outcomes = {name: self._written[name][1:] for name in OUTCOMES}
        self.actions = torch.zeros(
            (shape.steps, shape.rows, len(shape.spec.heads)), dtype=torch.int32, device=self.device
        )


def _signed(array: torch.Tensor) -> torch.Tensor:
    return array.view(_SIGNED.get(array.dtype, array.dtype))
