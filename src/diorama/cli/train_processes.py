"""What `diorama train --processes N` does: starts the processes, and says which of them failed."""

import typer

from diorama.cli.train_flags import arguments_without
from diorama.cli.train_run import Planned
from diorama.contracts.errors import ConfigError


def run_in_processes(context: typer.Context, planned: Planned, processes: int) -> int:
    """Train a run in several processes on this machine and return what the command ends with.

    Raises:
        ConfigError: The run cannot be trained that way.
    """
    from diorama.learn.parallel.team import launched_size
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
    lost = launch(["train", *arguments], processes)
    if lost.why is not None:
        typer.echo(
            f"diorama: {lost.why}; run {planned.run_id!r} stands where its newest checkpoint is, and goes on with:"
            f" diorama train {planned.plan.settings.world} --resume {planned.run_id} --processes {processes}",
            err=True,
        )
    return lost.exit_code
