"""The manifest: name, hash, profiles and purpose of every ROM, stored beside this file and compared in tests."""

import json
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final, TypedDict

from diorama.storage.atomic_files import replace_file
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS, assemble, rom_names
from diorama.worlds.gameboy.roms.rom import MicroRom
from diorama.worlds.gameboy.roms.tasks.task import TaskRom

MANIFEST_NAME: Final = "manifest.json"


class MicroEntry(TypedDict):
    """What the manifest says about a micro-ROM."""

    name: str
    sha256: str
    bytes: int
    profiles: list[str]
    boot: str
    purpose: str


class TaskEntry(TypedDict):
    """What the manifest says about a game. `shortest_paths` is in moves, one number for each maze."""

    name: str
    sha256: str
    bytes: int
    purpose: str
    shortest_paths: list[int]
    solver_steps: int


class Manifest(TypedDict):
    """The whole manifest."""

    micro_roms: list[MicroEntry]
    task_roms: list[TaskEntry]


def make_manifest() -> Manifest:
    """Assemble every ROM and describe it."""
    return Manifest(
        micro_roms=[_micro_entry(rom) for rom in MICRO_ROMS.values()],
        task_roms=[_task_entry(rom) for rom in TASK_ROMS.values()],
    )


def manifest_text(manifest: Manifest) -> str:
    """Write a manifest as it is stored."""
    return json.dumps(manifest, indent=2) + "\n"


def stored_manifest() -> str:
    """Read the manifest that is shipped with the package."""
    return files(__package__).joinpath(MANIFEST_NAME).read_text(encoding="utf-8")


def write_roms(folder: Path) -> list[Path]:
    """Write all ROMs and the manifest into a folder.

    Returns:
        The files, the manifest last.

    Raises:
        StorageError: If a file cannot be written; files already there stay whole.
    """
    contents = {f"{name}.gb": assemble(name) for name in rom_names()}
    contents[MANIFEST_NAME] = manifest_text(make_manifest()).encode()
    for name, data in contents.items():
        replace_file(folder / name, data)
    return [folder / name for name in contents]


def _micro_entry(rom: MicroRom) -> MicroEntry:
    image = rom.assemble()
    return MicroEntry(
        name=rom.name,
        sha256=sha256(image).hexdigest(),
        bytes=len(image),
        profiles=[str(profile) for profile in rom.profiles],
        boot=str(rom.boot),
        purpose=rom.purpose,
    )


def _task_entry(rom: TaskRom) -> TaskEntry:
    image = rom.assemble()
    return TaskEntry(
        name=rom.name,
        sha256=sha256(image).hexdigest(),
        bytes=len(image),
        purpose=rom.purpose,
        shortest_paths=list(rom.shortest_paths()),
        solver_steps=len(rom.solve().actions),
    )
