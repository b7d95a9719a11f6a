"""Learning to live in a town, from nothing to a policy: what everybody earns on seeds that training never met.

    python benchmarks/townlet_training.py --json reports/townlet_training.json

The scripted controller is captured and cloned. Preset `default` then learns from that clone, and once more as it
stands: it imitates the controller by itself first. The controller, the clone and both policies live through the same
held-out towns; policies take their likeliest option, the controller is the one of the core. The report is written after
every part, so that a run that is cut short leaves what it had.
"""

import argparse
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Timer
from typing import Final

from rich.console import Console
from rich.table import Table

from diorama.cli.townlet.capturing import CaptureRequest, hold_capture, plan_capture
from diorama.cli.townlet.cloning import WORLD, plan_cloning, shaping_of
from diorama.cli.training.options import parse_overrides
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.learn.imitation.validation import shortcomings
from diorama.learn.settings.imitation import GateSettings
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.storage.report_files import write_report
from diorama.training.callbacks.progress import NoProgress
from diorama.training.offline import CloningRun
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import train
from diorama.training.settings import TrainingSettings
from harness.townlet_judging import Controller, Decider, Learned, judge

DATASET: Final = "core"
ANYTHING_GOES: Final = GateSettings(accuracy=0.0, recall=0.0, value_error=1e9)
STARTS: Final = ("dataset", "imitation")
QUICK_SCENES: Final = ("queue_contention", "late_start")


class Report:
    """What is known so far; every part is on the disk as soon as it is there."""

    def __init__(self, path: Path, facts: JsonObject) -> None:
        """Begin with what is known beforehand."""
        self._path = path
        self._known: dict[str, JsonValue] = dict(facts)
        self._began = time.perf_counter()

    def add(self, name: str, part: JsonObject) -> None:
        """Keep a part and tell that it is done."""
        self._known[name] = part
        self._known["seconds"] = round(time.perf_counter() - self._began, 1)
        write_report(self._path, self._known)
        print(f"{self._known['seconds']:>7} s  {name}", flush=True)


def main() -> None:
    """Capture, clone, learn and judge."""
    options = _options()
    report = Report(options.json, _facts(options))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if options.keep is None else options.keep
        players: dict[str, Decider] = {"scripted": Controller()}
        if "dataset" in options.start:
            report.add("capture", _capture(folder, options))
            cloned, clone = _clone(folder, options)
            report.add("clone", clone)
            players["clone of the dataset"] = Learned(cloned, options.device)
        for start in options.start:
            for seed in range(options.runs):
                layout, learned = _learn(folder, start, seed, options)
                name = f"PPO from {start}, seed {seed}"
                report.add(name, learned)
                players[name] = Learned(layout, options.device)
        config = plan_training(_settings(options)).settings.config
        for days in options.days:
            judged = judge(players, config, days=days, first_seed=options.first_seed, towns=options.seeds)
            report.add(f"{days} days", judged)
            _print(days, judged)


def _facts(options: argparse.Namespace) -> JsonObject:
    asked = {key: str(value) if isinstance(value, Path) else value for key, value in vars(options).items()}
    return {"at": datetime.now(UTC).isoformat(timespec="seconds"), "asked": asked, "system": system_facts()}


def _capture(folder: Path, options: argparse.Namespace) -> JsonObject:
    began = time.perf_counter()
    request = CaptureRequest(
        name=DATASET,
        root=folder / "datasets",
        scenes=QUICK_SCENES if options.quick else (),
        rounds=options.rounds,
        push=options.push,
        overrides=shaping_of(options.preset),
        replaces=None,
    )
    manifest = hold_capture(plan_capture(request), lambda: None)
    return {
        "seconds": _since(began),
        "citizens": len(manifest.samples),
        "decisions": manifest.decisions,
        "options": dict(manifest.action_counts),
    }


