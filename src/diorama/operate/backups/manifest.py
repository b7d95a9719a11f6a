"""What a backup holds: every file with its hash, and what of."""

from pathlib import Path, PurePosixPath
from typing import Final, Literal

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.documents import Document, read_document
from diorama.runs.layout import check_id

MANIFEST: Final = "manifest.json"
FILES: Final = "files"
VERSION: Final = 1

Kind = Literal["live", "runs"]


class BackupFile(Document, frozen=True, kw_only=True):
    """One file; `path` is relative to the folder that was backed up."""

    path: str
    bytes: int
    sha256: str


class LiveFacts(Document, frozen=True, kw_only=True):
    """Where a live world goes on once it is restored.

    Attributes:
        world: Its world.
        run_id: The run that is continued.
        tick: The last one in its log, which the restored world lives through again.
        state_hash: Of the snapshot that the log begins at.
    """

    world: str
    run_id: str
    tick: int
    state_hash: str


class Manifest(Document, frozen=True, kw_only=True):
    """Describes a backup.

    Attributes:
        backup_version: Form of the backup.
        kind: What was backed up: the folder of a live world, or runs of a directory of runs.
        name: Name of the folder that was backed up.
        created_at: When the backup was begun.
        diorama_version: What made it.
        files: Every file, by path.
        runs: Ids of the runs; none of a live world.
        live: Of a live world that keeps a log.
    """

    backup_version: int
    kind: Kind
    name: str
    created_at: str
    diorama_version: str
    files: list[BackupFile]
    runs: list[str]
    live: LiveFacts | None

    @property
    def size_bytes(self) -> int:
        """Size of all files."""
        return sum(file.bytes for file in self.files)


def read_manifest(backup: Path) -> Manifest:
    """Read what a backup says of itself.

    Raises:
        UnknownName: There is no backup.
        DocumentError: It is none, of another version, or names a file outside of its folder.
        ConfigError: It names a run by what is no id.
    """
    try:
        manifest = read_document(backup / MANIFEST, Manifest)
    except UnknownName:
        raise UnknownName(
            f"{backup} is no backup: it has no {MANIFEST}; name a folder that diorama backup has made",
            code="backup_unknown",
            path=backup,
        ) from None
    if manifest.backup_version != VERSION:
        raise DocumentError(
            f"{backup}: the backup has version {manifest.backup_version}; version {VERSION} is read here",
            code="backup_version_unknown",
            path=backup,
            version=manifest.backup_version,
        )
    for run_id in manifest.runs:
        check_id("run", run_id)
    seen: set[str] = set()
    for file in manifest.files:
        parts = PurePosixPath(file.path).parts
        is_inside = bool(parts) and file.path == "/".join(parts) and not {"..", "/"} & set(parts)
        is_inside &= manifest.kind == "live" or parts[0] in manifest.runs
        if not is_inside or "\0" in file.path or file.path in seen:
            raise DocumentError(
                f"{backup / MANIFEST}: {file.path!r} is no path inside of the backup, or there twice",
                code="backup_path_invalid",
                path=backup,
                file=file.path,
            )
        seen.add(file.path)
    return manifest
