"""`Aside`: copies between a device and the host beside whatever is being learned."""

from collections.abc import Iterable

import torch

from diorama.contracts.values import F32
from diorama.device_recording import side_stream


class Aside:
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
