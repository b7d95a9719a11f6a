"""Towns small and short-lived enough to learn in within a second."""

from typing import Any

from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.settings import TrainerSettings
from diorama.worlds.registry import load_world

# Starving from the first tick, rescued by nobody, replaced at once: seats change hands within a rollout.
DOOMED: dict[str, Any] = {
    "world": {"seats": 3, "population": 3, "initial_needs": {"hunger": 0.02, "hygiene": 0.5, "energy": 0.5}},
    "features": {"systems": {"observations": "compact"}},
    "observations": {"compact": {"map_window": 0}},
    "perturbations": {"enabled": False},
    "lifecycle": {
        "collapse": {"threshold": 0.5, "ticks": 5},
        "spawn_delay_ticks": [2, 3],
        "max_exits_per_day": 50,
        "exit_cooldown_ticks": 0,
    },
    "episode_ticks": 40,
}


def towns(copies: int = 2, config: dict[str, Any] | None = None, seed: int = 3) -> Batch:
    return make_batch(
        load_world("townlet"), copies=copies, config=DOOMED if config is None else config, seed=seed, tier="reference"
    )


def settings(arch: str = "mlp-8-tanh-v1", **ppo: object) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {
                "rollout_steps": 24,
                "num_minibatches": 2,
                "update_epochs": 1,
                "gamma": 0.99,
                "forced_policy_weight": 0.0,
                "failing_steps": 100,
                "failing_policy_weight": 0.5,
                **ppo,
            },
            "execution": {"threads": 1, "lane_copies": 1},
        }
    )
