"""A training with a curriculum works its way from the first stage to the last."""

from pathlib import Path

import pytest

from diorama.runs.matches import read_audit, read_matches
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.worlds.tidebreak.matches import CURRICULUM
from tests.training.small_runs import rows_without_wall_clock, train_small

LAST = 6
EPISODES = 40  # that a promotion is decided by


@pytest.mark.slow
def test_a_learner_that_imitated_a_captain_is_promoted_to_the_last_stage(tmp_path: Path) -> None:
    smaller = {
        "steps": 420_000,
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
        "curriculum": {"first": 1, "last": LAST, "promotion_episodes": EPISODES, "demotion_episodes": EPISODES},
        "execution": {"lane_copies": 32},
    }
    layers = [
        load_preset("tidebreak", "curriculum"),
        Layer(source="test", values=smaller),
        Layer(source="WORLD", values={"world": "tidebreak"}),
    ]

    layout = train_small(tmp_path, "stages", plan_training(settings_of(layers))).layout

    changes = [entry for entry in read_audit(layout) if entry["event"] in ("promoted", "demoted")]
    stage = 1
    for change in changes:
        assert change["from_stage"] == stage
        stage = change["to_stage"]
        if change["event"] == "promoted":
            promote_at = CURRICULUM[change["from_stage"] - 1].promote_at
            assert promote_at is not None
            assert float(change["why"].split()[1]) >= promote_at
    assert stage == LAST, [change["why"] for change in changes]
    last_scores = [match["score"] for match in read_matches(layout) if match["stage"] == LAST]
    assert len(last_scores) > 2 * EPISODES
    assert sum(last_scores) / len(last_scores) > 0.55
    assert rows_without_wall_clock(layout)[-1]["curriculum_stage"] == LAST
