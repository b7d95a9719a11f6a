"""The other process of a test: follows whoever leads."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from diorama.learn.distributed import Team, join_team
from diorama.learn.errors import TrainingDiverged
from diorama.operate.training.following import follow
from diorama.operate.training.leading import TeamLearner
from diorama.operate.training.plan import TrainingPlan, plan_training
from diorama.operate.training.settings import TrainingSettings


@contextmanager
def companion(
    plan: TrainingPlan, monkeypatch: pytest.MonkeyPatch, *, role: str = "main"
) -> Iterator[tuple[Team, subprocess.Popen[bytes]]]:
    """Lead a team of two: this process, and one that is started to play a role of this module."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    places = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    code = f"from tests.learn.parallel.companion import {role}; {role}()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, plan.settings.model_dump_json()],
        env={**os.environ, **places, "RANK": "1", "LOCAL_RANK": "1"},
    )
    for name, value in {**places, "RANK": "0", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(name, value)
    team = join_team("cpu")
    try:
        yield team, process
    finally:
        team.leave()
        process.wait()


def main() -> None:
    """Follow the leader of a test."""
    plan = plan_training(TrainingSettings.model_validate_json(sys.argv[1]))
    sys.exit(0 if follow(plan, join_team("cpu")) else 1)


def fail_to_build() -> None:
    """Be a follower for whom there is no room."""

    def fail(*_: object) -> None:
        raise MemoryError("there is no room for the policy")

    TeamLearner.__init__ = fail  # type: ignore[method-assign,assignment]
    main()


def diverge() -> None:
    """Follow the leader of a test until the second update, whose numbers are none."""
    advance = TeamLearner.advance

    def fail(learner: TeamLearner) -> None:
        if learner.env_steps_total > 0:
            raise TrainingDiverged("the policy's logits are not finite in 3 of 128 rows")
        advance(learner)

    TeamLearner.advance = fail  # type: ignore[method-assign,assignment]
    main()
