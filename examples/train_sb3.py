"""Trains prospector with sb3-contrib's MaskablePPO: another trainer on the same copies.

python examples/train_sb3.py --steps 100000
"""

import argparse
from collections.abc import Sequence

import torch
from sb3_contrib import MaskablePPO

from diorama.engine.adapters.sb3 import DioramaVecEnv

CONFIG = {"reward_profile": "v2", "time_max": 2000.0}


def train(steps: int, *, copies: int, seed: int) -> MaskablePPO:
    """Return a model that has learned for so many env steps."""
    torch.set_num_threads(1)  # networks this small are slower when several threads share them
    env = DioramaVecEnv("prospector", copies=copies, config=CONFIG, seed=seed)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=min(1024, 64 * copies), gamma=0.997, seed=seed)
    return model.learn(total_timesteps=steps)


def play(model: MaskablePPO, *, episodes: int, seed: int) -> float:
    """Return the mean net profit of the model's likeliest choices on episodes of their own seeds."""
    env = DioramaVecEnv("prospector", copies=episodes, config=CONFIG)
    env.seed(seed)
    env.reset()
    profits: dict[int, float] = {}
    while len(profits) < episodes:
        actions, _ = model.predict(env.batch.obs, action_masks=env.batch.masks.astype(bool), deterministic=True)
        _, _, ended, infos = env.step(actions)
        for copy in ended.nonzero()[0].tolist():
            # A copy that has ended plays on; its first episode is the one that counts.
            profits.setdefault(copy, float(infos[copy]["net_profit"]))
    return sum(profits.values()) / episodes


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, then say how much the policy earns."""
    parser = argparse.ArgumentParser(description="Train prospector with MaskablePPO.")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--copies", type=int, default=16)
    parser.add_argument("--episodes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    model = train(asked.steps, copies=asked.copies, seed=asked.seed)
    print(f"net profit {play(model, episodes=asked.episodes, seed=1_000_000):,.0f}")


if __name__ == "__main__":
    main()
