"""How much faster two processes train than one, each with one thread and as many copies.

    python benchmarks/data_parallel.py --json reports/data_parallel.json

Whole runs of `diorama train`, records and windows included, one after another and alternating. A run's speed is taken
from its quicker updates (the lower quartile of their times), because a machine that has other work shows in the others.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import quantiles

from diorama.telemetry.ppo.fields import PPO_LOG_FILE
from harness.reports import Findings, Gate
from harness.script import Script, positive

_SETTINGS = (
    "policy.arch=mlp-128-gelu-v1",
    "ppo.update_epochs=1",
    "ppo.num_minibatches=4",
    "evaluation.replays_per_window=0",
    "evaluation.closing_episodes=0",
)


def main() -> int:
    """Measure and report."""
    script = Script("data_parallel", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--copies", type=positive, default=512, help="of every process")
    script.parser.add_argument("--rollout-steps", type=positive, default=64)
    script.parser.add_argument("--updates", type=positive, default=40, help="of every run")
    script.parser.add_argument("--repeats", type=positive, default=3)
    script.parser.add_argument("--processes", type=positive, default=2)
    script.parser.add_argument("--min-ratio", type=float, help="fail below this")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Train alone and together, in turns, and compare the best of each."""
    alone, together = [], []
    for repeat in range(options.repeats):
        alone.append(_steps_per_second(options, directory, f"alone-{repeat}", 1))
        together.append(_steps_per_second(options, directory, f"together-{repeat}", options.processes))
    return Findings(
        gates=(
            Gate(name="env steps a second, one process", value=max(alone)),
            Gate(name=f"env steps a second, {options.processes} processes", value=max(together)),
            Gate(name="ratio", value=max(together) / max(alone), at_least=options.min_ratio),
        ),
        sections={"steps_per_second": {"alone": alone, "together": together}},
        artifacts=(directory,),
    )


def _steps_per_second(options: argparse.Namespace, directory: Path, run_id: str, processes: int) -> float:
    copies = options.copies * processes
    update_steps = copies * options.rollout_steps
    command = [sys.executable, "-m", "diorama", "train", options.world, "--preset", "none", "--run-id", run_id]
    command += ["--run-root", str(directory), "--copies", str(copies), "--steps", str(update_steps * options.updates)]
    command += ["--rollout-steps", str(options.rollout_steps), "--window-env-steps", str(update_steps * 4)]
    command += ["--checkpoint-every-windows", "1000000", "--threads", "1"]
    command += [word for setting in _SETTINGS for word in ("--set", setting)]
    command += ["--processes", str(processes)] if processes > 1 else []
    subprocess.run(command, check=True, capture_output=True)
    log = directory / run_id / "telemetry" / PPO_LOG_FILE
    seconds = [float(json.loads(line)["epoch_duration_sec"]) for line in log.read_text().splitlines()]
    return float(update_steps / quantiles(seconds[1:], n=4)[0])


if __name__ == "__main__":
    sys.exit(main())
