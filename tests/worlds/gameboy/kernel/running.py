"""Batches of the native core and of the kernel side by side."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from diorama import _native
from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode, boot_stub
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.kernel import PyLanes, WarpLanes
from diorama.worlds.gameboy.kernel.host_lanes import HostLanes
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS
from tests.worlds.gameboy.on_oracle import built

needs_warp = pytest.mark.skipif(
    find_spec("warp") is None, reason="warp-lang is not installed: the compiled kernel was not compared"
)


def stub_of(name: str) -> bytes:
    return boot_stub(MICRO_ROMS[name].boot if name in MICRO_ROMS else BootMode.STUB_LCD)


def native(name: str, lanes: int = 1, **settings: Any) -> _native.GameboyLanes:
    opened: _native.GameboyLanes = load_native().GameboyLanes(
        built(name), lanes, **{"boot": stub_of(name), "picture": "packed2", **settings}
    )
    return opened


def interpreted(name: str, lanes: int = 1, **settings: Any) -> PyLanes:
    return PyLanes(built(name), lanes, **{"boot": stub_of(name), "picture": "packed2", **settings})


def compiled(name: str, lanes: int = 1, **settings: Any) -> WarpLanes:
    return WarpLanes(built(name), lanes, **{"boot": stub_of(name), "picture": "packed2", **settings})


def assert_equal_runs(expected: _native.GameboyLanes | HostLanes, found: HostLanes, steps: int, *, frames: int) -> None:
    """Drive both with the same random keys; all canonical fields and pictures must be the same after each step."""
    for step in range(steps):
        actions = np.random.default_rng([1234, step]).integers(0, 8, found.lanes).astype(np.int32)
        release = min(8, frames)
        expected.step(actions, frames, release)
        found.step(actions, frames, release)
        for lane in range(found.lanes):
            if expected.state_hash(lane) != found.state_hash(lane):
                values = zip(SCALAR_FIELDS, expected.state(lane).tolist(), found.state(lane).tolist(), strict=True)
                differences = {name: (want, got) for name, want, got in values if want != got}
                bytes_differ = np.flatnonzero(expected.ram(lane) != found.ram(lane))[:8].tolist()
                pytest.fail(f"step {step}, lane {lane}: (expected, found) {differences}, ram {bytes_differ}")
            np.testing.assert_array_equal(expected.read_frame(lane), found.read_frame(lane), err_msg=f"step {step}")
