"""Which ROMs can be played: those that come with the package, and the files of a folder."""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from diorama.contracts.consoles import ConsoleProgram, ProgramSource
from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.storage.artifact_files import read_named
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.cartridge import BANK_BYTES, LEAST_BYTES, MOST_BYTES, Cartridge, parse_cartridge
from diorama.worlds.gameboy.errors import CartridgeError
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS
from diorama.worlds.gameboy.roms.tasks.task import TaskRom

SUFFIXES: Final = frozenset((".gb", ".gbc", ".dmg", ".bin"))
MOST_FILES: Final = 2000  # of a folder; what lies beyond is not looked at
_KEPT: Final = 4096


def list_programs(folder: Path | None) -> list[ConsoleProgram]:
    """Return the games of the package, the files of the folder by name, and the micro-ROMs."""
    games = [
        replace(_built_in(name, rom.purpose, ProgramSource.GAME), config=_task_config(rom))
        for name, rom in TASK_ROMS.items()
    ]
    tests = [_built_in(name, rom.purpose, ProgramSource.TEST) for name, rom in MICRO_ROMS.items()]
    return [*games, *_folder_programs(folder), *tests]


def read_program(program_id: str, folder: Path | None) -> tuple[Cartridge, BootMode]:
    """Load a ROM by its id, and tell how it is started.

    Raises:
        UnknownName: There is no such ROM.
        CartridgeError: It cannot be loaded.
        UnsupportedCartridge: It needs hardware that is not emulated.
    """
    if program_id in TASK_ROMS:
        return _image(program_id), BootMode.STUB_LCD
    if program_id in MICRO_ROMS:
        return _image(program_id), MICRO_ROMS[program_id].boot
    for found in _files(folder):
        if found.id == program_id:
            return _load(found), BootMode.STUB_LCD
    raise UnknownName(f"there is no ROM {program_id[:200]!r}; the list of programs names those there are")


class _File:
    """A file of the folder, as it was a moment ago."""

    def __init__(self, folder: Path, path: Path) -> None:
        self.id = path.relative_to(folder).as_posix()
        self.path = path
        self.is_inside = path.resolve().is_relative_to(folder.resolve())


@lru_cache(maxsize=len(MICRO_ROMS) + len(TASK_ROMS))
def _image(name: str) -> Cartridge:
    rom = MICRO_ROMS.get(name) or TASK_ROMS[name]
    return parse_cartridge(rom.assemble(), name=name)


@lru_cache(maxsize=len(MICRO_ROMS) + len(TASK_ROMS))
def _built_in(name: str, purpose: str, source: ProgramSource) -> ConsoleProgram:
    cartridge = _image(name)
    return ConsoleProgram(
        id=name,
        title=name,
        source=source,
        hardware=hardware_of(cartridge),
        size_bytes=len(cartridge.rom),
        about=purpose,
    )


def _task_config(rom: TaskRom) -> JsonObject:
    """Return the configuration in which the rules of a game pay, with the steps its solver takes."""
    schedule = rom.solve().schedule
    return {
        "rom": rom.name,
        "kind": "gb_tasks",
        "frames_per_step": schedule.frames_per_step,
        "release_after_frames": schedule.release_after_frames,
    }


def _files(folder: Path | None) -> Iterator[_File]:
    if folder is None:
        return
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names, key=str.casefold):
            if Path(name).suffix.lower() not in SUFFIXES or name.startswith("."):
                continue
            count += 1
            if count > MOST_FILES:
                return
            yield _File(folder, Path(place) / name)


def _folder_programs(folder: Path | None) -> list[ConsoleProgram]:
    found = sorted(_files(folder), key=lambda file: file.id.casefold())
    return [_described(file) for file in found]


def _described(file: _File) -> ConsoleProgram:
    if not file.is_inside:
        return _broken(file, 0, "it is a link that leads out of the folder")
    try:
        facts = file.path.stat()
    except OSError as error:
        return _broken(file, 0, f"it cannot be read ({error.strerror or error})")
    return _header(file.id, file.path, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=_KEPT)
def _header(program_id: str, path: Path, changed_ns: int, size: int) -> ConsoleProgram:
    """Describe a file by its header alone: a folder may hold gigabytes. A changed file is looked at again."""
    title = path.stem
    try:
        cartridge = _front(path, size)
    except CartridgeError as error:
        return _unusable(program_id, title, size, str(error))
    except OSError as error:
        return _unusable(program_id, title, size, f"it cannot be read ({error.strerror or error})")
    return ConsoleProgram(
        id=program_id,
        title=cartridge.title or title,
        source=ProgramSource.FOLDER,
        hardware=hardware_of(cartridge),
        size_bytes=size,
    )


def _front(path: Path, size: int) -> Cartridge:
    is_of_size = BANK_BYTES <= size <= MOST_BYTES and size % BANK_BYTES == 0
    if not is_of_size:
        raise CartridgeError(
            f"it has {size} bytes; a cartridge image has a multiple of {BANK_BYTES}, from one to {MOST_BYTES}"
        )
    with path.open("rb") as file:
        return parse_cartridge(_padded(file.read(LEAST_BYTES)), name="it")


def _load(file: _File) -> Cartridge:
    if not file.is_inside:
        raise CartridgeError(f"{file.id}: it is a link that leads out of the folder")
    try:
        data = read_named(file.path, most_bytes=MOST_BYTES)
    except (UnknownName, DocumentError) as error:
        raise CartridgeError(f"{file.id}: {str(error).removeprefix(str(file.path)).lstrip(': ')}") from None
    if len(data) % BANK_BYTES or not data:
        return parse_cartridge(data, name=file.id)  # which says what is wrong with its size
    return parse_cartridge(_padded(data), name=file.id)


def _padded(data: bytes) -> bytes:
    return data.ljust(max(LEAST_BYTES, 1 << (len(data) - 1).bit_length()), b"\xff")


def hardware_of(cartridge: Cartridge) -> str:
    """Return mapper, clock, motor and RAM of a cartridge in words."""
    parts = ["no mapper" if cartridge.kind == "rom_only" else cartridge.kind.upper()]
    if cartridge.has_clock:
        parts.append("clock")
    if cartridge.has_rumble:
        parts.append("rumble")
    if cartridge.ram_bytes:
        parts.append(f"{cartridge.ram_bytes // 1024} KiB RAM")
    return ", ".join(parts)


def _broken(file: _File, size: int, problem: str) -> ConsoleProgram:
    return _unusable(file.id, file.path.stem, size, problem)


def _unusable(program_id: str, title: str, size: int, problem: str) -> ConsoleProgram:
    return ConsoleProgram(
        id=program_id,
        title=title,
        source=ProgramSource.FOLDER,
        hardware="",
        size_bytes=size,
        problem=problem.removeprefix("it: "),
    )
