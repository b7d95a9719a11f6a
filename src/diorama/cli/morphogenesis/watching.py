"""`diorama morphogenesis watch`, and rounds that are watched while they are played: the panels in the terminal."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.completion import complete_run
from diorama.cli.morphogenesis.options import RunSettings
from diorama.cli.options import RunRootOption
from diorama.cli.terminal import require_terminal

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.rounds.running import PlayedRun


def watch(
    target: Annotated[
        str,
        typer.Argument(metavar="RUN|FILE", help="Name of a run, or a file of events.", autocompletion=complete_run),
    ],
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Watch a training run or a recorded file in the terminal, with every host, seed and decision.

    A run that still trains is followed as it goes; ? shows the keys, and q leaves without stopping it.
    """
    _require_textual()
    from diorama.cli.morphogenesis.panels.app import GrowthDashboard
    from diorama.cli.morphogenesis.panels.sources import FileSource

    events = events_of(target, run_root)
    require_terminal("diorama morphogenesis watch", instead=f"the events are lines of JSON in {events}")
    GrowthDashboard(FileSource(events)).run()


def events_of(target: str, run_root: Path) -> Path:
    """Return the file a target names: itself, or the events of a run.

    Raises:
        UnknownName: There is neither such a file nor such a run.
        ConfigError: The run is of another world.
    """
    from diorama.contracts.errors import ConfigError
    from diorama.runs.run import open_run
    from diorama.worlds.morphogenesis.contract import WORLD_ID

    if Path(target).is_file():
        return Path(target)
    run = open_run(run_root, target)
    world = run.metadata().world
    if world != WORLD_ID:
        raise ConfigError(f"run {target!r} is of world {world!r}; `diorama watch {target}` shows it")
    return run.layout.telemetry / "events.jsonl"


def play_in_terminal(settings: RunSettings, controller: str) -> "PlayedRun":
    """Play rounds in a thread of their own and show them; who leaves before the end ends them after the epoch.

    Raises:
        Abort: The operator left early.
        ConfigError: There is no terminal.
        DioramaError: What the rounds failed with.
    """
    import traceback
    from threading import Thread

    _require_textual()
    require_terminal("--view terminal", instead="leave it out to see the results alone")
    from diorama.cli.morphogenesis.panels.app import GrowthDashboard
    from diorama.cli.morphogenesis.panels.sources import Left, PlayedSource
    from diorama.cli.morphogenesis.playing import play

    source = PlayedSource()
    runs: list[PlayedRun] = []
    failures: list[Exception] = []

    def run_rounds() -> None:
        try:
            runs.append(play(settings, controller, group_id="default", advance=source.wait_turn, operator=source))
        except Left:
            return
        except Exception as error:  # told in the view and raised again where the command ends
            failures.append(error)
            source.stopped = traceback.format_exc()

    playing = Thread(target=run_rounds, name="rounds")
    playing.start()
    try:
        GrowthDashboard(source).run()
    finally:
        source.leave()
        playing.join()
    if failures:
        raise failures[0]
    if not runs:
        raise typer.Abort
    return runs[0]


def _require_textual() -> None:
    from diorama.contracts.errors import MissingExtra

    if find_spec("textual") is None:
        raise MissingExtra.of("operate", needed_for="the panels in the terminal")
