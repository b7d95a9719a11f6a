"""A sweep whose trials take seconds."""

from diorama.scale.sweeps.spec import SweepSpec

SPEC = SweepSpec.model_validate(
    {
        "world": "prospector",
        "preset": "quick",
        "settings": {
            "steps": 4096,
            "windows.env_steps": 1024,
            "checkpoints.every_windows": 1,
            "evaluation.replays_per_window": 0,
        },
        "space": {"ppo.gamma": {"low": 0.9, "high": 0.99}},
        "objective": {"metric": "reward_mean", "last_windows": 2},
    }
)
