"""A batch does not survive a fork, and says so; a new one can be made in the child."""

import os
import signal
import subprocess
import sys
from textwrap import dedent

import pytest

import diorama
from diorama.contracts.errors import ContractError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks are made on Unix alone")

CHILD = dedent(
    """
    import os, sys, warnings
    import numpy as np
    import diorama
    from diorama.contracts.errors import ContractError

    warnings.simplefilter("ignore", DeprecationWarning)
    world, threads = sys.argv[1], int(sys.argv[2])
    batch = diorama.make(world, copies=8, threads=threads)
    batch.reset()
    noop = np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1))
    batch.step(noop)
    child = os.fork()
    if child == 0:
        try:
            batch.step(noop)
        except ContractError as error:
            batch.close()
            del batch
            own = diorama.make(world, copies=8, threads=threads)
            own.reset()
            own.step(noop)
            own.close()
            sys.exit(0 if "spawn" in str(error) else 2)
        sys.exit(3)
    _, status = os.waitpid(child, 0)
    batch.step(noop)
    batch.close()
    sys.exit(os.waitstatus_to_exitcode(status))
    """
)


@pytest.mark.parametrize("threads", [1, 4])
def test_the_child_of_a_fork_is_told_at_once_and_may_make_batches_of_its_own(threads: int) -> None:
    # In a process of its own, which has no threads but those of the batch.
    command = [sys.executable, "-c", CHILD, "prospector", str(threads)]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def test_a_batch_that_was_left_behind_names_what_would_be_right() -> None:
    batch = diorama.make("prospector", copies=1)
    batch.reset()

    batch.leave_behind()

    with pytest.raises(ContractError, match="spawn"):
        batch.step([0])
    batch.close()
