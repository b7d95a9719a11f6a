"""Kills a process that writes runs, again and again, and checks what it leaves: `python -m tests.runs.kill_rounds`.

A process of its own, so that forking is cheap and safe: nothing here has threads.
"""

import os
import random
import signal
import sys
import time
import traceback
from itertools import count
from pathlib import Path

from diorama.contracts.errors import UnknownName
from diorama.runs.catalogue import Catalogue
from diorama.runs.clock import SystemClock
from diorama.runs.replays.reader import open_replay
from diorama.runs.run import open_run, run_ids
from tests.runs.factories import recorded
from tests.runs.random_training import RandomTraining

LONGEST_WAIT_SECONDS = 0.03
PATIENT_SHARE = 0.75


def write_for_ever(runs_root: Path, ready: int) -> None:
    """Resume the first run that has a checkpoint, or start one, and write until somebody ends it.

    Says so through the pipe `ready` when the first checkpoint is written.
    """
    training = take_up(runs_root)
    for step in count(training.steps + 2, 2):
        training.run(step, checkpoint_every=2)
        os.write(ready, b".")
        entry = recorded(training.writer.layout, bot="idle", seed=step, window_id=step, max_steps=5)
        training.writer.keeper.replay_written(entry.to_json())


def take_up(runs_root: Path) -> RandomTraining:
    for number in count():
        run_id = f"run-{number}"
        if run_id not in run_ids(runs_root):
            return RandomTraining.start(runs_root, run_id, SystemClock())
        try:
            return RandomTraining.resume(runs_root, run_id, SystemClock())
        except UnknownName:
            continue  # killed before its first checkpoint
    raise AssertionError("numbers do not end")


def check(runs_root: Path) -> None:
    """Read everything a killed writer has left."""
    catalogue = Catalogue(runs_root)
    for row in catalogue.runs().rows:
        assert row.status == "running", (row.run_id, row.status, row.problem)
        assert row.problem is None, row.problem
        run = open_run(runs_root, row.run_id)
        metadata, windows, index = run.metadata(), run.windows(), run.replay_index()
        assert run.config() == {"world": "prospector"}
        assert [window["window_id"] for window in windows] == list(range(len(windows)))
        assert metadata.windows_emitted <= len(windows)
        for entry in index.entries:
            assert len(list(open_replay(run.layout, entry.replay_id).frames())) == entry.steps
    catalogue.close()


def main(runs_root: Path, rounds: int) -> None:
    """Let writers live for a random while, some of them not even until their first checkpoint."""
    dice = random.Random(5)
    RandomTraining.start(runs_root, "warm-up", SystemClock()).close()
    resumable = 0
    for _ in range(rounds):
        told, ready = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                write_for_ever(runs_root, ready)
            finally:
                traceback.print_exc()
                os._exit(1)
        os.close(ready)
        is_patient = dice.random() < PATIENT_SHARE
        if is_patient:
            os.read(told, 1)
        time.sleep(dice.uniform(0.0, LONGEST_WAIT_SECONDS))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(told)
        assert os.WIFSIGNALED(status), "the writer failed by itself"
        check(runs_root)
        resumable += is_patient
    print(f"{rounds} rounds, {resumable} of them beyond a checkpoint")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
