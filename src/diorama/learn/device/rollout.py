"""`DeviceRollout`: a rollout whose observations are kept on the device alone."""

from collections.abc import Iterable

import torch

from diorama.contracts.values import F32
from diorama.learn.rollout import Rollout, RolloutShape
from diorama.recording import side_stream


class DeviceRollout(Rollout):
    """What listeners hear of every step is on the host, too; observations are brought there when they are asked for."""

    def __init__(self, shape: RolloutShape, device: torch.device, beside: "DeviceRollout | None" = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares the memory of the rows with it."""
        self._aside = side_stream(device, is_urgent=False)
        super().__init__(shape, device)
        if beside is not None:
            self.memory = beside.memory

    def observed(self, step: int) -> F32:
        """Return the float observations a decision was taken from, brought back beside whatever is being learned."""
        rows = torch.empty_like(self.seen["obs"][step], device="cpu")
        self._copy_aside([(rows, self.seen["obs"][step])])
        found: F32 = rows.numpy()
        return found

    def _copy_aside(self, pairs: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Copy into the first of each pair, beside whatever is being learned, and wait for it."""
        if self._aside is None:
            for into, array in pairs:
                into.copy_(array)
            return
        with torch.cuda.stream(self._aside):
            for into, array in pairs:
                into.copy_(array, non_blocking=True)
        self._aside.synchronize()
