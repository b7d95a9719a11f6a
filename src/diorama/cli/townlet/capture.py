"""`diorama townlet capture`: lets the scripted controller play and keeps it as a dataset."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import ConfigOption


def capture(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new dataset.")],
    scene: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCENE",
            help="A capture suite, a scenario, or a .yaml file. Repeatable.",
            show_default="all capture suites",
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often every scene is played, each time by another seed.")] = 3,
    push: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Share of the decisions in which a citizen does something else; kept is what the controller wanted.",
        ),
    ] = 0.0,
    root: Annotated[Path, typer.Option(file_okay=False, help="Folder of the datasets.")] = Path("datasets"),
    replaces: Annotated[
        str | None, typer.Option(metavar="NAME", help="Dataset that is deprecated by this one.", show_default=False)
    ] = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Preset whose observation is captured; 'none' for that of the scenes.")
    ] = "default",
    config: ConfigOption = None,
) -> None:
    """Capture what the scripted controller does, citizen by citizen, as a dataset to clone from.

    The suites show low money, outages in the shower, price spikes, queues, late starts, and ordinary and social days.
    Every file of a dataset has a checksum; a capture that breaks off leaves nothing behind.
    """
    from rich.console import Console
    from rich.progress import Progress

    from diorama.cli.options import parse_settings
    from diorama.cli.result_console import result_console
    from diorama.cli.townlet.capturing import CaptureRequest, hold_capture, plan_capture
    from diorama.cli.townlet.cloning import shaping_of
    from diorama.cli.townlet.dataset_tables import dataset_table
    from diorama.worlds.townlet.config.loading import overlaid

    plan = plan_capture(
        CaptureRequest(
            name=name,
            root=root,
            scenes=tuple(scene or ()),
            rounds=rounds,
            push=push,
            overrides=overlaid(shaping_of(preset), parse_settings(config)),
            replaces=replaces,
        )
    )
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("capturing", total=plan.ticks)
        manifest = hold_capture(plan, lambda: progress.advance(task))
    console = result_console()
    console.print(dataset_table(manifest))
    console.print(f"clone it: diorama townlet clone {root / name}", highlight=False, soft_wrap=True)
