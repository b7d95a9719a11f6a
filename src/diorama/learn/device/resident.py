"""`ResidentRollout`: a rollout of copies that live on the device; of what is seen, nothing comes to the host."""

from dataclasses import fields
from typing import Final

import torch

from diorama.contracts.resident import DeviceRows
from diorama.contracts.values import F32
from diorama.learn.device.aside import Aside
from diorama.learn.rollouts.rollout import ONE_FOR_ALL_STEPS, OUTCOMES, SHOWN, Rollout, RolloutShape

_TOLD: Final = ("rewards", "terminated", "truncated", "alive", "episode_start", "metrics", "dt", "events")
_SIGNED: Final = {torch.uint16: torch.int16, torch.uint64: torch.int64}


class ResidentRollout(Rollout):
    """A rollout whose arrays are written on the device; what listeners hear of its steps is brought home at its end."""

    def __init__(self, shape: RolloutShape, device: torch.device, beside: "ResidentRollout | None" = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares the memory of the rows with it."""
        self._aside = Aside(device)
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

    def turn_over(self, into: Rollout | None = None) -> None:
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
