"""`SnapshotCache`: start states kept where the lanes are, and copied into them without touching the disk."""

import numpy as np

from diorama.contracts.values import I32, U8
from diorama.worlds.gameboy.lanes import Lanes


class SnapshotCache:
    """A number of slots, each a whole console with its picture."""

    def __init__(self, lanes: Lanes, slots: int) -> None:
        """Reserve slots.

        Raises:
            ValueError: If there is not at least one.
        """
        if slots < 1:
            raise ValueError(f"a snapshot cache has at least one slot, not {slots}")
        self._lanes = lanes
        self.slots = slots

    def capture(self, lane: int, slot: int) -> None:
        """Copy a lane into a slot.

        Raises:
            ValueError: If there is no such lane or slot.
        """
        if not 0 <= slot < self.slots:
            raise ValueError(f"slot {slot} is outside 0..{self.slots - 1}")
        self._lanes.capture(lane, slot)

    def restore(self, mask: U8, slot: I32) -> None:
        """Make each lane with a non-zero mask equal to its slot; the others stay as they are.

        Raises:
            ValueError: If shapes or types are wrong, or a slot is empty.
        """
        count = self._lanes.lanes
        for name, array, dtype in (("mask", mask, np.uint8), ("slot", slot, np.int32)):
            if array.shape != (count,) or array.dtype != dtype:
                wanted = f"{np.dtype(dtype)} of shape ({count},)"
                raise ValueError(f"{name} is {array.dtype} of shape {array.shape}; it must be {wanted}")
        chosen = slot[mask != 0]
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < self.slots:
            raise ValueError(f"slots {chosen.min()} to {chosen.max()} are asked for; there are 0..{self.slots - 1}")
        self._lanes.restore_golden(mask, slot)
