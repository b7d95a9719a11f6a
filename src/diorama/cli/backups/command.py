"""`diorama backup`, `diorama restore` and `diorama prune`."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_run
from diorama.cli.options import FormatOption
from diorama.contracts.errors import ConfigError

_DAY = timedelta(days=1)


def backup(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A live world, a run, or a directory of runs; it may be running.")
    ],
    target: Annotated[Path, typer.Argument(metavar="BACKUP", help="Folder of the backup, which must not exist.")],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="ID", help="Only this run; may be given several times.", show_default="all"),
    ] = None,
    format: FormatOption = "text",
) -> None:
    """Back up a live world or runs while they run; every file with its hash.

    What is there is copied as it would be had the process been killed at this moment. A backup is a folder with the
    files and a manifest.json that has the hash of each. It appears under its name when it is whole, and after it was
    found to be one that can go on. Configuration files outside of the folder of a live world are not part of it.
    """
    from diorama.cli.backups.work import back_up

    back_up(source, target, run or [], as_json=format == "json")


def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP", help="A folder that diorama backup has made.")],
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="Folder of the live world, which must not exist; or directory of runs, which may.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only read the backup and compare every hash.")] = False,
    format: FormatOption = "text",
) -> None:
    """Restore a backup, whole or not at all, and never over anything.

    Every file is compared with its hash before anything appears. A live world goes on with diorama live WORLD --root
    FOLDER --resume, a run with diorama train WORLD --resume ID.
    """
    if check == (target is not None):
        raise ConfigError("name the folder to restore to, or --check the backup alone", code="restore_target_missing")
    from diorama.cli.backups.work import check_backup, put_back

    if target is None:
        check_backup(source, as_json=format == "json")
    else:
        put_back(source, target, as_json=format == "json")


def prune(
    root: Annotated[Path, typer.Argument(metavar="RUNS", file_okay=False, help="Directory of the runs.")],
    older_than_days: Annotated[
        float | None,
        typer.Option(min=0.0, help="Runs that were not written for so many days go.", show_default="no bound"),
    ] = None,
    keep_newest: Annotated[
        int | None, typer.Option(min=0, help="So many of the newest runs stay.", show_default="no bound")
    ] = None,
    keep_bytes: Annotated[
        int | None,
        typer.Option(min=0, help="The newest runs stay that take no more together.", show_default="no bound"),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="A run that stays whatever its age; may be given several times.",
            show_default=False,
            autocompletion=complete_run,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go, and remove nothing.")] = False,
    format: FormatOption = "text",
) -> None:
    """Remove old runs by age, number or bytes; never the best, nor one that is being written.

    A run goes as soon as one of the bounds is exceeded, the oldest first. Runs that are being written, from which the
    champion of a world was taken, that are the best of their world and configuration, or that --keep names never go;
    they count all the same. DIORAMA_RUNS_QUOTA_BYTES sets how many bytes a directory of runs may take before nothing
    new is begun in it.
    """
    if older_than_days is None and keep_newest is None and keep_bytes is None:
        raise ConfigError(
            "say what is kept: --older-than-days, --keep-newest, --keep-bytes, or several of them",
            code="retention_missing",
        )
    from diorama.cli.backups.work import prune_runs
    from diorama.runs.retention import Retention

    age = None if older_than_days is None else older_than_days * _DAY
    prune_runs(
        root,
        Retention(age=age, count=keep_newest, size_bytes=keep_bytes),
        keep or [],
        is_dry=dry_run,
        as_json=format == "json",
    )
