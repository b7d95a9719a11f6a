"""Lanes: many consoles with one cartridge, whatever runs them; every backend keeps the calls below."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import TierUnavailable, UnknownName
from diorama.contracts.values import F32, I32, U8, U64
from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode, boot_stub

if TYPE_CHECKING:
    import torch


class Lanes(Protocol):
    """Consoles with one cartridge. `diorama._native.GameboyLanes` is the pattern: same names, shapes and refusals.

    A wrong length, range or name is a `ValueError`; bytes that are no savestate of the batch are a `SnapshotError`.
    """

    @property
    def lanes(self) -> int:
        """How many consoles there are."""

    @property
    def mbc_kind(self) -> str:
        """Mapper of the cartridge: `rom_only`, `mbc1`, `mbc3` or `mbc5`."""

    @property
    def cram_bytes(self) -> int:
        """Bytes of cartridge RAM of a lane, at least 1."""

    @property
    def picture_shape(self) -> tuple[int, int]:
        """Rows and bytes of a row of the chosen picture; (0, 0) without pictures."""

    def step(
        self,
        actions: I32,
        frames_per_step: int,
        release_after_frames: int,
        *,
        picture: U8 | None = None,
        ram_v3: F32 | None = None,
        watch: U8 | None = None,
    ) -> None:
        """Advance every lane by one step with one action each, drawing the last frame, and fill the given arrays."""

    def observe(self, *, picture: U8 | None = None, ram_v3: F32 | None = None, watch: U8 | None = None) -> None:
        """Fill the given arrays, (lanes, ...), with what the lanes show now."""

    def run_frames(self, frames: int) -> None:
        """Run frames on every lane with the keys as they are; the last one is drawn."""

    def press(self, lane: int, dpad: int, buttons: int) -> None:
        """Hold exactly these keys of a lane from now on."""

    def power_cycle(self, mask: U8 | None = None) -> None:
        """Switch the lanes with a non-zero mask, or all of them, off and on again."""

    def field(self, name: str) -> I32 | NDArray[np.int64]:
        """Read a canonical field of every lane."""

    def set_field(self, name: str, values: NDArray[np.int64]) -> None:
        """Write a canonical field of every lane."""

    def state(self, lane: int) -> NDArray[np.int64]:
        """Read all canonical fields of a lane, in canonical order."""

    def ram(self, lane: int) -> U8:
        """Copy the memory block of a lane."""

    def set_ram(self, lane: int, values: U8) -> None:
        """Replace the memory block of a lane."""

    def cram(self, lane: int) -> U8:
        """Copy the cartridge RAM of a lane."""

    def set_cram(self, lane: int, values: U8) -> None:
        """Replace the cartridge RAM of a lane."""

    def read_memory(self, lane: int, lo: int, hi: int) -> bytes:
        """Read `lo` up to but not including `hi`: raw, with the banks as they are, ignoring locks."""

    def read_frame(self, lane: int) -> U8:
        """Copy the last picture of a lane."""

    def read_serial(self, lane: int) -> bytes:
        """Read what a lane has sent on its serial port."""

    def drain_serial(self, lane: int) -> bytes:
        """Read and forget what a lane has sent on its serial port."""

    def snapshot(self, lane: int) -> bytes:
        """Pack a lane; the picture is not part of it."""

    def restore(self, lane: int, data: bytes) -> None:
        """Continue a lane from a snapshot of any backend."""

    def state_words(self, lane: int) -> U64:
        """Canonical fields, memory, cartridge RAM and serial bytes of a lane as 64-bit words."""

    def state_hash(self, lane: int) -> int:
        """Hash of the state words."""

    def capture(self, lane: int, slot: int) -> None:
        """Keep a lane, with its picture, in a golden slot."""

    def restore_golden(self, mask: U8, slots: I32) -> None:
        """Make each lane with a non-zero mask equal to its golden slot, picture included."""

    def trace(self, lane: int, count: int) -> NDArray[np.int64]:
        """Run instructions one by one; a row before each, columns as in `gameboy_tables()["trace_columns"]`."""


class DeviceLanes(Lanes, Protocol):
    """Lanes that live on a device and are stepped there: tensors in and out, nothing waits for the host.

    The tensors are the lanes' own memory, the same objects at every call, overwritten by the next step or restore.
    Work goes on the caller's current stream.
    """

    @property
    def device(self) -> "torch.device":
        """Where the lanes live."""

    @property
    def picture_tensor(self) -> "torch.Tensor":
        """Pictures, uint8 (lanes, *picture_shape)."""

    @property
    def watch_tensor(self) -> "torch.Tensor":
        """Watched bytes, uint8 (lanes, addresses)."""

    @property
    def ram_v3_tensor(self) -> "torch.Tensor":
        """The 32 numbers of format `ram_v3`, float32 (lanes, 32)."""

    @property
    def trap_tensor(self) -> "torch.Tensor":
        """Field `trap_kind`, int32 (lanes,)."""

    def step_tensor(self, actions: "torch.Tensor", frames_per_step: int, release_after_frames: int) -> None:
        """Advance every lane by one step; `actions` is int32 (lanes,), contiguous, on the device, never copied."""

    def restore_golden_tensor(self, mask: "torch.Tensor", slots: "torch.Tensor") -> None:
        """Like `restore_golden`, with uint8 and int32 tensors on the device and no check of the slots."""


BACKENDS: Final = ("rust", "warp_cpu", "warp_cuda", "py", "oracle")


def open_lanes(
    backend: str,
    rom: bytes,
    lanes: int,
    *,
    threads: int = 1,
    boot: BootMode = BootMode.STUB_LCD,
    picture: str = "none",
    watch: Sequence[int] = (),
    cartridge_ram: bytes | None = None,
    allow_bad_checksum: bool = False,
    device: str = "cuda:0",
) -> Lanes:
    """Switch consoles on.

    Args:
        backend: One of `BACKENDS`; `oracle` is known by name to the verification harness and makes no lanes.
        rom: The cartridge image.
        lanes: How many consoles.
        threads: Threads of backend `rust`; the others take no notice.
        boot: What runs before the program.
        picture: `none`, `shade_full`, `shade_half` or `packed2`.
        watch: Addresses of the watched bytes.
        cartridge_ram: What cartridge RAM holds at power-on; zeros where None.
        allow_bad_checksum: Load a ROM with a wrong header checksum too.
        device: Which GPU backend `warp_cuda` runs on.

    Raises:
        UnknownName: If there is no such backend.
        TierUnavailable: If the backend cannot run here.
        ValueError: If the cartridge or a setting is refused.
    """
    if backend not in _OPENERS:
        raise UnknownName.among("backend of gameboy", backend, BACKENDS)
    settings: dict[str, object] = {
        "threads": threads,
        "boot": None if boot is BootMode.POST else boot_stub(boot),
        "picture": picture,
        "watch": list(watch),
        "cartridge_ram": cartridge_ram,
        "allow_bad_checksum": allow_bad_checksum,
    }
    return _OPENERS[backend](rom, lanes, settings, device)


def open_device_lanes(backend: str, rom: bytes, lanes: int, **settings: object) -> DeviceLanes:
    """Switch consoles on whose memory is shared with torch: `warp_cuda`, or `warp_cpu` for tests.

    Raises:
        UnknownName: If the backend has no tensors.
        TierUnavailable: If the backend cannot run here.
    """
    if backend not in ("warp_cpu", "warp_cuda"):
        raise UnknownName.among("backend of gameboy with tensors", backend, ("warp_cpu", "warp_cuda"))
    opened = open_lanes(backend, rom, lanes, **settings)  # type: ignore[arg-type]  # the same keywords, passed on
    return cast("DeviceLanes", opened)


_Opener = Callable[[bytes, int, Mapping[str, object], str], Lanes]


def _open_rust(rom: bytes, lanes: int, settings: Mapping[str, object], device: str) -> Lanes:
    opened: Lanes = load_native().GameboyLanes(rom, lanes, **settings)
    return opened


def _open_py(rom: bytes, lanes: int, settings: Mapping[str, object], device: str) -> Lanes:
    opened: Lanes = _part("kernel", "PyLanes")(rom, lanes, **settings)
    return opened


def _open_warp_cpu(rom: bytes, lanes: int, settings: Mapping[str, object], device: str) -> Lanes:
    opened: Lanes = _part("kernel", "WarpLanes")(rom, lanes, device="cpu", **settings)
    return opened


def _open_warp_cuda(rom: bytes, lanes: int, settings: Mapping[str, object], device: str) -> Lanes:
    opened: Lanes = _part("kernel", "WarpLanes")(rom, lanes, device=device, **settings)
    return opened


def _open_oracle(rom: bytes, lanes: int, settings: Mapping[str, object], device: str) -> Lanes:
    raise TierUnavailable(
        "the oracle cannot take over the state of another emulator and so makes no lanes; "
        "use diorama.worlds.gameboy.oracle.Oracle, or compare with it: diorama gameboy verify"
    )


def _part(module: str, name: str) -> Callable[..., Lanes]:
    """Load a backend when it is first asked for; what it needs may not be installed."""
    try:
        found: Callable[..., Lanes] = getattr(import_module(f"diorama.worlds.gameboy.{module}"), name)
    except ImportError as error:
        raise TierUnavailable(f"gameboy's {name} does not load ({error})") from None
    return found


_OPENERS: Final[Mapping[str, _Opener]] = {
    "rust": _open_rust,
    "warp_cpu": _open_warp_cpu,
    "warp_cuda": _open_warp_cuda,
    "py": _open_py,
    "oracle": _open_oracle,
}
