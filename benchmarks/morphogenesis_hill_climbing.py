"""How far a search without gradients gets: a plan for growing hosts, improved step by step by random changes.

    python benchmarks/morphogenesis_hill_climbing.py --json reports/morphogenesis_hill_climbing.json

A plan says what is planted where, in which order, and after how many idle epochs; everything else is done as soon
as the masks allow it. The search begins with the seeds of `grow_three`. In every generation some changed plans and the
best so far grow the same hosts of a training root key of its own; a winner must win again on another key. What
counts is the mean accuracy of the last ten epochs, less `--price` for every host that would fit into the grown network.
Generations go on until `--budget` epochs of hosts are used up, by default as many as the preset `default` learns from,
demonstrations included. At the end the plan, `grow_three` and the rules meet the hosts of held-out root keys; intervals
are over these keys.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.random import Generator
from rich.console import Console
from rich.table import Table

from diorama.contracts.values import F32, JsonObject, JsonValue
from diorama.worlds.morphogenesis.comparison.bootstrap import bootstrap_interval
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle, LifecycleOp, TempoAction
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose
from diorama.worlds.morphogenesis.controller.deciding import Actions, Controller, stack
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.schedules import GROW_THREE
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.rounds.running import PlayedEpisode, play_rounds
from diorama.worlds.morphogenesis.streams import Streams
from harness.reports import Findings, Gate
from harness.script import Script, positive

TRAINING_KEYS_FROM: Final = 500_000
HELD_OUT_FROM: Final = 1_000_000  # far from the keys that are searched on
LONGEST_IDLE: Final = 4
OTHERS: Final = ("grow_three", "rules", "wait")
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """One seed of a plan; the host idles for so many epochs before it."""

    slot: int
    blueprint: BlueprintAction
    style: GerminationStyle = GerminationStyle.LINEAR_ADD
    tempo: TempoAction = TempoAction.STANDARD
    idle_epochs: int = 0

    def __str__(self) -> str:
        """Describe the planting in a few words."""
        idle = f" after {self.idle_epochs}" if self.idle_epochs else ""
        return f"{self.blueprint.blueprint_id} in {self.slot} ({self.style.name}, {self.tempo.name}){idle}".lower()


Plan = tuple[Planting, ...]


class PlanController:
    """Carries out a plan for each env: makes seeds permanent, advances them and plants the next as masks allow."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        """Decide for one env per plan."""
        self._plans = plans
        self._planted = [0] * len(plans)
        self._idled = [0] * len(plans)

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return the first thing that can be done in every env."""
        return stack([self._decide(masks, row, report) for row, report in enumerate(reports)])

    def _decide(self, masks: ActionMasks, row: int, report: EnvReport) -> Action:
        if report.epoch == 1:
            self._planted[row] = self._idled[row] = 0
        by_op, plan = masks.slot_by_op[row], self._plans[row]
        for op in (LifecycleOp.FOSSILIZE, LifecycleOp.ADVANCE):
            slots = np.flatnonzero(by_op[op])
            if len(slots):
                return compose(op, int(slots[0]))
        if self._planted[row] == len(plan):
            return WAIT
        following = plan[self._planted[row]]
        if not by_op[LifecycleOp.GERMINATE, following.slot]:
            return WAIT
        if self._idled[row] < following.idle_epochs:
            self._idled[row] += 1
            return WAIT
        self._planted[row] += 1
        self._idled[row] = 0
        return compose(
            LifecycleOp.GERMINATE,
            following.slot,
            blueprint=following.blueprint,
            style=following.style,
            tempo=following.tempo,
        )


def main() -> int:
    """Search, compare and report."""
    script = Script("morphogenesis_hill_climbing", __doc__)
    script.parser.add_argument("--budget", type=positive, default=16_640, help="epochs of hosts for the search")
    script.parser.add_argument("--challengers", type=positive, default=3, help="changed plans of a generation")
    script.parser.add_argument("--hosts", type=positive, default=4, help="hosts that every plan grows per key")
    script.parser.add_argument("--held-out", type=positive, default=10, help="root keys of the comparison")
    script.parser.add_argument(
        "--price", type=float, default=0.2, help="points of accuracy for as many weights as a host"
    )
    script.parser.add_argument("--seed", type=int, default=1, help="of the changes and the training keys")
    script.parser.add_argument("--quick", action="store_true", help="tiny hosts: only to see that it runs")
    return script.run(measure)


