"""Training in several processes: the run ends with the process that has started it."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.training.leader_process import PATIENCE_SECONDS
from tests.training.small_runs import small_plan

# Starts the leader, and ends as soon as the leader is ready.
LAUNCHER = '"$@" > "$0" & while [ ! -s "$0" ]; do sleep 0.01; done'


@pytest.mark.slow
def test_a_run_ends_when_the_process_that_started_it_has_ended(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    team = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "WORLD_SIZE": "1", "LOCAL_WORLD_SIZE": "1"}
    settings = small_plan(copies=4, execution={"threads": 1, "lane_copies": 4}).settings.model_dump_json()
    answer = tmp_path / "answer.json"
    leader = [sys.executable, "-m", "tests.training.leader_process", settings, str(answer)]

    subprocess.run(
        ["sh", "-c", LAUNCHER, str(tmp_path / "ready"), *leader],
        env={**os.environ, **team, "RANK": "0", "LOCAL_RANK": "0"},
        cwd=Path(__file__).parents[2],
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not answer.exists() and time.monotonic() < deadline:
        time.sleep(0.01)

    assert json.loads(answer.read_text()) == {"code": "launcher_ended", "before": 64, "after": 64}
