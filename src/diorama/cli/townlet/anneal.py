"""`diorama townlet anneal`: hands a town over from the scripted controller to a policy, stage by stage."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import RunRootOption, settings_option
from diorama.cli.townlet.options import LearningPresetOption, RunIdOption

FAILED = 1


def anneal(
    dataset: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATASET",
            file_okay=False,
            help="Folder of a dataset, such as datasets/core; capture makes one.",
            show_default=False,
        ),
    ] = None,
    schedule: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="A town's configuration, or its training section alone, with anneal_schedule and its thresholds.",
            show_default="clone, then hand over in --stages equal steps",
        ),
    ] = None,
    stages: Annotated[int, typer.Option(min=1, help="Stages of the usual schedule in which the policy trains.")] = 5,
    cycles: Annotated[int, typer.Option(min=1, help="Cycles of rollout and update of each of them.")] = 20,
    accuracy: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Least share of held-out decisions that are the teacher's.")
    ] = 0.9,
    run_id: RunIdOption = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="RUN_ID", help="Continue this run where its newest checkpoint stands.", show_default=False
        ),
    ] = None,
    preset: LearningPresetOption = "default",
    run_root: RunRootOption = Path("runs"),
    settings: Annotated[list[str] | None, settings_option("anneal.freeze_drop=0.2")] = None,
) -> None:
    """Hand a town over from the scripted controller to a policy, stage by stage.

    A bc stage imitates the dataset and must pass its gate; where it does not, the weights before it are put back and
    the schedule stops (FAIL). In a ppo stage the policy takes a share of the decisions, its ratio, and learns from
    them. Each is held against the one before: a loss that moves by more than a tenth or conflicts that dwindle raise a
    flag (HOLD), and a key figure that falls too far also freezes the ratio for the rest of the run. What came of it is
    in anneal_results.json of the run, and beside every update in telemetry/ppo.ndjson as anneal_*.

    Exits 0 on PASS and HOLD, 1 on FAIL, 2 on bad input. Ctrl-C ends a run with a checkpoint.
    """
    from diorama.cli.result_console import result_console
    from diorama.cli.townlet.anneal_run import AnnealRequest, continue_annealing, start_annealing
    from diorama.cli.townlet.anneal_tables import anneal_table, read_report
    from diorama.cli.training.options import parse_overrides
    from diorama.cli.training.run import print_result
    from diorama.learn.errors import CloneRefused
    from diorama.training.interrupts import stop_on_interrupt

    request = AnnealRequest(
        dataset=dataset,
        schedule=schedule,
        stages=stages,
        cycles=cycles,
        accuracy=accuracy,
        preset=preset,
        overrides=parse_overrides(None, settings),
        run_root=run_root,
        run_id=run_id,
    )
    with stop_on_interrupt() as stop:
        name = request.name if resume is None else resume
        try:
            trained = (
                start_annealing(request, name, stop) if resume is None else continue_annealing(request, name, stop)
            )
        except CloneRefused as error:
            report = read_report(run_root / name)
            if report is not None:
                result_console().print(anneal_table(report))
            typer.echo(f"diorama: {error}", err=True)
            raise typer.Exit(FAILED) from None
        report = read_report(trained.outcome.layout.directory)
        if report is not None:
            result_console().print(anneal_table(report))
        print_result(trained, stop)
