"""The command line: one app, and the entry point that turns errors into one line."""

import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from diorama.cli.bench import bench
from diorama.cli.check_world import check_world
from diorama.cli.console.command import console
from diorama.cli.console.events import events
from diorama.cli.dashboard.command import watch
from diorama.cli.doctor import doctor
from diorama.cli.evaluate import evaluate
from diorama.cli.export import export
from diorama.cli.gameboy.app import gameboy_app
from diorama.cli.live.command import live
from diorama.cli.live.snapshots import snapshot_app
from diorama.cli.morphogenesis.app import morphogenesis_app
from diorama.cli.parity import parity
from diorama.cli.replay import replay_app
from diorama.cli.rollout import rollout
from diorama.cli.serve import serve
from diorama.cli.smoke import smoke
from diorama.cli.sweep import sweep
from diorama.cli.telemetry import telemetry_app
from diorama.cli.tidebreak.app import tidebreak_app
from diorama.cli.townlet.app import townlet_app
from diorama.cli.train import train
from diorama.cli.train_flags import TrainCommand
from diorama.cli.worlds import worlds
from diorama.contracts.errors import DioramaError

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

app = typer.Typer(
    name="diorama",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _examples(*lines: str) -> str:
    # An empty line between two makes typer keep them apart.
    return "\n\n".join(("Examples:", *lines))


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        import diorama

        typer.echo(f"diorama {diorama.__version__}")
        raise typer.Exit


@app.callback(
    epilog=_examples(
        "diorama worlds prospector",
        "diorama rollout prospector --bot prudent_hauler --seed 7",
        "diorama parity prospector --quick",
    )
)
def diorama_command(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Small deterministic worlds for reinforcement learning, each written twice and compared bit for bit."""


app.command(epilog=_examples("diorama worlds", "diorama worlds prospector --json"))(worlds)
app.command(
    "check-world",
    epilog=_examples("diorama check-world prospector", "diorama check-world prospector -c time_max=500 --json"),
)(check_world)
app.command(
    epilog=_examples(
        "diorama rollout prospector --bot prudent_hauler --seed 7",
        "diorama rollout prospector --bot greedy_miner --config pirates=false --json",
    )
)(rollout)
app.command(
    epilog=_examples(
        "diorama parity prospector",
        "diorama parity prospector --full --json reports/parity.json",
        "diorama parity prospector --suite D --seeds 3 --time-max 500 --time-max 9000",
    )
)(parity)
app.command(
    cls=TrainCommand,
    epilog=_examples(
        "diorama train prospector",
        "diorama train prospector --preset quick --run-id first",
        "diorama train prospector --steps 5000000 --copies 1024 --set ppo.target_kl=0.02",
        "diorama train prospector --resume first --steps 40000",
        "diorama train prospector --processes 2",
    ),
)(train)
app.command(
    "eval",
    epilog=_examples(
        "diorama eval prospector --bot prudent_hauler --episodes 20",
        "diorama eval prospector --bot all --protocol --json reports/protocol.json",
        "diorama eval my-run --episodes 100 --stochastic",
        "diorama eval my-run --protocol --ray auto",
    ),
)(evaluate)
app.command(epilog=_examples("diorama sweep search.yaml", "diorama sweep search.yaml --trials 40 --parallel 2"))(sweep)
app.command(epilog=_examples("diorama export my-run", "diorama export my-run --output policy.onnx --json"))(export)
app.command(epilog=_examples("diorama bench prospector", "diorama bench prospector --copies 1,4096 --threads 1,2"))(
    bench
)
app.command(epilog=_examples("diorama serve", "diorama serve --run-root runs --port 8080 --open"))(serve)
app.command(
    epilog=_examples(
        "diorama smoke --skip-wandb",
        "diorama smoke --backend https://runs.example.org --client https://watch.example.org --json reports/smoke.json",
    )
)(smoke)
app.command(
    epilog=_examples(
        "diorama live townlet",
        "diorama live townlet --config town.yaml --speed 10x --policy my-run",
        "diorama live prospector --policy prudent_hauler --speed max",
    )
)(live)
app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog=_examples(
        "diorama console",
        "diorama console help teleport",
        "diorama console teleport citizen_001 10 2",
        "diorama console --dry-run spawn name=Nora job=clerk",
    ),
)(console)
app.command(epilog=_examples("diorama events", "diorama events --types agent_exit,job_late --json"))(events)
app.command(epilog=_examples("diorama watch http://127.0.0.1:8001", "diorama watch my-run"))(watch)
app.add_typer(replay_app, name="replay")
app.add_typer(snapshot_app, name="snapshot")
app.add_typer(telemetry_app, name="telemetry")
app.add_typer(tidebreak_app, name="tidebreak")
app.add_typer(townlet_app, name="townlet")
app.add_typer(gameboy_app, name="gameboy")
app.add_typer(morphogenesis_app, name="morphogenesis")
app.command(epilog=_examples("diorama doctor", "diorama doctor --json"))(doctor)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; anything a user can get wrong becomes one line on stderr."""
    try:
        outcome = app(list(arguments) or ["--help"], prog_name="diorama", standalone_mode=False)
    except typer.TyperException as error:
        return _refuse(f"{error.format_message()} (try 'diorama --help')")
    except DioramaError as error:
        return _refuse(str(error), error.exit_code)
    except OSError as error:
        # Only a file somebody named is their mistake; any other failure of the system deserves its traceback.
        if error.filename is None:
            raise
        return _refuse(f"{error.filename}: {error.strerror}")
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return outcome if isinstance(outcome, int) else 0


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


def _refuse(message: str, exit_code: int = BAD_INPUT) -> int:
    typer.echo(f"diorama: {' '.join(message.split())}", err=True)
    return exit_code
