"""The C interface of `tidebreak` as the tests call it."""

import ctypes
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.tidebreak.contract import HEAD_SIZES
from diorama.worlds.tidebreak.layout import OBS_WIDTH

OK: Final = 0
ALIGNMENT: Final = 64
DTYPES: Final = ("u1", "u2", "i4", "i8", "u8", "f4")
KINDS: Final = (
    "actions",
    "obs",
    "masks",
    "rewards",
    "reward_components",
    "terminated",
    "truncated",
    "alive",
    "env_done",
    "tick",
    "state_hash",
    "episode_start",
    "metrics",
    "dt",
    "events",
    "final_obs",
)

Array = NDArray[np.generic]


class Config(ctypes.Structure):
    _fields_ = (
        ("seed", ctypes.c_uint64),
        ("envs", ctypes.c_uint32),
        ("agents_per_env", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("compact_observation", ctypes.c_uint8),
        ("plays_all", ctypes.c_uint8),
        ("credit_dead", ctypes.c_uint8),
        ("collect_events", ctypes.c_uint8),
        ("weights", ctypes.c_double * 12),
        ("team_share", ctypes.c_double),
        ("shaping_discount", ctypes.c_double),
        ("side", ctypes.c_char_p),
        ("teammates", ctypes.c_char_p),
        ("opponents", ctypes.c_char_p),
    )


class Described(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("dtype", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("writable", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    )


class Event(ctypes.Structure):
    _fields_ = (
        ("id", ctypes.c_int64),
        ("tick", ctypes.c_int64),
        ("source", ctypes.c_int64),
        ("target", ctypes.c_int64),
        ("cause", ctypes.c_int64),
        ("trace", ctypes.c_int64),
        ("f0", ctypes.c_double),
        ("f1", ctypes.c_double),
        ("i0", ctypes.c_int64),
        ("kind", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    )


def aligned(shape: tuple[int, ...], dtype: str, offset: int = 0) -> Array:
    """Return zeros that begin `offset` bytes after a boundary that buffers may begin at."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.zeros(size + 2 * ALIGNMENT, np.uint8)
    first = -room.ctypes.data % ALIGNMENT + offset
    return room[first : first + size].view(dtype).reshape(shape)


class TideBatch:
    """A batch behind a C handle, with buffers for everything."""

    def __init__(self, library: ctypes.CDLL, packages: Sequence[bytes], config: Mapping[str, object]) -> None:
        self.calls = library
        settings = Config()
        assert library.tb_config_default(ctypes.byref(settings)) == OK
        for name, value in config.items():
            setattr(settings, name, value)
        self.envs: int = settings.envs
        self.rows: int = settings.envs * settings.agents_per_env
        self._batch = ctypes.c_void_p()
        assert library.tb_batch_new(ctypes.byref(settings), ctypes.byref(self._batch)) == OK
        for package in packages:
            assert self.add_template(package) == OK, self.last_error()
        self.buffers = {name: aligned(*self.form(name)) for name in KINDS}
        for name, buffer in self.buffers.items():
            assert self.register(name, buffer) == OK, self.last_error()

    def form(self, name: str) -> tuple[tuple[int, ...], str]:
        """Return the shape and the type that a buffer must have."""
        rows, envs = self.rows, self.envs
        forms: dict[str, tuple[tuple[int, ...], str]] = {
            "actions": ((rows, len(HEAD_SIZES)), "i4"),
            "obs": ((rows, OBS_WIDTH), "f4"),
            "final_obs": ((rows, OBS_WIDTH), "f4"),
            "masks": ((rows, sum(HEAD_SIZES)), "u1"),
            "rewards": ((rows,), "f4"),
            "reward_components": ((rows, 12), "f4"),
            "metrics": ((rows, 11), "f4"),
            "env_done": ((envs,), "u1"),
            "tick": ((envs,), "i8"),
            "state_hash": ((envs,), "u8"),
            "dt": ((envs,), "u2"),
            "events": ((envs,), "u8"),
        }
        return forms.get(name, ((rows,), "u1"))

    def add_template(self, package: bytes) -> int:
        template = ctypes.c_int32()
        code: int = self.calls.tb_batch_add_template(
            self._batch, package, ctypes.c_size_t(len(package)), ctypes.byref(template)
        )
        return code

    def assign(self, env: int, template: int) -> int:
        code: int = self.calls.tb_batch_assign(self._batch, ctypes.c_size_t(env), ctypes.c_int32(template))
        return code

    def register(self, name: str, buffer: Array) -> int:
        described = Described(
            data=buffer.ctypes.data,
            shape=buffer.ctypes.shape_as(ctypes.c_int64),
            strides=buffer.ctypes.strides_as(ctypes.c_int64),
            dtype=DTYPES.index(buffer.dtype.str[1:]) if buffer.dtype.str[1:] in DTYPES else -1,
            ndim=buffer.ndim,
            writable=buffer.flags.writeable,
        )
        code: int = self.calls.tb_batch_register(self._batch, KINDS.index(name), ctypes.byref(described))
        return code

    def reset(self, seeds: Sequence[int] | None = None, mask: Sequence[int] | None = None) -> int:
        given_seeds = None if seeds is None else (ctypes.c_uint64 * self.envs)(*seeds)
        given_mask = None if mask is None else (ctypes.c_uint8 * self.envs)(*mask)
        code: int = self.calls.tb_batch_reset(self._batch, given_mask, given_seeds)
        return code

    def step(self, actions: Array | None = None, ticks: int = 1) -> int:
        if actions is not None:
            self.buffers["actions"][:] = actions
        code: int = self.calls.tb_batch_step(self._batch, ctypes.c_int32(ticks))
        return code

    def state_hash(self, env: int) -> int:
        state_hash = ctypes.c_uint64()
        assert self.calls.tb_batch_hash(self._batch, ctypes.c_size_t(env), ctypes.byref(state_hash)) == OK
        return state_hash.value

    def snapshot(self, env: int) -> bytes:
        code, data = self._bytes(self.calls.tb_batch_snapshot, env)
        assert code == OK
        return data

    def restore(self, env: int, data: bytes) -> int:
        code: int = self.calls.tb_batch_restore(self._batch, ctypes.c_size_t(env), data, ctypes.c_size_t(len(data)))
        return code

    def result(self, env: int) -> tuple[int, bytes]:
        return self._bytes(self.calls.tb_batch_result, env)

    def events(self, env: int) -> list[Event]:
        events, count = ctypes.POINTER(Event)(), ctypes.c_size_t()
        place = ctypes.c_size_t(env)
        assert self.calls.tb_batch_events(self._batch, place, ctypes.byref(events), ctypes.byref(count)) == OK
        copied = [Event.from_buffer_copy(events[place]) for place in range(count.value)]
        self.calls.tb_free(events)
        return copied

    def last_error(self) -> str:
        return last_error(self.calls)

    def close(self) -> None:
        self.calls.tb_batch_destroy(self._batch)

    def _bytes(self, call: "ctypes._NamedFuncPointer", env: int) -> tuple[int, bytes]:
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        code: int = call(self._batch, ctypes.c_size_t(env), ctypes.byref(data), ctypes.byref(size))
        return code, taken(self.calls, data, size.value)


def taken(library: ctypes.CDLL, data: ctypes.c_void_p, size: int) -> bytes:
    """Copy what a call handed out and free it."""
    copied = ctypes.string_at(data, size) if data else b""
    library.tb_free(data)
    return copied


def last_error(library: ctypes.CDLL) -> str:
    """Return the line about the last call that failed."""
    text = ctypes.create_string_buffer(400)
    assert library.tb_last_error(text, ctypes.c_size_t(len(text))) == OK
    return text.value.decode()
