"""Game Boys per second: the native tier beside PyBoy on the same ROMs and observation, and GPU lanes where there are.

    python benchmarks/gameboy.py --json reports/gameboy.json
    python benchmarks/gameboy.py --quick
    python benchmarks/gameboy.py --parts core device --seconds 1.2
    python benchmarks/gameboy.py --compare reports/before.json reports/after.json

Three parts. `core`: every ROM on one native lane and on one PyBoy with a picture each step, in turns, by processor
time, best repeat of each. `host`: frames per second of all cores by number of lanes, PyBoy over processes and the
native tier over threads. `device`: a GPU by number of lanes, then by ways to build the kernel, beside PyBoy on the ROM
of E4. Host and device end with the ladder: E0 an empty launch, E1 arithmetic, E2 divergence with its control without
keys, E3 memory, E4 a full step. What cannot run here is named as not run. Rates are frames per second of all lanes
together and are never multiplied by anything.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

from consoles.plan import Point, empty_rom, has_gpu, points
from consoles.points import measure_point
from consoles.relating import SCHEMA_VERSION, read_run, relate, relation_table
from consoles.runners import LanesRunner, PyboyRunner, Runner
from consoles.setting import ROMS, Setting, random_keys, rom_named
from consoles.summary import GOAL_PER_CORE, number, summarize
from diorama.contracts.errors import DioramaError, MissingExtra, TierUnavailable
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from diorama.worlds.gameboy.oracle import VERSION as PYBOY_VERSION

PARTS: Final = ("core", "host", "device")
BAD_INPUT: Final = 2
CORE_REPEATS: Final = 3


def main() -> int:
    """Measure, print the tables and write the report; or relate two reports."""
    options = _options()
    try:
        if options.compare:
            first, second = (read_run(path) for path in options.compare)
            Console().print(relation_table(first, second, relate(first, second)))
            return 0
        return _measure(options)
    except DioramaError as error:
        print(f"gameboy: {' '.join(str(error).split())}", file=sys.stderr)
        return BAD_INPUT


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, default=Path("reports/gameboy.json"), help="where to write the report")
    parser.add_argument("--quick", action="store_true", help="fewer ROMs, lanes and steps; about a minute")
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure; everything if left out"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="most time of a point")
    parser.add_argument(
        "--compare", type=Path, nargs=2, metavar=("A", "B"), help="relate two reports and do nothing else"
    )
    return parser.parse_args()


def _measure(options: argparse.Namespace) -> int:
    run_id = f"gameboy-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    steps, warm_up, seconds = (12, 2, min(options.seconds, 1.0)) if options.quick else (200, 10, options.seconds)
    setting = random_keys(warm_up_steps=warm_up, steps=steps, seconds=seconds)
    not_run: list[str] = []
    cores = _one_core(setting, options.quick) if "core" in options.parts else []
    results = _run_points(points(setting, options.quick, options.parts, not_run), not_run)
    summary = summarize(cores, results)
    write_report(
        options.json,
        {
            "schema_version": SCHEMA_VERSION,
            "run_id": run_id,
            "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "system": {**system_facts(), **_device_facts()},
            "config": {**setting.to_json(), "roms": {name: rom_named(name).sha256 for name in ROMS}},
            "summary": summary,
            "one_core": cores,
            "results": results,
            "not_run": list(not_run),
        },
    )
    _print_tables(Console(), cores, results, summary, not_run)
    print(f"report: {options.json}")
    return 0 if summary["pass"] else 1


def _one_core(setting: Setting, quick: bool) -> list[JsonObject]:
    """Processor time of one lane and of one PyBoy, in turns, so that what else the machine does meets both."""
    rows: list[JsonObject] = []
    repeats = 2 if quick else CORE_REPEATS
    for name in track(ROMS, description="one core", console=Console(stderr=True)):
        rom = rom_named(name)
        sides: dict[str, Callable[[], Runner]] = {
            "rust": partial(LanesRunner, "rust", rom, 1, "observe", setting, 1),
            "pyboy": partial(PyboyRunner, rom, 1, "observe", setting),
        }
        best = dict.fromkeys(sides, 0.0)
        for _ in range(repeats):
            for side, build in sides.items():
                point = measure_point(build(), rom, 1, "observe", setting, clock=time.process_time)
                best[side] = max(best[side], number(point, "frames_per_sec"))
        rates = {f"{side}_frames_per_sec": rate for side, rate in best.items()}
        rows.append({"rom": name, **rates, "ratio": best["rust"] / best["pyboy"]})
    return rows


def _run_points(points: Iterator[Point], not_run: list[str]) -> list[JsonObject]:
    rows: list[JsonObject] = []
    for experiment, name, lanes, stage, setting, build in track(
        list(points), description="sweep and ladder", console=Console(stderr=True)
    ):
        rom = empty_rom() if name == "EMPTY" else rom_named(name)
        try:
            rows.append(measure_point(build(), rom, lanes, stage, setting, experiment=experiment))
        except (TierUnavailable, MissingExtra, MemoryError) as error:
            not_run.append(f"{name}, {lanes} lanes, {stage}: {error}")
    return rows


def _device_facts() -> JsonObject:
    if not has_gpu():
        return {"pyboy": PYBOY_VERSION, "gpu": None}
    import torch

    gpu = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda}
    return {"pyboy": PYBOY_VERSION, **gpu}


def _print_tables(
    console: Console, cores: list[JsonObject], results: list[JsonObject], summary: JsonObject, not_run: list[str]
) -> None:
    table = Table("ROM", "native", "PyBoy", "ratio", title="one core with pictures, frames/s of processor time")
    for row in cores:
        rates = [f"{number(row, f'{side}_frames_per_sec'):,.0f}" for side in ("rust", "pyboy")]
        table.add_row(str(row["rom"]), *rates, f"{number(row, 'ratio'):.1f}")
    if cores:
        console.print(table)
    table = Table(
        "", "ROM", "stage", "backend", "lanes", "frames/s", "× real time", "PCs per 32", title="whole machine"
    )
    for row in results:
        divergence = row["divergence"]
        block = f"{number(divergence, 'distinct_pcs_per_block'):.1f}" if isinstance(divergence, dict) else ""
        build = "/".join(str(row[name]) for name in ("backend", "build") if name in row)
        rates = [f"{number(row, name):,.0f}" for name in ("lanes", "frames_per_sec", "realtime_multiple")]
        table.add_row(str(row["experiment"]), str(row["rom"]), str(row["stage"]), build, *rates, block)
    console.print(table)
    if cores:
        console.print(
            f"native tier on one core: {number(summary, 'per_core_ratio_of_the_mix'):.2f}× PyBoy on the mix, "
            f"{number(summary, 'per_core_ratio_least'):.2f}× at least (goal {GOAL_PER_CORE:g}×)"
        )
    if summary["device_ratio_to_pyboy"] is not None:
        console.print(f"GPU: {number(summary, 'device_ratio_to_pyboy'):,.0f}× PyBoy on all cores, whole steps of E4")
    for reason in not_run:
        console.print(f"not run: {reason}")


if __name__ == "__main__":
    sys.exit(main())
