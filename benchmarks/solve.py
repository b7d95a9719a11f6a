"""Wall time to solve CartPole-v1, beside Stable-Baselines3's PPO with the settings its own zoo tuned for it.

    python benchmarks/solve.py --json reports/solve.json

Solved means a mean length of 475 over the last 100 episodes that ended during training, for both alike.
"""

import argparse
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts
from diorama.learn.callbacks import Callback
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from diorama.storage.report_files import write_report
from harness.cartpole import CartPoles

SOLVED_LENGTH = 475.0
EPISODES = 100
LIMIT_STEPS = 2_000_000
COPIES = 32
SETTINGS = TrainerSettings.model_validate(
    {
        "policy": {"arch": "mlp-64x64-tanh-v1"},
        "ppo": {
            "rollout_steps": 32,
            "num_minibatches": 2,
            "update_epochs": 6,
            "gamma": 0.98,
            "gae_lambda": 0.8,
            "ent_coef": 0.0,
        },
        "optimizer": {"learning_rate": 3e-3},
        "execution": {"lane_copies": COPIES, "threads": 1},
    }
)


class LastEpisodes(Callback):
    """The lengths of the episodes that ended last."""

    def __init__(self) -> None:
        """Start with none."""
        self._lengths: deque[float] = deque(maxlen=EPISODES)

    def on_step(self, step: StepView) -> None:
        """Keep the lengths of ended episodes."""
        self._lengths.extend(step.metrics[(step.terminated | step.truncated) != 0, 0].tolist())

    def on_update(self, report: UpdateReport) -> None:
        """Ignore it."""

    @property
    def is_solved(self) -> bool:
        """Whether enough of them were long enough."""
        return len(self._lengths) == EPISODES and sum(self._lengths) / EPISODES >= SOLVED_LENGTH


def solve_own(seed: int) -> tuple[float, int]:
    """Return seconds and steps to the solution."""
    episodes = LastEpisodes()
    began = time.perf_counter()
    trainer = Trainer(CartPoles(COPIES, seed), SETTINGS, seed=seed, callbacks=[episodes])
    while not episodes.is_solved and trainer.env_steps_total < LIMIT_STEPS:
        trainer.run(trainer.env_steps_total + 1)
    return time.perf_counter() - began, trainer.env_steps_total


def solve_sb3(seed: int) -> tuple[float, int]:
    """Return seconds and steps to the solution."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.env_util import make_vec_env

    class UntilSolved(BaseCallback):
        def _on_step(self) -> bool:
            lengths = [episode["l"] for episode in self.model.ep_info_buffer or ()]
            return len(lengths) < EPISODES or sum(lengths) / len(lengths) < SOLVED_LENGTH

    began = time.perf_counter()
    model = PPO(
        "MlpPolicy",
        make_vec_env("CartPole-v1", n_envs=8, seed=seed),
        n_steps=32,
        batch_size=256,
        n_epochs=20,
        gamma=0.98,
        gae_lambda=0.8,
        ent_coef=0.0,
        learning_rate=1e-3,
        seed=seed,
        device="cpu",
    )
    model.learn(LIMIT_STEPS, callback=UntilSolved())
    return time.perf_counter() - began, int(model.num_timesteps)


CONTENDERS: dict[str, Callable[[int], tuple[float, int]]] = {
    "diorama": solve_own,
    "stable-baselines3 PPO": solve_sb3,
}


def main() -> None:
    """Measure, print the table and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="seeds per trainer")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    cases = [(name, seed) for name in CONTENDERS for seed in range(options.repeats)]
    rows: list[JsonObject] = []
    spent: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for name, seed in track(cases, description="solving", console=Console(stderr=True)):
        seconds, steps = CONTENDERS[name](seed)
        spent[name].append(seconds)
        rows.append({"name": name, "seed": seed, "seconds": seconds, "steps": steps, "solved": steps < LIMIT_STEPS})
    medians = {name: median(spent[name]) for name in CONTENDERS}
    table = Table("trainer", "seed", "seconds", "steps", "solved", title="CartPole-v1")
    for row in rows:
        table.add_row(
            str(row["name"]), str(row["seed"]), f"{row['seconds']:.1f}", f"{row['steps']:,}", str(row["solved"])
        )
    console = Console()
    console.print(table)
    ratio = medians["stable-baselines3 PPO"] / medians["diorama"]
    console.print(f"median {medians['diorama']:.1f} s against {medians['stable-baselines3 PPO']:.1f} s: {ratio:.1f}×")
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {"repeats": options.repeats, "settings": SETTINGS.model_dump(mode="json")},
            "summary": {"pass": all(row["solved"] for row in rows), "median_seconds": medians, "ratio": ratio},
            "rows": rows,
            "system": system_facts(),
        }
        write_report(options.json, report)


if __name__ == "__main__":
    main()
