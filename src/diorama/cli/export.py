"""`diorama export`: the policy of a run as an ONNX file."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_policy
from diorama.cli.destinations import checked_destination
from diorama.cli.options import FormatOption, RunRootOption
from diorama.contracts.errors import MissingExtra


def export(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="Id of the run whose policy is exported, or champion/WORLD.",
            autocompletion=complete_policy,
        ),
    ],
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="newest|best|clone|WINDOW|FILE",
            help="Which of its checkpoints: by name, by the number of a window, or a file.",
            show_default="the best by validation, else the newest",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            dir_okay=False,
            help="File to write.",
            show_default="RUN/exports/CHECKPOINT.onnx, or champion-WORLD.onnx",
            callback=checked_destination,
        ),
    ] = None,
    decisions: Annotated[
        int, typer.Option(min=1, help="Decisions in which the file is compared with the policy.")
    ] = 512,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """Write the policy of a run as an ONNX file that decides alike, for use without torch or in a browser.

    The file takes what a row sees and gives the likeliest option of every head, all probabilities, the value and the
    next memory. It is kept only if it was seen to agree with the policy in the world the run was trained in.
    """
    if any(find_spec(package) is None for package in ("onnx", "onnxruntime", "onnxscript", "torch")):
        raise MissingExtra.of("export", needed_for="diorama export")
    from rich.console import Console

    from diorama.training.export import ExportRequest, export_policy

    file = None if checkpoint is None or Path(checkpoint).suffix == "" else Path(checkpoint)
    with Console(stderr=True).status(f"exporting the policy of {run}"):
        exported = export_policy(
            ExportRequest(
                run_root=run_root, run_id=run, checkpoint=file, choice=checkpoint, output=out, decisions=decisions
            )
        )
    agreement = exported.agreement
    if form == "json":
        Console(soft_wrap=True).print_json(
            data={
                "path": str(exported.path),
                "checkpoint": str(exported.checkpoint),
                **exported.metadata,
                "agreement": agreement.to_json(),
            }
        )
        return
    typer.echo(
        f"{exported.path}: {exported.path.stat().st_size / 1e3:,.0f} kB; agrees with {exported.checkpoint.name} in"
        f" {agreement.decisions} decisions (probabilities within {agreement.probabilities:.1e},"
        f" values within {agreement.values:.1e})"
    )
