"""Public single-step vectors of the processor: read, draw and check."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.contracts.validation import first_problem
from diorama.native import load_native
from diorama.storage.artifact_files import read_named
from diorama.storage.json_text import decode_json
from diorama.storage.unpacking import unpack_gzip

REGISTERS: Final = ("a", "f", "b", "c", "d", "e", "h", "l", "pc", "sp", "ime")
_MAX_TEXT_BYTES: Final = 256 << 20
_MAX_VALUES: Final = 1 << 23  # a file of ten thousand vectors has a million
_KINDS: Final = {"r-m": "read", "-wm": "write", "---": "idle", "read": "read", "write": "write"}


Byte = Annotated[int, Field(ge=0, le=0xFF)]
Word = Annotated[int, Field(ge=0, le=0xFFFF)]


class MachineState(TypedDict):
    """Registers and the bytes of memory that matter, before or after an instruction."""

    a: Byte
    f: Byte
    b: Byte
    c: Byte
    d: Byte
    e: Byte
    h: Byte
    l: Byte  # noqa: E741 - the register is called so
    pc: Word
    sp: Word
    ime: Byte
    ram: list[tuple[Word, Byte]]


class Vector(TypedDict):
    """One instruction: the state before and after it, and its bus slots as address, value and kind; None is idle."""

    name: str
    initial: MachineState
    final: MachineState
    cycles: list[tuple[int | None, int | None, str] | None]


@dataclass(frozen=True, slots=True)
class Exceptions:
    """What is declared not to come out: opcodes that are not run, and parts of others that are not compared."""

    not_run: frozenset[str]
    slots: frozenset[str]
    ime: frozenset[str]


EXCEPTIONS: Final = Exceptions(
    not_run=frozenset(("10",)),  # STOP is a no-op here
    slots=frozenset(("76",)),  # the vectors go on counting while HALT sleeps
    ime=frozenset(("fb",)),  # the delay of EI is held apart
)

Vectors = Mapping[str, Sequence[Vector]]
_PACKED: Final = TypeAdapter(dict[str, list[Vector]])


def read_vectors(source: Path) -> Vectors:
    """Read vectors by opcode, such as `0e` or `cb 1f`.

    Args:
        source: A folder of files such as `0e.json` and `cb 1f.json`, one such file, or a packed sample that maps
            opcodes to vectors; `.gz` is unpacked.

    Raises:
        ConfigError: If there is nothing to read.
        DocumentError: If a file holds no vectors.
    """
    if source.is_dir():
        files = sorted(path for path in source.iterdir() if path.name.endswith((".json", ".json.gz")))
        if not files:
            raise ConfigError(f"{source} holds no vectors (*.json); give a folder with one file per opcode")
        return {opcode: cases for path in files for opcode, cases in _read_file(path).items()}
    if not source.is_file():
        raise ConfigError(f"{source} does not exist; give a folder of JSON files, one such file or a packed sample")
    return _read_file(source)


def draw_vectors(vectors: Vectors, *, per_opcode: int | None, seed: int) -> Vectors:
    """Choose some vectors of every opcode, the same for the same seed; all of them where the number is None."""
    if per_opcode is None:
        return vectors
    draws = random.Random(seed)
    return {opcode: draws.sample(list(cases), min(per_opcode, len(cases))) for opcode, cases in sorted(vectors.items())}


def check_vector(opcode: str, vector: Vector) -> str | None:
    """Execute a vector on the native core; says what differs, or None."""
    initial, final = vector["initial"], vector["final"]
    memory = [(address, value) for address, value in initial["ram"]]
    registers, slots = load_native().gameboy_flat_step({name: initial[name] for name in REGISTERS}, memory)
    after = {**dict(memory), **{address: value for address, value, kind in slots if kind == "write"}}
    for name in REGISTERS:
        if registers[name] != final[name] and not (name == "ime" and opcode in EXCEPTIONS.ime):
            return f"{name} is {registers[name]}, should be {final[name]}"
    for address, value in final["ram"]:
        if after.get(address) != value:
            return f"memory at ${address:04X} is {after.get(address)}, should be {value}"
    if opcode not in EXCEPTIONS.slots and slots != _expected_slots(vector):
        return f"the slots are {slots}, should be {_expected_slots(vector)}"
    return None


def _expected_slots(vector: Vector) -> list[tuple[int | None, int | None, str]]:
    slots = [(0, 0, "---") if slot is None else slot for slot in vector["cycles"]]
    told = [(address, value, _KINDS[kind]) for address, value, kind in slots]
    return [slot if slot[2] != "idle" else (0, 0, "idle") for slot in told]


def _read_file(path: Path) -> Vectors:
    try:
        data = read_named(path, most_bytes=_MAX_TEXT_BYTES)
        if path.suffix == ".gz":
            data = unpack_gzip(data, most_bytes=_MAX_TEXT_BYTES, where=str(path))
        document = decode_json(data, object, where=str(path), most_values=_MAX_VALUES)
        packed = document if isinstance(document, dict) else {path.name.removesuffix(".gz")[: -len(".json")]: document}
        vectors = _PACKED.validate_python(packed)
        for cases in vectors.values():
            for vector in cases:
                _expected_slots(vector)
    except ValidationError as error:
        raise DocumentError(f"{path}: holds no single-step vectors ({first_problem(error)})") from None
    except (UnknownName, DocumentError, ValueError, KeyError) as error:
        raise DocumentError(f"{path}: holds no single-step vectors ({type(error).__name__}: {error})") from None
    return {opcode.lower(): cases for opcode, cases in vectors.items()}