def _clone(folder: Path, options: argparse.Namespace) -> tuple[RunLayout, JsonObject]:
    """Clone the dataset; whether the clone passes its gate is told, and it is played in either case."""
    began = time.perf_counter()
    plan = plan_cloning(
        folder / "datasets" / DATASET,
        preset=options.preset,
        overrides=[("--device", {"execution": {"device": options.device}})],
        gate=ANYTHING_GOES,
    )
    session = CloningRun(plan, folder / "runs", "cloned", progress=NoProgress(), clock=SystemClock())
    try:
        made = session.clone()
        layout = session.save(made)
    finally:
        session.close()
    agreement = made.agreement
    return layout, {
        "seconds": _since(began),
        "accuracy": agreement.accuracy,
        "recalls": {name: recall for name, recall in agreement.recalls.items() if agreement.frames[name]},
        "held_out": dict(agreement.frames),
        "value_error": agreement.value_error,
        "falls_short": list(shortcomings(agreement, GateSettings())),
    }


def _learn(folder: Path, start: str, seed: int, options: argparse.Namespace) -> tuple[RunLayout, JsonObject]:
    began = time.perf_counter()
    beginning: Mapping[str, object] = {"start": str(folder / "runs" / "cloned")} if start == "dataset" else {}
    plan = plan_training(_settings(options, {"seed": seed, **beginning}))
    stop = Event()
    bell = None if options.limit is None else Timer(options.limit, stop.set)
    if bell is not None:
        bell.start()
    try:
        outcome = train(plan, folder / "runs", f"{start}-{seed}", progress=NoProgress(), stop=stop, clock=SystemClock())
    finally:
        if bell is not None:
            bell.cancel()
    seconds = _since(began)
    return outcome.layout, {
        "seconds": seconds,
        "status": outcome.status.value,
        "env_steps": outcome.env_steps_total,
        "env_steps_per_second": round(outcome.env_steps_total / seconds, 1),
    }


def _settings(options: argparse.Namespace, values: Mapping[str, object] | None = None) -> TrainingSettings:
    # What a person would look at while it learns takes time that the measurement needs.
    unwatched = {"replays_per_window": 0, "closing_episodes": 0}
    layers = [
        load_preset(WORLD, options.preset),
        Layer(source="benchmark", values={"world": WORLD, "evaluation": unwatched}),
        Layer(source="--device", values={"execution": {"device": options.device}}),
        *([] if options.steps is None else [Layer(source="--steps", values={"steps": options.steps})]),
        *(Layer(source=source, values=pair) for source, pair in parse_overrides(None, options.set)),
        Layer(source="benchmark", values=values or {}),
    ]
    return settings_of(layers)


def _print(days: int, judged: JsonObject) -> None:
    table = Table("who", "return", "against scripted", "exits", title=f"{days} days")
    for name, row in judged.items():
        assert isinstance(row, dict)
        ahead = "" if name == "scripted" else f"{row['ahead']:+.2f} ± {row['ahead_error']:.2f}"
        table.add_row(name, f"{row['return']:.2f} ± {row['return_error']:.2f}", ahead, f"{row['exits']}")
    Console().print(table)


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="where policies learn: cpu, cuda or cuda:N")
    parser.add_argument("--steps", type=int, help="env steps of a run; those of the preset unless given")
    parser.add_argument("--seeds", type=int, default=16, help="held-out towns everybody lives in")
    parser.add_argument("--first-seed", type=int, default=90_000_000, help="seed of the first of them")
    parser.add_argument("--json", type=Path, default=Path("reports/townlet_training.json"), help="the report")
    parser.add_argument("--quick", action="store_true", help="every part at work in a minute; learns nothing")
    parser.add_argument("--start", action="append", choices=STARTS, help="what PPO starts from; both unless given")
    parser.add_argument("--runs", type=int, default=1, help="training seeds per start")
    parser.add_argument("--rounds", type=int, default=3, help="how often every capture suite is played")
    parser.add_argument("--push", type=float, default=0.05, help="share of captured decisions that are pushed away")
    parser.add_argument("--days", type=int, nargs="+", default=[3, 10], help="how long the held-out towns are watched")
    parser.add_argument("--limit", type=float, help="seconds after which a run of PPO ends with what it has")
    parser.add_argument("--set", action="append", metavar="KEY=VALUE", help="any setting of a run; repeatable")
    parser.add_argument("--keep", type=Path, help="folder for datasets and runs; a temporary one unless given")
    options = parser.parse_args()
    options.start = options.start or list(STARTS)
    options.preset = "quick" if options.quick else "default"
    if options.quick:
        options.rounds, options.days, options.seeds = 1, [1], min(options.seeds, 4)
    return options


if __name__ == "__main__":
    main()
