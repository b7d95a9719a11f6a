"""How the work of an engine is asked for: piece by piece, or on a graphics card as a recording that is played back."""

import warnings
from collections.abc import Callable

import torch

from diorama.device_recording import Recording, side_stream


class Playback:
    """Makes recordings of work that always uses the same tensors.

    Attributes:
        stream: Where the work is done; None where it is done at once.
    """

    def __init__(self, device: str, *, is_recorded: bool) -> None:
        """Take the device, and whether anything is to be recorded."""
        self.stream = side_stream(torch.device(device), is_urgent=False)
        self._is_recorded = is_recorded
        self.renew()

    def renew(self) -> None:
        """Begin with new memory, when every recording so far has been let go of."""
        # Recordings follow one another, and what one leaves for the next is made anew every time before it is read.
        self._pool = None if self.stream is None else torch.cuda.graph_pool_handle()

    def of(self, work: Callable[[], None]) -> Recording:
        """Return work that is played back from its second time on."""
        return Recording(
            work, self.stream, is_recorded=lambda: self._is_recorded, pool=self._pool, on_refusal=self._give_up
        )

    def _give_up(self, refusal: RuntimeError) -> None:
        """Record nothing from now on, nor play anything back, and say so once.

        What one recording leaves for the next is another tensor every time once it is made piece by piece.
        """
        if self._is_recorded:
            warnings.warn(f"hosts are trained without recordings, which is slower: {refusal}", stacklevel=2)
        self._is_recorded = False
