"""A second process for tests: it leads a team of its own, and says how its run ends once its launcher has ended."""

import json
import os
import sys
import time
from pathlib import Path

from diorama.learn.distributed import join_team
from diorama.learn.errors import TeamBroken
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.distributed import LeadingLearner
from diorama.training.envs import training_batch
from diorama.training.plan import plan_training
from diorama.training.settings import TrainingSettings

PATIENCE_SECONDS = 60.0


def main(settings: str, answer: Path) -> None:
    """Take one update, let the launcher end, and write how the next update ends."""
    plan, team = plan_training(TrainingSettings.model_validate_json(settings)), join_team("cpu")
    launcher = os.getppid()
    leader = LeadingLearner(plan, training_batch(plan, team=team), RunCallbacks([]), team)
    leader.advance()
    before = leader.env_steps_total
    print("ready", flush=True)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while os.getppid() == launcher and time.monotonic() < deadline:
        time.sleep(0.01)
    code = None
    try:
        leader.advance()
    except TeamBroken as error:
        code = error.code
    told = {"code": code, "before": before, "after": leader.env_steps_total}
    leader.close()
    unfinished = answer.with_suffix(".part")
    unfinished.write_text(json.dumps(told))
    unfinished.replace(answer)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
