"""`diorama townlet clone`: a policy that does as the scripted controller does, if it passes its gate."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import RunRootOption, settings_option
from diorama.cli.townlet.options import DatasetArgument, RunIdOption

DID_NOT_PASS = 1


def clone(
    dataset: DatasetArgument,
    run_id: RunIdOption = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Preset whose network and observation are cloned into.")
    ] = "default",
    run_root: RunRootOption = Path("runs"),
    settings: Annotated[list[str] | None, settings_option("cloning.epochs=20")] = None,
    accuracy: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Least share of held-out decisions that are the teacher's.")
    ] = 0.9,
) -> None:
    """Clone a dataset into a policy, judge it by what was held out, and keep it as a run if it passes.

    Refuses datasets that were changed, are deprecated, or were captured with another observation. Exits 0 when the
    clone is kept, 1 when it does not pass its gate (nothing is written then), 2 on bad input.
    """
    from rich.console import Console

    from diorama.cli.result_console import result_console
    from diorama.cli.townlet.cloning import plan_cloning
    from diorama.cli.townlet.dataset_tables import agreement_table
    from diorama.cli.training.options import parse_overrides
    from diorama.learn.errors import CloneRefused
    from diorama.learn.imitation.datasets import open_dataset
    from diorama.learn.settings.imitation import GateSettings
    from diorama.runs.clock import SystemClock
    from diorama.runs.layout import default_run_id, short_revision
    from diorama.training.callbacks.progress import TrainingDisplay
    from diorama.training.offline import CloningRun

    clock = SystemClock()
    overrides = parse_overrides(None, settings)
    plan = plan_cloning(dataset, preset=preset, overrides=overrides, gate=GateSettings(accuracy=accuracy))
    cloning = plan.settings.cloning
    assert cloning is not None
    name = default_run_id(clock.now(), short_revision(Path.cwd())) if run_id is None else run_id
    # What is no dataset is told before anything is announced.
    open_dataset(dataset, plan.spec)
    with TrainingDisplay(Console(stderr=True), clock) as display:
        session = CloningRun(plan, run_root, name, progress=display, clock=clock)
        display.stage(f"learning from {dataset}")
        try:
            made = session.clone()
        finally:
            display.stage(None)
            session.close()
    console = result_console()
    console.print(agreement_table(made.agreement, cloning.gate))
    try:
        layout = session.save(made)
    except CloneRefused as error:
        typer.echo(f"diorama: {error}", err=True)
        raise typer.Exit(DID_NOT_PASS) from None
    console.print(f"policy {made.policy_hash[:12]} kept in {layout.directory}", highlight=False, soft_wrap=True)
    console.print(
        f"train from it: diorama train townlet --preset {preset} --set start={layout.directory}",
        highlight=False,
        soft_wrap=True,
    )
