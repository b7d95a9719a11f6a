"""Snapshots and state hashes cross between C and Python."""

import ctypes
from collections.abc import Iterator
from typing import Final

import pytest

import diorama
from diorama.engine.batch import Batch
from tests.capi.build import Build

OUTING: Final = [0, 8, 12, 9, 10, 28, 28, 29, 33]
OK: Final = 0


class Config(ctypes.Structure):
    _fields_ = (
        ("time_max", ctypes.c_double),
        ("invalid_action_pen", ctypes.c_double),
        ("reward_profile", ctypes.c_uint32),
        ("pirates", ctypes.c_uint8),
        ("hazards", ctypes.c_uint8),
        ("fractures", ctypes.c_uint8),
        ("price_impact", ctypes.c_uint8),
        ("market_noise", ctypes.c_uint8),
        ("scan_noise", ctypes.c_uint8),
    )


class World:
    """A world behind a C handle."""

    def __init__(self, library: ctypes.CDLL, config: dict[str, float | str | bool], *, seed: int) -> None:
        self._calls = library
        library.abp_core_create.restype = ctypes.c_void_p
        settings = Config()
        assert library.abp_config_default(ctypes.byref(settings)) == OK
        for name, value in config.items():
            setattr(settings, name, {"v1": 1, "v2": 2}.get(value, value) if isinstance(value, str) else value)
        self._core = ctypes.c_void_p(library.abp_core_create(ctypes.byref(settings), ctypes.c_uint64(seed)))
        assert self._core

    def step(self, action: int) -> None:
        result = ctypes.create_string_buffer(1176)
        assert self._calls.abp_core_step(self._core, ctypes.c_int32(action), result) == OK

    def snapshot(self) -> bytes:
        size = ctypes.c_size_t()
        assert self._calls.abp_core_snapshot(self._core, None, ctypes.c_size_t(0), ctypes.byref(size)) == OK
        data = ctypes.create_string_buffer(size.value)
        assert self._calls.abp_core_snapshot(self._core, data, size, ctypes.byref(size)) == OK
        return data.raw

    def restore(self, data: bytes) -> int:
        status: int = self._calls.abp_core_restore(self._core, data, ctypes.c_size_t(len(data)))
        return status

    def state_hash(self) -> int:
        state_hash = ctypes.c_uint64()
        assert self._calls.abp_core_state_hash(self._core, ctypes.byref(state_hash)) == OK
        return state_hash.value

    def close(self) -> None:
        self._calls.abp_core_destroy(self._core)


CONFIGS: Final[list[dict[str, float | str | bool]]] = [
    {},
    {"reward_profile": "v2", "pirates": False, "scan_noise": False},
    {"time_max": 1e16, "invalid_action_pen": 1.5e-7},
    {"time_max": 123456.789, "invalid_action_pen": 0.0, "hazards": False, "market_noise": False},
]


@pytest.fixture(params=CONFIGS, ids=["default", "switches", "exponents", "fractions"])
def config(request: pytest.FixtureRequest) -> dict[str, float | str | bool]:
    chosen: dict[str, float | str | bool] = request.param
    return chosen


@pytest.fixture
def world(build: Build, config: dict[str, float | str | bool]) -> Iterator[World]:
    world = World(ctypes.CDLL(str(build.library)), config, seed=42)
    yield world
    world.close()


@pytest.fixture(params=["reference", "fast"])
def batch(request: pytest.FixtureRequest, config: dict[str, float | str | bool]) -> Batch:
    batch = diorama.make("prospector", config=config, tier=request.param)
    batch.reset(seeds=[7])
    return batch


def test_python_continues_a_snapshot_taken_in_c(world: World, batch: Batch) -> None:
    for action in OUTING:
        world.step(action)

    batch.restore(0, world.snapshot())

    assert batch.state_hash(0) == world.state_hash()
    batch.step([6])
    world.step(6)
    assert batch.state_hash(0) == world.state_hash()


def test_c_continues_a_snapshot_taken_in_python(world: World, batch: Batch) -> None:
    for action in OUTING:
        batch.step([action])
    data = batch.snapshot(0)

    assert world.restore(data) == OK

    assert (world.snapshot(), world.state_hash()) == (data, batch.state_hash(0))
    batch.step([6])
    world.step(6)
    assert world.state_hash() == batch.state_hash(0)
