"""Battles that always run out of time: the critic learns what a draw is worth, and it stays worth that."""

from pathlib import Path

import numpy as np
import pytest
import torch

from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.training.plan import plan_training
from diorama.training.policy_files import load_policy
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.worlds.tidebreak.config import TidebreakConfig
from tests.training.small_runs import train_small

LIMIT_S = 60
COPIES = 16
DRAWS = {
    "config": {"stage": 2, "time_limit_s": LIMIT_S, "observation": "compact", "opponents": "evader"},
    "steps": 65_536,
    "copies": 64,
    "windows": {"env_steps": 32_768},
    "evaluation": {"replays_per_window": 0, "closing_episodes": 0},
    "optimizer": {"learning_rate": 0.001},
    "normalization": {"rewards": "none"},
    "cloning": None,
    "kickstarting": None,
    "self_play": {"scripts": ["evader"], "pool_every": None},
    "execution": {"lane_copies": 32},
}


@pytest.mark.slow
def test_the_critic_of_the_default_preset_knows_what_a_draw_is_worth(tmp_path: Path) -> None:
    layers = [
        load_preset("tidebreak", "default"),
        Layer(source="test", values=DRAWS),
        Layer(source="WORLD", values={"world": "tidebreak"}),
    ]
    plan = plan_training(settings_of(layers))
    assert isinstance(plan.venue.config, TidebreakConfig)
    layout = train_small(tmp_path, "draws", plan).layout
    policy, _ = load_policy(newest_checkpoint(layout), plan.spec)
    batch = plan.venue.batch(plan.venue.config, COPIES)
    batch.reset(seeds=range(62_100_000, 62_100_000 + COPIES))
    player = PolicyPlayer(policy, plan.spec, COPIES, deterministic=False, seed=1)
    paid = np.zeros(COPIES)

    for _ in range(LIMIT_S // plan.venue.config.decision_ticks):
        obs, bytes_ = torch.from_numpy(batch.obs.copy()), torch.from_numpy(batch.obs_u8.copy())
        with torch.inference_mode():
            features, _ = policy.features(obs, bytes_, torch.zeros(COPIES, 0), torch.ones(1, COPIES))
            expected = float(policy.values(features).mean())
        batch.step(player.act(batch.obs, batch.obs_u8, batch.masks))
        paid += batch.rewards

    assert batch.truncated.all()
    assert abs(expected - float(batch.rewards.mean())) < 0.1
    assert -0.4 < float(paid.mean()) < -0.1
