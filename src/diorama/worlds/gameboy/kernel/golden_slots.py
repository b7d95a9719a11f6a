"""Golden states on the device: captured and restored by one kernel, without the host looking on."""

from typing import Any

import numpy as np

from diorama.contracts.values import I32, U8
from diorama.worlds.gameboy.cartridge import Cartridge
from diorama.worlds.gameboy.kernel.lane_state import LaneState
from diorama.worlds.gameboy.kernel.parts.golden import COPIERS
from diorama.worlds.gameboy.kernel.storage import Store, open_store


class GoldenSlots:
    """States kept beside a batch. The first place holds a console that has just been switched on."""

    def __init__(self, store: Store, cartridge: Cartridge) -> None:
        """Make room for the fresh console alone."""
        self._store = store
        self._cartridge = cartridge
        self._held: set[int] = set()
        self._kept = self._room(1)
        device = store.device
        self._mask = device.byte_array(max(store.lanes, 1))
        self._slots = device.int_array(max(store.lanes, 1))

    def put_fresh(self, state: LaneState) -> None:
        """Say what a power cycle leads to."""
        self._kept.put_lane(0, state)

    def capture(self, lane: int, slot: int) -> None:
        """Keep a lane."""
        if slot < 0:
            raise ValueError(f"golden slot {slot} is no slot; they count from 0")
        self._grow(slot + 2)
        kept, device = self._kept, self._store.device
        mask, slots = device.byte_array(kept.lanes), device.int_array(kept.lanes)
        chosen = np.zeros(kept.lanes, np.uint8)
        chosen[slot + 1] = 1
        device.fill(mask, chosen)
        device.fill(slots, np.full(kept.lanes, lane, np.int32))
        _copy(kept, self._store, mask, slots)
        self._held.add(slot)

    def restore_fresh(self, mask: U8) -> None:
        """Switch the chosen lanes off and on again."""
        self._restore(mask, np.zeros(self._store.lanes, np.int32))

    def restore(self, mask: U8, slots: I32) -> None:
        """Copy golden states into the chosen lanes.

        Raises:
            ValueError: If a chosen slot is empty; nothing changes then.
        """
        for slot in np.unique(slots[mask != 0]).tolist():
            if slot not in self._held:
                raise ValueError(f"golden slot {slot} is empty; capture a lane into it first")
        self._restore(mask, slots + np.int32(1))

    def restore_on_device(self, mask: Any, places: Any) -> None:
        """Copy golden states by arrays of the device; `places` count from 1, and an empty one changes nothing."""
        _copy(self._store, self._kept, mask, places)

    def _restore(self, mask: U8, places: I32) -> None:
        if self._store.lanes == 0:
            return
        device = self._store.device
        device.fill(self._mask, np.ascontiguousarray(mask, np.uint8))
        device.fill(self._slots, np.ascontiguousarray(places, np.int32))
        self.restore_on_device(self._mask, self._slots)

    def _grow(self, places: int) -> None:
        if places <= self._kept.lanes:
            return
        old, self._kept = self._kept, self._room(max(places, 2 * self._kept.lanes))
        device = self._store.device
        mask, slots = device.byte_array(self._kept.lanes), device.int_array(self._kept.lanes)
        device.fill(mask, np.ones(self._kept.lanes, np.uint8))
        device.fill(slots, np.arange(self._kept.lanes, dtype=np.int32))
        _copy(self._kept, old, mask, slots)

    def _room(self, places: int) -> Store:
        store = self._store
        return open_store(
            store.device,
            store.layout,
            places,
            self._cartridge,
            boot=None,
            picture_bytes=store.picture_bytes,
        )


def _copy(target: Store, source: Store, mask: Any, slots: Any) -> None:
    arguments = [target.machine, source.machine, mask, slots, target.lanes, source.lanes]
    target.device.launch("copy_lanes", target.lanes * COPIERS, arguments)
