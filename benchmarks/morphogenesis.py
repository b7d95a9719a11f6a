"""How much quicker hosts train and are measured as one stacked network than one after another.

    python benchmarks/morphogenesis.py --json reports/morphogenesis.json

Sixteen hosts and two control twins on the digits, on both engines: an epoch of training and a validation of every
coalition of seeds, for hosts alone, for hosts with the same seeds and for hosts whose seeds all differ. All figures are
of this one run: epochs of the engines take turns, and the best of each counts. On the processor everything runs on one
thread and its processor time is what is taken, so that whoever else uses the machine does not count. With
`--device cuda` it is wall time up to the last kernel, the stacked engine runs with its recordings (CUDA graphs) and
without them, and the run fails unless both end with the same parameters, bit for bit.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.data.loading import build_host, load_data, slots_of
from diorama.worlds.morphogenesis.data.tasks import task_named
from diorama.worlds.morphogenesis.engine.layout import RowLayout, default_groups
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, HostEngine, Overrides
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.streams import Streams

TARGET: Final = 4.0
ROUTE: Final = (SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED)
STAGES: Final = (SeedStage.FOSSILIZED, SeedStage.BLENDING, SeedStage.TRAINING)
SCHEDULE: Final = (BlueprintAction.CONV_LIGHT, BlueprintAction.CONV_HEAVY, BlueprintAction.CONV_HEAVY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What the hosts hold.

    Attributes:
        name: For the report.
        plant: Fills one host.
        has_seeds: Whether there are coalitions to measure.
    """

    name: str
    plant: Callable[[HostEngine, int], None]
    has_seeds: bool


def main() -> None:
    """Measure, print the table and write the report."""
    options = _options()
    rows = [_measure(case, options) for case in CASES]
    is_met = all(float(row["speedup"]) >= TARGET for row in rows)
    _print_table(rows)
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {
                "task": options.task,
                "hosts": options.hosts,
                "device": options.device,
                "repeats": options.repeats,
            },
            "summary": {"target": TARGET, "pass": is_met},
            "rows": [dict(row) for row in rows],
            "system": system_facts(),
        }
        write_report(options.json, report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="digits", help="a task with convolutional hosts")
    parser.add_argument("--hosts", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=2, help="epochs of each engine, of which the best counts")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--json", type=Path, help="where to write the report")
    return parser.parse_args()


def _plant_nothing(engine: HostEngine, row: int) -> None:
    pass


def _plant_schedule(engine: HostEngine, row: int) -> None:
    for column, (blueprint, stage) in enumerate(zip(SCHEDULE, STAGES, strict=True)):
        _plant(engine, row, column, blueprint, GerminationStyle.LINEAR_ADD, stage)


def _plant_anything(engine: HostEngine, row: int) -> None:
    blueprints = TOPOLOGY_BLUEPRINTS["cnn"]
    styles = tuple(GerminationStyle)
    for column in range(len(STAGES)):
        number = row + 2 * column
        stage = STAGES[number % len(STAGES)]
        _plant(engine, row, column, blueprints[number % len(blueprints)], styles[row % len(styles)], stage)


def _plant(
    engine: HostEngine, row: int, column: int, blueprint: BlueprintAction, style: GerminationStyle, stage: SeedStage
) -> None:
    bed, slot_id = engine.bed(row), f"r0c{column}"
    bed.plant(slot_id, blueprint, style.traits.operator, 0)
    for reached in ROUTE[: ROUTE.index(stage) + 1]:
        bed.set_stage(slot_id, reached)
    bed.set_alpha(slot_id, 0.0 if stage is SeedStage.TRAINING else 1.0, frozen=False)


CASES: Final = (
    Case(name="no seeds", plant=_plant_nothing, has_seeds=False),
    Case(name="same seeds", plant=_plant_schedule, has_seeds=True),
    Case(name="all-different seeds", plant=_plant_anything, has_seeds=True),
)


