"""`diorama townlet validate`: checks configurations and scenarios without running them."""

from pathlib import Path
from typing import Annotated

import typer

BAD_INPUT = 2


def validate(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Configurations or scenarios as YAML.", dir_okay=False)
    ],
) -> None:
    """Check configurations and scenarios, with the town, affordance and perturbation files they name.

    Prints one line per file, with the effective id of what is sound. Exits 2 when any is not.
    """
    from diorama.cli.townlet.checking import check_file
    from diorama.contracts.errors import DioramaError

    is_sound = True
    for path in files:
        try:
            typer.echo(f"{path}: {check_file(path)}")
        except DioramaError as error:
            is_sound = False
            words = " ".join(str(error).split())
            # An error of the file itself begins with its name, and perhaps the line.
            told = words.removeprefix(f"{path.name} ").removeprefix(f"{path.name}: ").replace(f"; {path.name}: ", "; ")
            typer.echo(f"{path} {told}" if words.startswith(f"{path.name} ") else f"{path}: {told}", err=True)
    if not is_sound:
        raise typer.Exit(BAD_INPUT)
