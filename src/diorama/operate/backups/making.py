"""Makes a backup of what is being written meanwhile."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import diorama
from diorama.contracts.errors import ConfigError, DocumentError, SnapshotError, UnknownName
from diorama.operate.backups.manifest import FILES, MANIFEST, VERSION, BackupFile, LiveFacts, Manifest
from diorama.operate.backups.sources import Source, check_live, check_run, is_log
from diorama.runs.clock import timestamp
from diorama.runs.documents import replace_document
from diorama.storage.artifact_files import open_artifact
from diorama.storage.atomic_files import UNFINISHED, storage_errors, sync_directory
from diorama.storage.line_files import NEWLINE

Progress = Callable[[int], None]
"""Told how many bytes were done."""

_BLOCK_BYTES: Final = 1 << 20
_MOST_BYTES: Final = 1 << 50
_TRIES: Final = 5
_PAUSE_SECONDS: Final = 0.2


def size_of(source: Source) -> int:
    """Return how many bytes a backup would have now."""
    total = 0
    for path in source.paths():
        with suppress(FileNotFoundError):
            total += (source.root / path).stat().st_size
    return total


def make_backup(source: Source, target: Path, tell: Progress = lambda size: None) -> Manifest:
    """Copy what there is at this moment, as a kill at this moment would leave it; nothing of it has to be stopped.

    The backup appears under its name when it is whole and was read again.

    Args:
        source: What is backed up.
        target: Folder of the backup, which must not exist.
        tell: Called with the bytes that were copied.

    Raises:
        ConfigError: The target exists, or lies inside of what is backed up.
        StorageError: The disk refuses; there is no backup.
        DocumentError: What is backed up is broken, or changes faster than it can be copied.
    """
    target = target.absolute()
    if os.path.lexists(target):
        raise ConfigError(f"{target} exists already; name a folder that does not", code="backup_exists", path=target)
    if target.resolve().is_relative_to(source.root):
        raise ConfigError(f"{target} lies inside of {source.root}; name a folder beside it", code="backup_inside")
    unfinished = target.with_name(f".{target.name}{UNFINISHED}{os.getpid()}")
    try:
        with storage_errors(target):
            unfinished.mkdir(parents=True)
        manifest = _settled(source, unfinished, tell)
        replace_document(unfinished / MANIFEST, manifest)
        with storage_errors(target):
            unfinished.rename(target)
            sync_directory(target.parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return manifest


def _settled(source: Source, unfinished: Path, tell: Progress) -> Manifest:
    """Copy until a copy could go on: what is written meanwhile may remove what was to be copied next."""
    began = timestamp(datetime.now(UTC))
    for left in reversed(range(_TRIES)):
        copy = unfinished / FILES
        shutil.rmtree(copy, ignore_errors=True)
        listed = source.paths()
        try:
            files = [file for path in listed if (file := _copied(source.root, path, copy, tell)) is not None]
            live = _checked(source, copy, listed)
        except (DocumentError, SnapshotError, UnknownName):
            if not left:
                raise
            time.sleep(_PAUSE_SECONDS)
            continue
        return Manifest(
            backup_version=VERSION,
            kind=source.kind,
            name=source.root.name,
            created_at=began,
            diorama_version=diorama.__version__,
            files=sorted(files, key=lambda file: file.path),
            live=live,
            runs=list(source.runs),
        )
    raise AssertionError("the last try returns or raises")


def _checked(source: Source, copy: Path, listed: list[str]) -> LiveFacts | None:
    if source.kind == "live":
        return check_live(copy)
    for run_id in source.runs:
        check_run(copy / run_id, [path.removeprefix(f"{run_id}/") for path in listed if path.startswith(f"{run_id}/")])
    return None


def _copied(root: Path, path: str, copy: Path, tell: Progress) -> BackupFile | None:
    """Copy a file as it is now, a log to the end of its last line; None for one that was removed meanwhile."""
    try:
        opened = open_artifact(root / path, within=root, most_bytes=_MOST_BYTES)
    except UnknownName:
        return None
    with opened:
        size = os.fstat(opened.fileno()).st_size
        return write_copy(opened, copy, path, tell, most_bytes=_end_of_lines(opened, size) if is_log(path) else size)


def write_copy(opened: BinaryIO, folder: Path, path: str, tell: Progress, *, most_bytes: int) -> BackupFile:
    """Write the beginning of an open file to a path below a folder, and put it on the disk.

    Raises:
        DocumentError: It has become shorter.
        StorageError: The disk refuses.
    """
    target = folder / path
    digest, left = hashlib.sha256(), most_bytes
    with storage_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            while left and (block := opened.read(min(left, _BLOCK_BYTES))):
                file.write(block)
                digest.update(block)
                left -= len(block)
                tell(len(block))
            file.flush()
            os.fsync(file.fileno())
    if left:
        raise DocumentError(f"{path} became shorter while it was copied", code="backup_source_shrank", path=path)
    return BackupFile(path=path, bytes=most_bytes, sha256=digest.hexdigest())


def _end_of_lines(opened: BinaryIO, size: int) -> int:
    """Return the place after the last newline of a log."""
    end = size
    while end > 0:
        start = max(0, end - _BLOCK_BYTES)
        found = os.pread(opened.fileno(), end - start, start).rfind(NEWLINE)
        if found >= 0:
            return start + found + 1
        end = start
    return 0
