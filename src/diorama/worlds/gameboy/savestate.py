"""Savestates: the bytes of one console, the same on every device.

Magic `GBST`, container version (u32), header length (u32), a JSON header with sorted keys, then the blob: scalars in
canonical order, memory, cartridge RAM and the serial bytes sent so far. All numbers are little-endian.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.validation import first_problem
from diorama.contracts.values import canonical_json
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.canonical import ABI_VERSION, RAM_STRIDE, SCALAR_FIELDS, SERIAL_BUFFER_BYTES, dtype_of
from diorama.worlds.gameboy.cartridge import MbcKind
from diorama.worlds.gameboy.codec import require_codec
from diorama.worlds.gameboy.errors import SavestateError

MAGIC: Final = b"GBST"
CONTAINER_VERSION: Final = 1
_OPENING: Final = struct.Struct("<4sII")


@dataclass(frozen=True, slots=True, kw_only=True)
class Savestate:
    """One console. `scalars` has every canonical field; `cram` may be empty; `serial` is what was sent so far."""

    rom_sha256: str
    boot: BootMode
    action_codec_id: str
    mbc_kind: MbcKind
    scalars: Mapping[str, int]
    ram: bytes
    cram: bytes
    serial: bytes


class _Field(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str
    dtype: str
    shape: list[int]
    offset: int


class _Header(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    abi_version: int
    action_codec_id: str | None = None  # absent means another codec, which is told as such
    blob_sha256: str
    boot: BootMode
    fields: list[_Field]
    mbc_kind: MbcKind
    rom_sha256: str


def pack_savestate(state: Savestate) -> bytes:
    """Write a savestate.

    Raises:
        SavestateError: If a field is missing or too large, or memory has the wrong size.
    """
    blob = _pack_blob(state)
    header = _Header(
        abi_version=ABI_VERSION,
        action_codec_id=state.action_codec_id,
        blob_sha256=sha256(blob).hexdigest(),
        boot=state.boot,
        fields=field_table(cram_bytes=len(state.cram), serial_bytes=len(state.serial)),
        mbc_kind=state.mbc_kind,
        rom_sha256=state.rom_sha256,
    )
    text = canonical_json(header.model_dump(mode="json")).encode()
    return _OPENING.pack(MAGIC, CONTAINER_VERSION, len(text)) + text + blob


def unpack_savestate(data: bytes, *, rom_sha256: str, action_codec_id: str) -> Savestate:
    """Read a savestate for the ROM and the codec in use.

    Raises:
        SavestateError: If the bytes are no savestate, of another version, layout or ROM, or damaged.
        CodecMismatch: If its actions were counted by another codec, or it does not say by which.
    """
    header, blob = _split(data)
    if header.abi_version != ABI_VERSION:
        raise SavestateError(f"the savestate has state layout {header.abi_version}; layout {ABI_VERSION} is in use")
    require_codec(header.action_codec_id, expected_id=action_codec_id, artifact="the savestate")
    if header.rom_sha256 != rom_sha256:
        raise SavestateError(f"the savestate is of ROM {header.rom_sha256}; the ROM in use is {rom_sha256}")
    found = sha256(blob).hexdigest()
    if found != header.blob_sha256:
        raise SavestateError(f"the savestate is damaged: its state hashes to {found}, it says {header.blob_sha256}")
    return _unpack_blob(header, blob, action_codec_id)


def field_table(*, cram_bytes: int, serial_bytes: int) -> list[_Field]:
    """List name, type, shape and place in the blob of everything a savestate holds."""
    table, offset = [], 0
    for name in SCALAR_FIELDS:
        dtype = dtype_of(name)
        table.append(_Field(name=name, dtype=dtype, shape=[], offset=offset))
        offset += np.dtype(dtype).itemsize
    for name, size in (("ram", RAM_STRIDE), ("cram", cram_bytes), ("serial_buf", serial_bytes)):
        table.append(_Field(name=name, dtype="uint8", shape=[size], offset=offset))
        offset += size
    return table


def _pack_blob(state: Savestate) -> bytes:
    if set(state.scalars) != set(SCALAR_FIELDS):
        odd = sorted(set(state.scalars) ^ set(SCALAR_FIELDS))
        raise SavestateError(f"the state's fields are not the canonical ones: {', '.join(odd)} missing or too many")
    if len(state.ram) != RAM_STRIDE:
        raise SavestateError(f"the state has {len(state.ram)} bytes of memory; there must be {RAM_STRIDE}")
    if not len(state.serial) == state.scalars["serial_len"] <= SERIAL_BUFFER_BYTES:
        raise SavestateError(
            f"the state has {len(state.serial)} serial bytes and says {state.scalars['serial_len']}; "
            f"both must be the same and at most {SERIAL_BUFFER_BYTES}"
        )
    scalars = b"".join(_pack_scalar(name, state.scalars[name]) for name in SCALAR_FIELDS)
    return scalars + state.ram + state.cram + state.serial


def _pack_scalar(name: str, value: int) -> bytes:
    info = np.iinfo(dtype_of(name))
    if not info.min <= value <= info.max:
        raise SavestateError(f"the state's {name} is {value}; it must fit {dtype_of(name)}")
    return value.to_bytes(info.bits // 8, "little", signed=True)


def _split(data: bytes) -> tuple[_Header, bytes]:
    if len(data) < _OPENING.size:
        raise SavestateError(f"the savestate has {len(data)} bytes; the opening alone takes {_OPENING.size}")
    magic, version, length = _OPENING.unpack_from(data)
    if magic != MAGIC:
        raise SavestateError(f"the savestate begins with {magic!r}; savestates begin with {MAGIC!r}")
    if version != CONTAINER_VERSION:
        raise SavestateError(f"the savestate has container version {version}; version {CONTAINER_VERSION} can be read")
    end = _OPENING.size + length
    if len(data) < end:
        raise SavestateError(f"the savestate is cut short: {len(data)} bytes, and its header alone ends at {end}")
    try:
        return _Header.model_validate_json(data[_OPENING.size : end]), data[end:]
    except ValidationError as error:
        raise SavestateError(f"the savestate's header is broken: {first_problem(error)}") from error


def _unpack_blob(header: _Header, blob: bytes, action_codec_id: str) -> Savestate:
    sizes = {field.name: field.shape for field in header.fields}
    cram, serial = sizes.get("cram", [0]), sizes.get("serial_buf", [0])
    if len(cram) != 1 or len(serial) != 1 or header.fields != field_table(cram_bytes=cram[0], serial_bytes=serial[0]):
        raise SavestateError(f"the savestate's field table is not the one of state layout {ABI_VERSION}")
    last = header.fields[-1]
    if len(blob) != last.offset + serial[0]:
        raise SavestateError(f"the savestate's state has {len(blob)} bytes; its fields take {last.offset + serial[0]}")
    scalars, parts = {}, {}
    for field in header.fields:
        dtype = np.dtype(field.dtype).newbyteorder("<")
        if field.shape:
            parts[field.name] = blob[field.offset : field.offset + field.shape[0]]
        else:
            scalars[field.name] = int(np.frombuffer(blob, dtype, count=1, offset=field.offset)[0])
    if scalars["serial_len"] != len(parts["serial_buf"]):
        raise SavestateError(
            f"the savestate holds {len(parts['serial_buf'])} serial bytes and says {scalars['serial_len']}"
        )
    return Savestate(
        rom_sha256=header.rom_sha256,
        boot=header.boot,
        action_codec_id=action_codec_id,
        mbc_kind=header.mbc_kind,
        scalars=scalars,
        ram=parts["ram"],
        cram=parts["cram"],
        serial=parts["serial_buf"],
    )
