"""`diorama watch`: a live world, or a run, in the terminal."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_run
from diorama.cli.console.command import TokenEnvOption
from diorama.cli.options import RunRootOption
from diorama.contracts.errors import MissingExtra


def watch(
    target: Annotated[
        str,
        typer.Argument(
            metavar="URL|RUN",
            help="Address of a live world, as `diorama live` prints it, or the name of a run.",
            autocompletion=complete_run,
        ),
    ],
    run_root: RunRootOption = Path("runs"),
    token_env: TokenEnvOption = None,
) -> None:
    """Watch a live world or a training run in the terminal; q leaves, the world goes on."""
    if any(find_spec(package) is None for package in ("textual", "websockets")):
        raise MissingExtra.of("operate", needed_for="diorama watch")
    from diorama.cli.dashboard.addresses import as_address
    from diorama.runs.run import open_run

    address = as_address(target)
    if address is not None:
        from diorama.cli.dashboard.live import watch_live

        watch_live(address, token_env)
    elif open_run(run_root, target).metadata().world == "morphogenesis":
        from diorama.cli.morphogenesis.watching import watch as watch_growth

        watch_growth(target, run_root)
    else:
        from diorama.cli.dashboard.training import watch_run

        watch_run(run_root, target)