def measure(options: argparse.Namespace, _directory: Path) -> Findings:
    """Search for a plan and hold it against the scripts."""
    torch.set_num_threads(1)
    config, console, began = _config(is_quick=options.quick), Console(width=120), time.monotonic()
    found = _climb(options, config, console)
    plan, taken_s = found.plan, time.monotonic() - began
    keys = range(HELD_OUT_FROM, HELD_OUT_FROM + options.held_out)
    makers: dict[str, Callable[[Nursery], Controller]] = {PLAN: lambda _: PlanController([plan] * options.hosts)}
    makers |= {name: _maker(name) for name in OTHERS}
    played = {name: [_play(config, options.hosts, key, make) for key in keys] for name, make in makers.items()}
    rows = [_row(name, episodes, played["grow_three"]) for name, episodes in played.items()]
    _print(console, plan, rows)
    sections: JsonObject = {
        "plan": [str(planting) for planting in plan],
        "search": {
            "seconds": taken_s,
            "generations": found.generations,
            "host_epochs": found.host_epochs,
            "accepted": found.steps,
        },
        "rows": list[JsonValue](rows),
    }
    gates = [Gate(name=f"{row['controller']}, accuracy", value=float(str(row["accuracy"]))) for row in rows]
    return Findings(gates=gates, sections=sections)


@dataclass(slots=True, kw_only=True)
class Climb:
    """A search: its best plan so far, what led there, and the generations and epochs of hosts it took."""

    plan: Plan
    steps: list[JsonValue] = field(default_factory=list)
    generations: int = 0
    host_epochs: int = 0


def _climb(options: argparse.Namespace, config: MorphogenesisConfig, console: Console) -> Climb:
    draws = np.random.default_rng(options.seed)
    slots = config.slot_ids
    start = tuple(
        Planting(slot=slots.index(planned.slot_id), blueprint=planned.blueprint)
        for planned in GROW_THREE
        if planned.slot_id in slots
    )
    climb, per_plan = Climb(plan=start), options.hosts * config.episode_epochs
    # A generation is only begun where its winner can be played once more, too.
    while climb.host_epochs + per_plan * (1 + options.challengers + 2) <= options.budget:
        key = TRAINING_KEYS_FROM + 1000 * options.seed + 2 * climb.generations
        climb.generations += 1
        plans = [climb.plan, *(changed(climb.plan, len(slots), draws) for _ in range(options.challengers))]
        worth = _worth(options, config, plans, key)
        climb.host_epochs += per_plan * len(plans)
        winner = int(np.argmax(worth))
        if winner == 0:
            continue
        again = _worth(options, config, [climb.plan, plans[winner]], key + 1)
        climb.host_epochs += per_plan * 2
        if again[1] <= again[0]:
            continue
        climb.plan = plans[winner]
        description = ", ".join(map(str, climb.plan))
        console.print(f"{climb.generations}: {worth[winner]:.1f} and {again[1]:.1f}: {description}", highlight=False)
        climb.steps.append({"generation": climb.generations, "worth": [worth[winner], again[1]], "plan": description})
    return climb


def changed(plan: Plan, slots: int, draws: Generator) -> Plan:
    """Return a plan with one random change; slots stay different."""
    blueprints = TOPOLOGY_BLUEPRINTS["cnn"]
    free = sorted(set(range(slots)) - {planting.slot for planting in plan})
    kinds = ["blueprint", "style", "tempo", "idle", "order"] if plan else []
    kinds += ["more"] * bool(free) + ["fewer"] * (len(plan) > 1)
    kind, index = str(draws.choice(kinds)), int(draws.integers(max(1, len(plan))))
    seeds = list(plan)
    if kind == "more":
        new = Planting(slot=int(draws.choice(free)), blueprint=blueprints[draws.integers(len(blueprints))])
        seeds.insert(int(draws.integers(len(plan) + 1)), new)
    elif kind == "fewer":
        del seeds[index]
    elif kind == "order":
        seeds.append(seeds.pop(index))
    elif kind == "blueprint":
        seeds[index] = replace(seeds[index], blueprint=blueprints[draws.integers(len(blueprints))])
    elif kind == "style":
        seeds[index] = replace(seeds[index], style=GerminationStyle(int(draws.integers(len(GerminationStyle)))))
    elif kind == "tempo":
        seeds[index] = replace(seeds[index], tempo=TempoAction(int(draws.integers(len(TempoAction)))))
    else:
        seeds[index] = replace(seeds[index], idle_epochs=int(draws.integers(LONGEST_IDLE + 1)))
    return tuple(seeds)


