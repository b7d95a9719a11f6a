"""`diorama watch`: a live world, or a run, in the terminal."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from diorama.contracts.errors import MissingExtra


def watch(
    target: Annotated[
        str,
        typer.Argument(
            metavar="URL|RUN", help="Address of a live world, as `diorama live` prints it, or the name of a run."
        ),
    ],
    run_root: Annotated[Path, typer.Option(file_okay=False, help="Directory of the runs.")] = Path("runs"),
    token_env: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable with a token, where even viewers need one."),
    ] = None,
) -> None:
    """Watch a live world or a training run in the terminal; q leaves, the world goes on."""
    if any(find_spec(package) is None for package in ("textual", "websockets")):
        raise MissingExtra.of("operate", needed_for="diorama watch")
    if target.startswith(("http://", "https://")):
        from diorama.cli.dashboard.live import watch_live

        watch_live(target, token_env=token_env)
    else:
        from diorama.cli.dashboard.training import watch_run

        watch_run(run_root, target)
