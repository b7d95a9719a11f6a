"""Starts several processes of one command on this machine, with torch's own launcher."""

import logging
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Final
from uuid import uuid4

_PATIENCE_S: Final = 120  # between the wish to end and the end: the update that is going on, and a checkpoint
_FAILED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """How the processes ended.

    Attributes:
        exit_code: Of the one that says most.
        why: What happened to one that could not say so itself.
        is_interrupted: Whether they were told to end; what they came to, only they have said.
    """

    exit_code: int
    why: str | None = None
    is_interrupted: bool = False


def launch(arguments: Sequence[str], processes: int) -> Launched:
    """Run a `diorama` command in several processes that know of one another, and wait for them.

    The first that fails ends them all. An interrupt is passed on to them, and they have two minutes to end before they
    are killed.
    """
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    with TemporaryDirectory() as folder, _quiet():
        config = LaunchConfig(
            min_nodes=1,
            max_nodes=1,
            nproc_per_node=processes,
            run_id=uuid4().hex,
            rdzv_backend="c10d",
            rdzv_endpoint="localhost:0",
            local_addr="localhost",
            max_restarts=0,
            logs_specs=DefaultLogsSpecs(log_dir=folder),
            shutdown_timeout=_PATIENCE_S,
        )
        try:
            elastic_launch(config, entrypoint=sys.executable)("-m", "diorama", *arguments)
        except SignalException:
            return Launched(exit_code=0, is_interrupted=True)
        except ChildFailedError as error:
            codes = {rank: failure.exitcode for rank, failure in sorted(error.failures.items())}
            return verdict(codes, processes)
    return Launched(exit_code=0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the launcher from logging what is told in one line anyway."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def verdict(codes: dict[int, int], processes: int) -> Launched:
    """Say how all ended where some failed, given the exit codes of those, by rank."""
    # One that found something wrong says so with a code of its own; the others only notice that it is gone.
    telling = max(codes.values())
    if telling > _FAILED:
        return Launched(exit_code=telling)
    killed = {rank: -code for rank, code in codes.items() if code < 0}
    if not killed:
        return Launched(exit_code=codes.get(0, telling))
    # The launcher itself ends the others with SIGTERM.
    rank, number = min(killed.items(), key=lambda item: item[1] == signal.SIGTERM)
    return Launched(exit_code=_FAILED, why=f"process {rank} of {processes} was ended by {signal.Signals(number).name}")
