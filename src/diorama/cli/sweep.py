"""`diorama sweep`: searches for good training settings."""

import os
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from diorama.cli.options import ReportOption, RunRootOption
from diorama.contracts.errors import MissingExtra

if TYPE_CHECKING:
    from rich.table import Table

    from diorama.scale.sweeps.report import TrialRow

_OFF: Final = "off"


def sweep(
    spec: Annotated[
        Path, typer.Argument(metavar="SPEC.yaml", exists=True, dir_okay=False, help="What is searched, and for what.")
    ],
    name: Annotated[
        str | None, typer.Option(help="Of the sweep; one of the same name goes on.", show_default="name of the file")
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials in all.", show_default="as the file says")] = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Trials at a time.", show_default="one per processor")
    ] = None,
    ray: Annotated[
        str,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            help="'local' for a cluster of this machine, 'auto' or ray://HOST:PORT for another; 'off' needs no Ray and"
            " runs every trial in a process of this machine.",
        ),
    ] = "local",
    root: Annotated[Path, typer.Option(help="Directory of the sweeps.")] = Path("sweeps"),
    run_root: RunRootOption = Path("runs"),
    json: ReportOption = None,
) -> None:
    """Train many runs with different settings and find out which are best.

    Every trial is a run like any other (watch and compare them in Study). A trial that falls behind is given up; one
    whose process dies goes on at its newest checkpoint; a sweep that was stopped goes on when it is started again.
    """
    from rich.console import Console
    from rich.live import Live

    from diorama.scale.cluster import cluster
    from diorama.scale.sweeps.report import REPORT, SweepRequest
    from diorama.scale.sweeps.running import run_sweep
    from diorama.scale.sweeps.spec import first_choice, read_spec
    from diorama.scale.sweeps.trial import trial_settings
    from diorama.storage.atomic_files import replace_file

    if ray == _OFF and find_spec("optuna") is None:
        raise MissingExtra.of("scale", needed_for="diorama sweep")
    read = read_spec(spec)
    # A world, preset or setting that does not exist is told before a cluster is started and anything is written.
    trial_settings(read, first_choice(read))
    if trials is not None:
        read = read.model_copy(update={"trials": trials})
    cpus = os.cpu_count() or 1
    request = SweepRequest(
        spec=read,
        name=name or spec.stem,
        root=root.resolve(),
        run_root=run_root.resolve(),
        parallel=parallel or cpus,
        on_cluster=ray != _OFF,
    )
    console = Console(stderr=True)
    place = cluster(ray, cpus=max(cpus, request.parallel)) if request.on_cluster else nullcontext()
    with place, Live(_table(request.name, []), console=console) as live:
        rows = run_sweep(request, told=lambda rows: live.update(_table(request.name, rows)))
    if json is not None:
        replace_file(json, (request.directory / REPORT).read_bytes())
    typer.echo(
        f"{sum(row.state == 'complete' for row in rows)} of {len(rows)} trials ran to their end;"
        f" everything is in {request.directory / REPORT}"
    )


def _table(name: str, rows: "list[TrialRow]") -> "Table":
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("run", "state", "score", "seconds", "settings", title=f"sweep {name}", box=SIMPLE)
    for row in rows:
        table.add_row(
            row.run_id,
            row.state,
            "" if row.score is None else f"{row.score:.4g}",
            "" if row.seconds is None else f"{row.seconds:.1f}",
            row.why or ", ".join(f"{key}={_short(value)}" for key, value in row.chosen.items()),
        )
    return table


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