def _worth(options: argparse.Namespace, config: MorphogenesisConfig, plans: Sequence[Plan], key: int) -> list[float]:
    # Neighbors share their first weights, so that every plan meets each of them.
    rows = [plan for _ in range(options.hosts) for plan in plans]
    own = config.model_copy(update={"init_groups": options.hosts})
    episodes = _play(own, len(rows), key, lambda _: PlanController(rows))
    worths = [episode.late_accuracy - options.price * episode.result.param_ratio for episode in episodes]
    return [float(np.mean(worths[index :: len(plans)])) for index in range(len(plans))]


def _play(
    config: MorphogenesisConfig, hosts: int, key: int, make: Callable[[Nursery], Controller]
) -> list[PlayedEpisode]:
    world = MorphogenesisWorld.build(config, engine_maker("fast"), envs=hosts, root_key=key)
    return play_rounds(world, make(world.nursery), name=PLAN, rounds=1).episodes


def _maker(name: str) -> Callable[[Nursery], Controller]:
    return lambda nursery: controller_named(name, nursery)


def _config(*, is_quick: bool) -> MorphogenesisConfig:
    tiny = {"max_epochs": 20, "train_batches_per_epoch": 2, "val_subset": 120} if is_quick else {}
    return MorphogenesisConfig.model_validate({"task": "digits_impaired", **tiny})


def _row(name: str, played: Sequence[Sequence[PlayedEpisode]], rivals: Sequence[Sequence[PlayedEpisode]]) -> JsonObject:
    """Return how one controller did; the interval is over root keys."""
    by_key = [float(np.mean([episode.result.final_accuracy for episode in episodes])) for episodes in played]
    theirs = [float(np.mean([episode.result.final_accuracy for episode in episodes])) for episodes in rivals]
    draws = Streams(HELD_OUT_FROM).open("bootstrap", 0)
    own = bootstrap_interval(by_key, draws)
    ahead = bootstrap_interval([mine - other for mine, other in zip(by_key, theirs, strict=True)], draws)
    every = [episode for episodes in played for episode in episodes]
    return {
        "controller": name,
        "episodes": len(every),
        "accuracy": own.mean,
        "interval": [own.low, own.high],
        "late_accuracy": float(np.mean([episode.late_accuracy for episode in every])),
        "param_ratio": float(np.mean([episode.result.param_ratio for episode in every])),
        "ahead_of_grow_three": [ahead.mean, ahead.low, ahead.high],
    }


def _print(console: Console, plan: Plan, rows: Sequence[JsonObject]) -> None:
    console.print(f"plan: {', '.join(map(str, plan))}", highlight=False)
    table = Table(title="held-out hosts")
    for heading in ("controller", "episodes", "accuracy", "95%", "last ten epochs", "params", "ahead of grow_three"):
        table.add_column(heading, justify="left" if heading == "controller" else "right")
    for row in rows:
        interval, ahead = row["interval"], row["ahead_of_grow_three"]
        assert isinstance(interval, list)
        assert isinstance(ahead, list)
        table.add_row(
            str(row["controller"]),
            str(row["episodes"]),
            f"{row['accuracy']:.1f}",
            "{:.1f} to {:.1f}".format(*interval),
            f"{row['late_accuracy']:.1f}",
            f"{row['param_ratio']:.2f}x",
            "{:+.1f} ({:+.1f} to {:+.1f})".format(*ahead),
        )
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
