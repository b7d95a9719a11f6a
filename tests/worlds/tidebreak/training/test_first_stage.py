"""The first stage of the curriculum is learned within 300,000 steps."""

from pathlib import Path

import pytest

from diorama.learn.evaluation.encounters import meet_scripts
from diorama.learn.evaluation.episodes import Silence
from diorama.operate.training.closing import run_contender
from diorama.operate.training.layers import Layer, settings_of
from diorama.operate.training.plan import plan_training
from diorama.operate.training.presets import load_preset
from diorama.worlds.tidebreak.matches import CURRICULUM
from tests.operate.training.runs_to_compare import train_small

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
    (met,) = meet_scripts(plan.venue, contender, ["idle"], range(62_000_000, 62_000_040), progress=Silence())
    assert met.score >= PROMOTION_RATE
