"""A second process for tests: it follows the leader."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from diorama.learn.distributed import Team, join_team
from diorama.learn.errors import TrainingDiverged
from diorama.training.distributed import TeamLearner, follow
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.settings import TrainingSettings


@contextmanager
def follower(
    plan: TrainingPlan, monkeypatch: pytest.MonkeyPatch, *, role: str = "main"
) -> Iterator[tuple[Team, subprocess.Popen[bytes]]]:
    """Start a follower, which runs a function of this module, and lead a team of two."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    environment = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    code = f"from tests.learn.follower_process import {role}; {role}()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, plan.settings.model_dump_json()],
        env={**os.environ, **environment, "RANK": "1", "LOCAL_RANK": "1"},
    )
    for name, value in {**environment, "RANK": "0", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(name, value)
    team = join_team("cpu")
    try:
        yield team, process
    finally:
        team.close()
        process.wait()


def main() -> None:
    """Follow the leader of a test."""
    plan = plan_training(TrainingSettings.model_validate_json(sys.argv[1]))
    sys.exit(0 if follow(plan, join_team("cpu")) else 1)


def fail_to_build() -> None:
    """Follow the leader, without memory for the policy."""

    def fail(*_: object) -> None:
        raise MemoryError("there is no room for the policy")

    TeamLearner.__init__ = fail  # type: ignore[method-assign,assignment]
    main()


def diverge() -> None:
    """Follow the leader of a test, with NaN in the second update."""
    advance = TeamLearner.advance

    def fail(learner: TeamLearner) -> None:
        if learner.env_steps_total > 0:
            raise TrainingDiverged("the policy's logits are not finite in 3 of 128 rows")
        advance(learner)

    TeamLearner.advance = fail  # type: ignore[method-assign,assignment]
    main()
