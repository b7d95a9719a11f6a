"""What `diorama train --processes N` does: starts the processes, and says which of them failed."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from diorama.cli.training.flags import arguments_without
from diorama.cli.training.run import Planned
from diorama.contracts.errors import ConfigError
from diorama.runs.layout import run_layout
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.run import Run

if TYPE_CHECKING:
    from diorama.scale.processes import Launched

_FAILED: Final = 2


def run_in_processes(context: typer.Context, planned: Planned, processes: int) -> int:
    """Train a run in several processes on this machine and return what the command ends with.

    Raises:
        ConfigError: The run cannot be trained that way.
    """
    from diorama.learn.distributed import launched_size
    from diorama.operate.training.combining import check_processes
    from diorama.operate.training.opening import check_new
    from diorama.scale.processes import launch

    if launched_size() > 1:
        raise ConfigError(f"--processes {processes}: torchrun has started processes already; leave --processes out")
    check_processes(planned.plan, processes)
    if planned.resumed_to is None:
        check_new(planned.run_root, planned.run_id)
        # All of them, and whoever continues the run, must call it by one name.
        arguments = [*arguments_without(context, "--processes", "--run-id"), "--run-id", planned.run_id]
    else:
        arguments = arguments_without(context, "--processes")
    return tell_end(planned, launch(["train", *arguments], processes), processes)


def tell_end(planned: Planned, ended: "Launched", processes: int) -> int:
    """Say what the processes could not say themselves, and return what the command ends with."""
    metadata, why = _metadata(planned), ended.why
    if ended.is_interrupted and (metadata is None or metadata.status not in (RunStatus.STOPPED, RunStatus.COMPLETED)):
        why = "the processes were interrupted and did not end the run themselves"
    if why is None:
        return ended.exit_code
    typer.echo(f"diorama: {why}; {_what_is_left(planned, metadata, processes)}", err=True)
    return _FAILED


def _metadata(planned: Planned) -> RunMetadata | None:
    layout = run_layout(planned.run_root, planned.run_id)
    return Run(layout).metadata() if layout.metadata.exists() else None


def _what_is_left(planned: Planned, metadata: RunMetadata | None, processes: int) -> str:
    run_id, root = planned.run_id, planned.run_root
    if metadata is None:
        return f"run {run_id!r} had not begun"
    where = "" if root == Path("runs") else f" --run-root {root}"
    command = f"diorama train {planned.plan.settings.world} --resume {run_id}{where} --processes {processes}"
    if metadata.latest_checkpoint is None:
        return f"run {run_id!r} has no checkpoint yet, and begins again with: {command}"
    return f"run {run_id!r} stands where its newest checkpoint is, and goes on with: {command}"
