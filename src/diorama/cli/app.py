"""The command line: one app, and the entry point that turns errors into one line."""

import sys
from collections.abc import Sequence
from errno import ENOSPC
from typing import Annotated, Final

import typer

from diorama.cli.entries import ENTRIES
from diorama.cli.groups import command_group, examples
from diorama.cli.on_demand import OnDemandGroup
from diorama.cli.usage_words import usage_words
from diorama.contracts.errors import DioramaError

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class _Commands(OnDemandGroup):
    entries = ENTRIES


app = command_group(name="diorama", cls=_Commands)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        import diorama

        typer.echo(f"diorama {diorama.__version__}")
        raise typer.Exit


@app.callback(
    epilog=examples(
        "diorama demo",
        "diorama rollout prospector --bot prudent_hauler --seed 7",
        "diorama train prospector --preset quick --run-id first",
        "diorama serve --open",
    )
)
def diorama_command(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Small deterministic worlds for reinforcement learning, each written twice and compared bit for bit."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; anything a user can get wrong becomes one line on stderr."""
    try:
        outcome = app(list(arguments), prog_name="diorama", standalone_mode=False)
    except typer.TyperException as error:
        return _refuse(f"{usage_words(error)} (try '{_command_of(error)} --help')")
    except DioramaError as error:
        return _refuse(str(error), error.exit_code)
    except OSError as error:
        if error.errno == ENOSPC:
            return _refuse("the output cannot be written: no space is left on its device")
        # Only a file somebody named is their mistake; any other failure of the system deserves its traceback.
        if error.filename is None:
            raise
        return _refuse(f"{error.filename}: {error.strerror}")
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return outcome if isinstance(outcome, int) else 0


def main() -> None:
    """Run the command line of this process."""
    code = run(sys.argv[1:])
    from diorama.operate.shutdown import leave

    leave(code)


def _refuse(message: str, exit_code: int = BAD_INPUT) -> int:
    typer.echo(f"diorama: {' '.join(message.split())}", err=True)
    return exit_code


def _command_of(error: typer.TyperException) -> str:
    context = vars(error).get("ctx")  # only errors of usage know where they were made
    return "diorama" if context is None else str(context.command_path)
