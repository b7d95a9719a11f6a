"""A champion of `prospector` that takes a second to build."""

from pathlib import Path

from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs.champions import Champion
from diorama.runs.clock import SystemClock
from diorama.training.champions.building import ChampionRequest, build_champion
from tests.training.small_runs import SMALL, small_plan, train_small

RUN = "taught"


def request_of(root: Path, **changes: object) -> ChampionRequest:
    given: dict[str, object] = {
        "world": str(SMALL["world"]),
        "run_root": root,
        "run_id": RUN,
        "episodes": 3,
        "sample_episodes": 4,
        "sample_decisions": 40,
        "replay_steps": 20,
        "compared_decisions": 32,
    }
    return ChampionRequest(**{**given, **changes})  # type: ignore[arg-type]


def build_small(root: Path, output: Path, **changes: object) -> Champion:
    return build_champion(request_of(root, output=output, **changes), clock=SystemClock(), progress=SilentProgress())


def train_taught(root: Path) -> None:
    train_small(root, RUN, small_plan(steps=512))