def _measure(case: Case, options: argparse.Namespace) -> dict[str, float | str]:
    setup = _setup(options)
    engines: list[HostEngine] = [ReferenceEngine(setup), StackedEngine(setup)]
    if options.device != "cpu":
        engines.append(StackedEngine(setup, is_recorded=False))
    overrides = _coalitions(setup) if case.has_seeds else _main_only(setup)
    for engine in engines:
        engine.reset(0)
        for row in range(setup.layout.envs):
            case.plant(engine, row)
    training, measuring = [math.inf] * len(engines), [math.inf] * len(engines)
    for epoch in range(1, options.repeats + 2):
        for place, engine in enumerate(engines):
            began = _now(options.device)
            engine.train_epoch(epoch)
            trained = _now(options.device)
            engine.validate(overrides)
            ended = _now(options.device)
            if epoch > 1:
                training[place] = min(training[place], trained - began)
                measuring[place] = min(measuring[place], ended - trained)
    unrecorded: dict[str, float | str] = {}
    if options.device != "cpu":
        _require_equal(engines[1], engines[2], setup.layout.rows)
        unrecorded = {"unrecorded_training_s": training[2], "unrecorded_measuring_s": measuring[2]}
    return unrecorded | {
        "case": case.name,
        "reference_training_s": training[0],
        "stacked_training_s": training[1],
        "reference_measuring_s": measuring[0],
        "stacked_measuring_s": measuring[1],
        "training_speedup": training[0] / training[1],
        "measuring_speedup": measuring[0] / measuring[1],
        "speedup": (training[0] + measuring[0]) / (training[1] + measuring[1]),
    }


def _require_equal(recorded: HostEngine, unrecorded: HostEngine, rows: int) -> None:
    for row in range(rows):
        wanted, found = unrecorded.write_row(row), recorded.write_row(row)
        apart = [name for name in wanted if not np.array_equal(wanted[name], found[name])]
        if apart:
            raise SystemExit(f"row {row}: recordings trained other parameters: {', '.join(apart)}")


def _setup(options: argparse.Namespace) -> EngineSetup:
    task = task_named(options.task)
    hosts = options.hosts
    return EngineSetup(
        task=task,
        slots=slots_of(build_host(task), task.slots),
        data=load_data(task),
        streams=Streams(1),
        layout=RowLayout.of(tuple(range(hosts)), all_envs=hosts, groups=default_groups(hosts), has_twins=True),
        batch_size=task.batch_size,
        max_batches=task.train_batches_per_epoch,
        device=options.device,
    )


def _main_only(setup: EngineSetup) -> Overrides:
    return np.full((1, setup.layout.rows, setup.slots.num_slots), math.nan)


def _coalitions(setup: EngineSetup) -> Overrides:
    """Switch every subset of the seeds off in turn, in every env."""
    subsets = list(product((math.nan, 0.0), repeat=setup.slots.num_slots))
    overrides = np.full((len(subsets), setup.layout.rows, setup.slots.num_slots), math.nan)
    overrides[:, : setup.layout.envs] = np.array(subsets)[:, None]
    return overrides


def _now(device: str) -> float:
    if device == "cpu":
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def _print_table(rows: list[dict[str, float | str]]) -> None:
    table = Table("hosts hold", "one by one", "stacked", "training", "measuring", "both", title="an epoch of all hosts")
    has_recordings = "unrecorded_training_s" in rows[0]
    if has_recordings:
        table.add_column("stacked, unrecorded")
    for row in rows:
        table.add_row(
            str(row["case"]),
            f"{float(row['reference_training_s']) + float(row['reference_measuring_s']):.3f} s",
            f"{float(row['stacked_training_s']) + float(row['stacked_measuring_s']):.3f} s",
            *(f"{float(row[key]):.1f}×" for key in ("training_speedup", "measuring_speedup", "speedup")),
            *([f"{_unrecorded_s(row):.3f} s"] if has_recordings else ()),
        )
    Console().print(table)


def _unrecorded_s(row: dict[str, float | str]) -> float:
    return float(row["unrecorded_training_s"]) + float(row["unrecorded_measuring_s"])


if __name__ == "__main__":
    main()
