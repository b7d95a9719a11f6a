"""What `diorama train --ray-workers N` does: connects to a cluster and learns from what its workers gather."""

import typer

from diorama.cli.training.run import Planned, show_close, trained
from diorama.contracts.errors import ConfigError


def run_with_workers(planned: Planned, workers: int, *, address: str, processes: int | None) -> None:
    """Train a run whose rollouts are gathered on a cluster, and say how it ended.

    Raises:
        ConfigError: The run cannot be trained that way, or nothing answers at the address.
        MissingExtra: Ray is not installed.
    """
    from diorama.learn.distributed import launched_size
    from diorama.operate.training.combining import check_workers
    from diorama.operate.training.interrupts import stop_on_interrupt
    from diorama.scale.cluster import cluster
    from diorama.scale.rollouts.source import RemoteCopies

    if processes is not None and processes > 1:
        raise ConfigError("--ray-workers does not go with --processes: one process learns from what workers gather")
    if launched_size() > 1:
        raise ConfigError(f"--ray-workers {workers} does not go with torchrun: start one process, which learns")
    check_workers(planned.plan, workers)
    threads = planned.plan.settings.execution.threads or 1
    with cluster(address, cpus=workers * threads), stop_on_interrupt() as stop:
        copies = RemoteCopies(planned.plan, workers, tell=lambda line: typer.echo(line, err=True))
        done = trained(planned, stop, elsewhere=copies)
    show_close(done, stop)
