"""What `diorama backup`, `restore` and `prune` do once their flags are read."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import typer
from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.counting import counted
from diorama.cli.progress import byte_bar
from diorama.cli.result_console import result_console
from diorama.contracts.errors import UnknownName
from diorama.operate.backups.making import make_backup, size_of
from diorama.operate.backups.manifest import Manifest, read_manifest
from diorama.operate.backups.restoring import restore_backup, verify_backup
from diorama.operate.backups.sources import find_source
from diorama.runs.clock import timestamp
from diorama.runs.retention import KeptRun, Retention, plan_removal, remove_run


def back_up(folder: Path, target: Path, runs: Sequence[str], *, as_json: bool) -> None:
    """Make a backup and say what is in it.

    Raises:
        DioramaError: It cannot be made; the message says why.
    """
    source = find_source(folder, runs)
    with byte_bar("backing up", size_of(source)) as tell:
        manifest = make_backup(source, target, tell)
    _show(manifest, f"{target}: {_words(manifest)}", as_json=as_json)


def put_back(backup: Path, target: Path, *, as_json: bool) -> None:
    """Restore a backup and say what was restored.

    Raises:
        DioramaError: It cannot be restored; the message says why.
    """
    with byte_bar("restoring", read_manifest(backup).size_bytes) as tell:
        manifest = restore_backup(backup, target, tell)
    _show(manifest, f"restored to {target}: {_words(manifest)}", as_json=as_json)


def check_backup(backup: Path, *, as_json: bool) -> None:
    """Compare every hash of a backup.

    Raises:
        DioramaError: There is none, or it is damaged.
    """
    with byte_bar("checking", read_manifest(backup).size_bytes) as tell:
        manifest = verify_backup(backup, tell)
    _show(manifest, f"{backup} is whole: {_words(manifest)}", as_json=as_json)


def prune_runs(root: Path, retention: Retention, keep: Sequence[str], *, is_dry: bool, as_json: bool) -> None:
    """Remove what is not kept, and show what became of every run.

    Raises:
        UnknownName: There is no such directory, or no run that --keep names.
        StorageError: The disk refuses.
    """
    if not root.is_dir():
        raise UnknownName(f"{root} does not exist; name the directory of your runs", code="runs_root_unknown")
    planned = plan_removal(root, retention, datetime.now(UTC), keep)
    done = [run for run in planned if run.reason is not None and (is_dry or remove_run(root, run.run_id))]
    if as_json:
        rows = [
            {
                "run_id": run.run_id,
                "updated_at": timestamp(run.updated_at.astimezone(UTC)),
                "bytes": run.size_bytes,
                "shield": run.shield,
                "reason": run.reason,
                "removed": run in done and not is_dry,
            }
            for run in planned
        ]
        typer.echo(msgspec.json.encode({"dry_run": is_dry, "runs": rows}))
        return
    result_console().print(_table(planned))
    size = sum(run.size_bytes for run in done)
    would = "would be removed" if is_dry else "removed"
    typer.echo(f"{counted(len(done), 'run')} {would}, {size / 1e6:,.1f} MB; {len(planned) - len(done)} stay")


def _show(manifest: Manifest, words: str, *, as_json: bool) -> None:
    if not as_json:
        typer.echo(words)
        return
    live = None if manifest.live is None else msgspec.to_builtins(manifest.live)
    facts = {"kind": manifest.kind, "files": len(manifest.files), "bytes": manifest.size_bytes}
    typer.echo(msgspec.json.encode({**facts, "runs": manifest.runs, "live": live}))


def _words(manifest: Manifest) -> str:
    size = f"{counted(len(manifest.files), 'file')}, {manifest.size_bytes / 1e6:,.1f} MB, hashes compared"
    if manifest.live is not None:
        live = manifest.live
        return f"live world {live.world}, run {live.run_id}, up to tick {live.tick}; {size}"
    return f"{counted(len(manifest.runs), 'run')}; {size}" if manifest.kind == "runs" else f"live world; {size}"


def _table(planned: Sequence[KeptRun]) -> Table:
    table = Table(box=SIMPLE)
    for title in ("run", "written", "MB", "what becomes of it"):
        table.add_column(title, justify="right" if title == "MB" else "left", no_wrap=title == "run")
    for run in planned:
        fate = f"goes: {run.reason}" if run.reason is not None else f"stays: {run.shield or 'within the bounds'}"
        table.add_row(run.run_id, run.updated_at.strftime("%Y-%m-%d %H:%M"), f"{run.size_bytes / 1e6:,.1f}", fate)
    return table
