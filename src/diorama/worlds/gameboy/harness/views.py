"""`View`: what two backends show of a console at the end of a step, in one form for both."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Final

import numpy as np

from diorama.contracts.values import U8
from diorama.worlds.gameboy.canonical import HRAM_OFFSET, OAM_OFFSET, SCALAR_FIELDS, VRAM_OFFSET, WRAM_OFFSET
from diorama.worlds.gameboy.lanes import Lanes
from diorama.worlds.gameboy.oracle import Oracle

REGIONS: Final[Mapping[str, tuple[int, int]]] = {
    "vram": (0x8000, 0xA000),
    "wram": (0xC000, 0xE000),
    "oam": (0xFE00, 0xFEA0),
    "hram": (0xFF80, 0xFFFF),
}
IO_REGISTERS: Final[Mapping[str, int]] = {
    "lcdc": 0xFF40,
    "scy": 0xFF42,
    "scx": 0xFF43,
    "lyc": 0xFF45,
    "bgp": 0xFF47,
    "obp0": 0xFF48,
    "obp1": 0xFF49,
    "wy": 0xFF4A,
    "wx": 0xFF4B,
    "tma": 0xFF06,
    "tac": 0xFF07,
}
_OFFSETS: Final = {"vram": VRAM_OFFSET, "wram": WRAM_OFFSET, "oam": OAM_OFFSET, "hram": HRAM_OFFSET}
_TAC_BITS: Final = 7
CRAM_BANK: Final = 0x2000


@dataclass(frozen=True, slots=True)
class View:
    """One console. `scalars` has what the backend can tell; `memory` is by region, with `cram` where there is some."""

    scalars: Mapping[str, int]
    memory: Mapping[str, bytes]
    frame: U8
    serial: bytes


def view_lane(lanes: Lanes, lane: int) -> View:
    """Look at a lane of a backend that shows `shade_full` pictures; all canonical fields are told."""
    ram = lanes.ram(lane).tobytes()
    memory = {name: ram[_OFFSETS[name] : _OFFSETS[name] + high - low] for name, (low, high) in REGIONS.items()}
    return View(
        scalars=dict(zip(SCALAR_FIELDS, lanes.state(lane).tolist(), strict=True)),
        memory={**memory, "cram": lanes.cram(lane).tobytes()},
        frame=lanes.read_frame(lane),
        serial=lanes.read_serial(lane),
    )


def view_oracle(oracle: Oracle, *, cram_bytes: int) -> View:
    """Look at the oracle; cartridge RAM is told in whole banks of 8 KiB."""
    registers = {name: oracle.read_memory(address, address + 1)[0] for name, address in IO_REGISTERS.items()}
    registers["tac"] &= _TAC_BITS
    memory = {name: oracle.read_memory(low, high) for name, (low, high) in REGIONS.items()}
    if cram_bytes >= CRAM_BANK:
        memory["cram"] = b"".join(oracle.read_cartridge_ram(bank) for bank in range(cram_bytes // CRAM_BANK))
    return View(
        scalars={**asdict(oracle.cpu()), **registers},
        memory=memory,
        frame=oracle.shades().copy(),
        serial=oracle.serial,
    )


def memory_hash(data: bytes) -> str:
    """Hash a stretch of memory with blake2b-128."""
    return blake2b(data, digest_size=16).hexdigest()


def frame_hash(frame: U8) -> str:
    """Hash the 23,040 shades of a picture with blake2b-128."""
    return memory_hash(np.ascontiguousarray(frame).tobytes())
