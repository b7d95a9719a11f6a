"""CPU time of small policies: deciding for rows and learning from them, in compiled code and with torch.

    python benchmarks/native_inference.py --json reports/native_inference.json

Both take turns on one thread, and the best turn of each counts, so that a busy machine disturbs them alike.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

import diorama
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.learn.collector import Collector
from diorama.learn.experience import build_experience
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import build_policy
from diorama.learn.ppo import PpoUpdate, UpdateContext
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from diorama.storage.report_files import write_report

ARCHES = ("mlp-64-tanh-v1", "mlp-128-gelu-v1", "mlp-256x256-relu-v1", "mingru-128-v1")
KINDS = ("torch", "native")


class Contender:
    """One policy with its copies, acted for and learned from again and again without changing."""

    def __init__(self, world: str, arch: str, copies: int, steps: int, *, native: bool) -> None:
        """Open the copies and gather a rollout."""
        settings = TrainerSettings.model_validate(
            {
                "policy": {"arch": arch},
                "ppo": {"rollout_steps": steps, "num_minibatches": 1, "update_epochs": 1, "shuffle": "blocks"},
                "optimizer": {"learning_rate": 0.0},
                "execution": {"threads": 1, "native": native},
            }
        )
        self.decisions = copies * steps
        workers = Workers(1)
        self._policy = build_policy(diorama.make(world, copies=1).spec, settings, seed=1)
        self._ppo = PpoUpdate(self._policy, settings, workers)
        source = diorama.make(world, copies=copies, seed=1, threads=1)
        self._collector = Collector(source, self._policy, settings, workers)
        self._collector.reset()
        scaler = RewardScaler(settings.normalization, copies * source.spec.agents, settings.ppo.gamma)
        exploration = self._policy.heads.plan.exploration(0)
        self._params = SamplingParams(seed=1, update=0, exploration=exploration, use_masks=source.spec.has_mask)
        self._moment = UpdateContext(seed=1, update=0, env_steps=0, exploration=exploration)
        self.gather()
        self._experience = build_experience(self._collector.rollout, self._policy.heads.plan, settings.ppo, scaler)

    def gather(self) -> float:
        """Gather a rollout and return the CPU seconds of deciding in it."""
        self._params = replace(self._params, update=self._params.update + 1)
        seconds = _cpu_seconds(lambda: self._collector.collect(self._policy, self._params))
        self._collector.carry_last_step()
        stepping = self._collector.env_seconds / (self._collector.env_seconds + self._collector.policy_seconds)
        return seconds * (1.0 - stepping)

    def learn(self) -> float:
        """Pass over the first rollout once and return the CPU seconds."""
        return _cpu_seconds(lambda: self._ppo.learn(self._experience, self._moment))


def measure(world: str, arch: str, *, copies: int, steps: int, turns: int) -> JsonObject:
    """Return microseconds per decision of both kinds, and how many times faster compiled code is."""
    contenders = {kind: Contender(world, arch, copies, steps, native=kind == "native") for kind in KINDS}
    best = {(kind, part): float("inf") for kind in KINDS for part in ("decide", "learn")}
    for _ in range(turns):
        for kind, contender in contenders.items():
            best[kind, "decide"] = min(best[kind, "decide"], contender.gather() / contender.decisions)
            best[kind, "learn"] = min(best[kind, "learn"], contender.learn() / contender.decisions)
    row: dict[str, JsonValue] = {"arch": arch}
    for part in ("decide", "learn"):
        row |= {f"{part}_{kind}_us": best[kind, part] * 1e6 for kind in KINDS}
        row[f"{part}_ratio"] = best["torch", part] / best["native", part]
    return row


def main() -> None:
    """Measure, print the table and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="prospector")
    parser.add_argument("--arch", action="append", help=f"network by name, repeatable (default: {', '.join(ARCHES)})")
    parser.add_argument("--copies", type=int, default=512)
    parser.add_argument("--steps", type=int, default=32, help="decisions per copy and rollout")
    parser.add_argument("--turns", type=int, default=8, help="how often each is measured; the best counts")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = [
        measure(options.world, arch, copies=options.copies, steps=options.steps, turns=options.turns)
        for arch in track(options.arch or ARCHES, description="networks", console=Console(stderr=True))
    ]
    table = Table("network", "decide torch", "native", "ratio", "learn torch", "native", "ratio")
    for row in rows:
        numbers = [
            *(f"{row[name]:.2f} µs" for name in ("decide_torch_us", "decide_native_us")),
            f"{row['decide_ratio']:.2f}×",
            *(f"{row[name]:.2f} µs" for name in ("learn_torch_us", "learn_native_us")),
            f"{row['learn_ratio']:.2f}×",
        ]
        table.add_row(str(row["arch"]), *numbers)
    Console().print(table)
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {key: str(value) if isinstance(value, Path) else value for key, value in vars(options).items()},
            "rows": list(rows),
            "system": system_facts(),
        }
        write_report(options.json, report)


def _cpu_seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


if __name__ == "__main__":
    main()
