"""The first stage of the curriculum is learned within 300,000 steps."""

from pathlib import Path

import pytest

from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.matchups import evaluate_against_scripts
from diorama.training.evaluation import run_contender
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.worlds.tidebreak.matches import CURRICULUM
from tests.training.small_runs import train_small

STEPS = 65_536
PROMOTION_RATE = 0.9


@pytest.mark.slow
def test_the_first_lesson_is_won_nine_times_in_ten(tmp_path: Path) -> None:
    smaller = {
        "config": dict(CURRICULUM[0].lessons[0]),
        "steps": STEPS,
        "copies": 64,
        "windows": {"env_steps": 16_384},
        "evaluation": {"replays_per_window": 0, "closing_episodes": 0},
        "cloning": {
            "decisions": 40_000,
            "copies": 40,
            "epochs": 10,
            "minibatch_rows": 1024,
            "disturbance": {"heads": ["rudder"]},
        },
        "curriculum": None,
        "self_play": {"scripts": ["idle"], "pool_every": None},
        "execution": {"lane_copies": 32},
    }
    layers = [
        load_preset("tidebreak", "curriculum"),
        Layer(source="test", values=smaller),
        Layer(source="WORLD", values={"world": "tidebreak"}),
    ]
    plan = plan_training(settings_of(layers))

    layout = train_small(tmp_path, "first", plan).layout

    contender = run_contender(layout, plan.venue, deterministic=False)
    (met,) = evaluate_against_scripts(
        plan.venue, contender, ["idle"], range(62_000_000, 62_000_040), progress=SilentProgress()
    )
    assert met.score >= PROMOTION_RATE
