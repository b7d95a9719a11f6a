"""`diorama snapshot …`: looks at snapshots of live worlds, checks and migrates them, and lives through a log again."""

from pathlib import Path
from typing import Annotated, Final

import typer

from diorama.cli.groups import command_group, examples
from diorama.cli.options import ConfigFileOption

_INVALID: Final = 1

snapshot_app = command_group()


@snapshot_app.callback(
    epilog=examples(
        "diorama snapshot inspect snapshot.json",
        "diorama snapshot validate snapshot.json --strict",
        "diorama snapshot replay live/townlet --verify",
    )
)
def snapshot() -> None:
    """Look at snapshots of live worlds, check and migrate them, and live through a log again."""


SnapshotPath = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="A snapshot of a live world.")]


@snapshot_app.command(epilog=examples("diorama snapshot inspect snapshot.json"))
def inspect(path: SnapshotPath) -> None:
    """Print what a snapshot says of itself, as JSON: identity, tick, hashes, migrations."""
    from diorama.cli.live.snapshot_work import print_facts

    print_facts(path)


@snapshot_app.command(epilog=examples("diorama snapshot validate snapshot.json --strict"))
def validate(
    path: SnapshotPath,
    config: ConfigFileOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Without migrations or laxer rules, and load it into a world.")
    ] = False,
) -> None:
    """Check whether a snapshot could be loaded; exits 1 if not."""
    from diorama.cli.live.snapshot_work import print_verdict

    if not print_verdict(path, config, is_strict=strict):
        raise typer.Exit(_INVALID)


@snapshot_app.command(epilog=examples("diorama snapshot migrate old.json new.json --config-file town.yaml"))
def migrate(
    path: SnapshotPath,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", dir_okay=False, help="Where the new one is written.")],
    config: ConfigFileOption = None,
) -> None:
    """Write a snapshot of another configuration as one of this, by the migrations that installed packages bring."""
    from diorama.cli.live.snapshot_work import migrate_file

    migrate_file(path, output, config)


@snapshot_app.command(epilog=examples("diorama snapshot replay live/townlet --verify"))
def replay(
    root: Annotated[Path, typer.Argument(metavar="FOLDER", file_okay=False, help="Folder of a live world.")],
    run_id: Annotated[str | None, typer.Option(metavar="ID", help="Which run.", show_default="the last one")] = None,
    config: ConfigFileOption = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Fail unless the log holds state hashes and all of them come out again.")
    ] = False,
) -> None:
    """Live through the log of a world again, segment by segment, and compare every state hash it holds.

    Nothing is written. Exits 1 where the state comes out different.
    """
    from diorama.cli.live.snapshot_work import print_replay

    if not print_replay(root, run_id, config, must_compare=verify):
        raise typer.Exit(_INVALID)
