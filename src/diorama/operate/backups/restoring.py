"""Puts a backup back: verified file by file, whole or not at all, and never over anything."""

import hashlib
import os
import shutil
from io import BufferedReader
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, RunConflict, UnknownName
from diorama.operate.backups.making import Progress, write_copy
from diorama.operate.backups.manifest import FILES, BackupFile, Manifest, read_manifest
from diorama.storage.artifact_files import open_artifact
from diorama.storage.atomic_files import UNFINISHED, storage_errors, sync_directory

_BLOCK_BYTES: Final = 1 << 20
_MOST_BYTES: Final = 1 << 50


def restore_backup(backup: Path, target: Path, tell: Progress = lambda size: None) -> Manifest:
    """Restore a live world as a folder, or runs into a directory of runs.

    Args:
        backup: Folder of the backup.
        target: For a live world the folder, which must not exist; for runs their directory, which may, without them.
        tell: Called with the bytes that were copied.

    Raises:
        UnknownName: There is no backup.
        DocumentError: It is damaged; nothing was restored.
        RunConflict: Something is there already; nothing was restored.
        StorageError: The disk refuses; nothing was restored.
    """
    manifest = read_manifest(backup)
    target = target.absolute()
    _refuse_overwriting(manifest, target)
    beside = target.parent if manifest.kind == "live" else target
    unfinished = beside / f".{target.name}{UNFINISHED}{os.getpid()}"
    try:
        with storage_errors(target):
            unfinished.mkdir(parents=True)
        for file in manifest.files:
            _restore_file(backup, file, unfinished, tell)
        _refuse_overwriting(manifest, target)
        with storage_errors(target):
            if manifest.kind == "live":
                unfinished.rename(target)
            else:
                for run_id in manifest.runs:
                    (unfinished / run_id).rename(target / run_id)
            sync_directory(beside)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return manifest


def verify_backup(backup: Path, tell: Progress = lambda size: None) -> Manifest:
    """Read a whole backup and compare every hash.

    Raises:
        UnknownName: There is no backup.
        DocumentError: It is damaged.
    """
    manifest = read_manifest(backup)
    for file in manifest.files:
        with _opened(backup, file) as opened:
            digest = hashlib.sha256()
            while block := opened.read(_BLOCK_BYTES):
                digest.update(block)
                tell(len(block))
        _compare(backup, file, digest.hexdigest())
    return manifest


def _restore_file(backup: Path, file: BackupFile, unfinished: Path, tell: Progress) -> None:
    with _opened(backup, file) as opened:
        written = write_copy(opened, unfinished, file.path, tell, most_bytes=file.bytes)
    _compare(backup, file, written.sha256)


def _opened(backup: Path, file: BackupFile) -> BufferedReader:
    folder = backup / FILES
    try:
        opened = open_artifact(folder / file.path, within=folder, most_bytes=_MOST_BYTES)
    except UnknownName:
        raise DocumentError(
            f"{backup}: {file.path} is missing; the backup is damaged", code="backup_damaged", file=file.path
        ) from None
    found = os.fstat(opened.fileno()).st_size
    if found != file.bytes:
        opened.close()
        raise DocumentError(
            f"{backup}: {file.path} has {found} bytes, the manifest says {file.bytes}; the backup is damaged",
            code="backup_damaged",
            file=file.path,
        )
    return opened


def _compare(backup: Path, file: BackupFile, found: str) -> None:
    if found != file.sha256:
        raise DocumentError(
            f"{backup}: {file.path} hashes to {found[:12]}, the manifest says {file.sha256[:12]}; the backup is "
            "damaged, and nothing was restored",
            code="backup_damaged",
            file=file.path,
        )


def _refuse_overwriting(manifest: Manifest, target: Path) -> None:
    places = [target] if manifest.kind == "live" else [target / run_id for run_id in manifest.runs]
    for place in places:
        if os.path.lexists(place):
            raise RunConflict(
                f"{place} exists already, and nothing is overwritten; choose another place, or move it away",
                code="restore_target_exists",
                path=place,
            )
