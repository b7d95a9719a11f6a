"""`ResidentStorage`: the slice of copies that live on the device."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import torch

from diorama.contracts.resident import ResidentCore
from diorama.learn.device.resident import ResidentRollout
from diorama.learn.device.sent import SENT
from diorama.learn.device.storage import LastSeen, SliceStorage


class ResidentStorage(SliceStorage):
    """Copies on the device: they write into the rollout and read their actions there."""

    def __init__(self, core: ResidentCore, rollout: ResidentRollout) -> None:
        """Cut the views."""
        super().__init__(rollout, slice(0, rollout.shape.rows))
        self._core = core
        self._resident = rollout
        self._rows = [rollout.rows_of(step) for step in range(rollout.shape.steps + 1)]

    def adopt(self) -> None:
        """Do nothing: the copies are told at every step where to write."""

    def open(self) -> None:
        """Open an episode in every copy."""
        self._core.open_all(self._rows[0])
        self._resident.forget()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._core.restore_all(snapshots, self._rows[0])
        self._resident.forget()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return self._core.snapshots()

    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what lies on the device already."""
        return {name: self.rollout.seen[name].index_select(0, place)[0] for name in SENT}, {}

    def answer(self, actions: torch.Tensor) -> None:
        """Do nothing: the actions are where they are read."""

    def step(self, step: int) -> None:
        """Step every copy, with tensors that may be changed outside of training as well."""
        with torch.inference_mode(mode=False):
            self._core.step_all(self.chosen[step], self._rows[step + 1])

    def awake(self) -> AbstractContextManager[None]:
        """Do nothing: the device does not sleep."""
        return nullcontext()

    def cut_off(self, step: int) -> LastSeen | None:
        """Look for cut-off rows; of the device nothing but their number is asked."""
        rows = self._rows[step + 1]
        places = rows.truncated.nonzero()[:, 0]
        if not len(places):
            return None
        return LastSeen(places, rows.final_obs[places], rows.final_obs_u8[places])

    def advise(self) -> torch.Tensor:
        """Have no controller."""
        raise AssertionError("copies on a device have no controller of their own")

    def explain(self, step: int) -> None:
        """Do nothing: nobody there wants to know."""
