"""Game Boys per second: the native tier beside PyBoy on the same ROMs and observation, and GPU lanes where there are.

    python benchmarks/gameboy.py --json reports/gameboy.json
    python benchmarks/gameboy.py --quick
    python benchmarks/gameboy.py --compare reports/before.json reports/after.json

Three parts. One core: every ROM on one native lane and on one PyBoy with a picture each step, in turns, by processor
time, best repeat of each. Sweep: frames per second of the whole host by number of lanes, for PyBoy over processes, for
the native tier over threads, and for `warp_cuda` over layouts and emission styles. Ladder: E0 an empty launch, E1
arithmetic, E2 divergence with its control without keys, E3 memory, E4 a full step. What cannot run here is named as not
run. Rates are frames per second of all lanes together and are never multiplied by anything.
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

from consoles.points import measure_point
from consoles.pyboy_workers import PyboyWorkers
from consoles.relating import SCHEMA_VERSION, read_run, relate, relation_table
from consoles.runners import LanesRunner, PyboyRunner, Runner
from consoles.setting import ROMS, Setting, Stage, no_keys, random_keys, rom_named
from diorama.contracts.errors import DioramaError, MissingExtra, TierUnavailable
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.report_files import write_report
from diorama.engine.system_facts import system_facts, usable_cores
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.oracle import VERSION as PYBOY_VERSION

GOAL_PER_CORE: Final = 3.0
GOAL_DIVERGENCE: Final = 0.4
BASELINE_LANES: Final = (1, 8, 64, 128)
LANES: Final = (1, 8, 64, 512, 2048, 8192, 16_384)
DEVICE_LANES: Final = (1024, 2048, 4096, 8192, 16_384, 32_768, 65_536)
STYLES: Final = ("grouped", "specialised")
LAYOUTS: Final = ("env_major", "tile32")
STAGES: Final[tuple[Stage, ...]] = ("emulate_only", "full_step")
LADDER: Final = {"E1": "ALU_LOOP", "E2": "JOY_DIVERGE_PERSIST", "E3": "MEM_RWB", "E4": "GRID_GOAL"}
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
    cores = _one_core(setting, options.quick)
    results = _run_points(_points(setting, options.quick, not_run), not_run)
    summary = _summary(cores, results)
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
                best[side] = max(best[side], _number(point, "frames_per_sec"))
        rates = {f"{side}_frames_per_sec": rate for side, rate in best.items()}
        rows.append({"rom": name, **rates, "ratio": best["rust"] / best["pyboy"]})
    return rows


Point = tuple[str, str, int, Stage, Setting, Callable[[], Runner]]


def _points(setting: Setting, quick: bool, not_run: list[str]) -> Iterator[Point]:
    """Everything that is measured over the whole host: experiment, ROM, lanes, stage, setting, runner."""
    cores = usable_cores()
    roms = ("JOY_DIVERGE_PERSIST", "GRID_GOAL") if quick else ROMS
    for name in roms:
        rom = rom_named(name)
        for stage in STAGES if not quick else STAGES[1:]:
            for lanes in (1, 8) if quick else BASELINE_LANES:
                yield "", name, lanes, stage, setting, _baseline(rom, lanes, stage, setting, cores)
            for lanes in (1, 64) if quick else LANES:
                yield "", name, lanes, stage, setting, _native(rom, lanes, stage, setting, threads=cores)
    yield from _ladder(setting, 64 if quick else 2048, partial(_native, threads=cores))
    if not quick:
        yield "", "ALU_LOOP", 64, "emulate_only", setting, _warp_cpu(rom_named("ALU_LOOP"), setting)
    else:
        not_run.append("warp_cpu: left out of the quick form")
    if not _has_gpu():
        not_run.append("warp_cuda: no CUDA device here")
        return
    for name in roms:
        for style in STYLES:
            for layout in LAYOUTS:
                for lanes in DEVICE_LANES[:: 3 if quick else 1]:
                    for stage in STAGES:
                        build = _device(rom_named(name), lanes, stage, setting, style=style, layout=layout)
                        yield "", name, lanes, stage, setting, build
    yield from _ladder(setting, 32_768, partial(_device, style=STYLES[0], layout=LAYOUTS[1]))


def _ladder(
    setting: Setting, lanes: int, build: Callable[[RomUnderTest, int, Stage, Setting], Callable[[], Runner]]
) -> Iterator[Point]:
    """E0 to E4, and the control of E2."""
    empty = _empty_rom()
    yield "E0", empty.name, lanes, "emulate_only", setting, build(empty, lanes, "emulate_only", setting)
    for experiment, name in LADDER.items():
        stage: Stage = "full_step" if experiment == "E4" else "emulate_only"
        yield experiment, name, lanes, stage, setting, build(rom_named(name), lanes, stage, setting)
    control = no_keys(setting)
    name = LADDER["E2"]
    yield "E2 control", name, lanes, "emulate_only", control, build(rom_named(name), lanes, "emulate_only", control)


def _empty_rom() -> RomUnderTest:
    """A ROM that traps at once: a step of it is nothing but the call."""
    a = Asm("EMPTY")
    a("start: db $D3")
    return RomUnderTest("EMPTY", a.build(), is_free=True)


def _native(rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, *, threads: int) -> Callable[[], Runner]:
    return lambda: LanesRunner("rust", rom, lanes, stage, setting, min(threads, lanes))


def _warp_cpu(rom: RomUnderTest, setting: Setting) -> Callable[[], Runner]:
    return lambda: LanesRunner("warp_cpu", rom, 64, "emulate_only", setting, 1)


def _baseline(rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, workers: int) -> Callable[[], Runner]:
    return lambda: PyboyWorkers(rom, lanes, stage, setting, workers)


def _device(
    rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, *, style: str, layout: str
) -> Callable[[], Runner]:
    def build() -> Runner:
        from consoles.device_runner import DeviceRunner

        return DeviceRunner(rom, lanes, stage, setting, style=style, layout=layout)

    return build


def _run_points(points: Iterator[Point], not_run: list[str]) -> list[JsonObject]:
    rows: list[JsonObject] = []
    for experiment, name, lanes, stage, setting, build in track(
        list(points), description="sweep and ladder", console=Console(stderr=True)
    ):
        rom = _empty_rom() if name == "EMPTY" else rom_named(name)
        try:
            rows.append(measure_point(build(), rom, lanes, stage, setting, experiment=experiment))
        except (TierUnavailable, MissingExtra, MemoryError) as error:
            not_run.append(f"{name}, {lanes} lanes, {stage}: {error}")
    return rows


def _has_gpu() -> bool:
    try:
        import torch
    except ModuleNotFoundError:
        return False
    return bool(torch.cuda.is_available())


def _device_facts() -> JsonObject:
    if not _has_gpu():
        return {"pyboy": PYBOY_VERSION, "gpu": None}
    import torch

    gpu = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda}
    return {"pyboy": PYBOY_VERSION, **gpu}


def _number(row: JsonObject, name: str) -> float:
    value = row[name]
    assert isinstance(value, int | float)
    return float(value)


def _best(results: list[JsonObject], **wanted: JsonValue) -> float | None:
    rates = [
        _number(row, "frames_per_sec")
        for row in results
        if all(row.get(name) == value for name, value in wanted.items())
    ]
    return max(rates, default=None)


def _summary(cores: list[JsonObject], results: list[JsonObject]) -> JsonObject:
    spent = {side: sum(1.0 / _number(row, f"{side}_frames_per_sec") for row in cores) for side in ("rust", "pyboy")}
    mix = spent["pyboy"] / spent["rust"]
    keys, control = (_best(results, experiment=name, backend="rust") for name in ("E2", "E2 control"))
    full = {
        side: _best(results, rom=LADDER["E4"], stage="full_step", backend=side)
        for side in ("rust", "pyboy", "warp_cuda")
    }
    device, baseline = full["warp_cuda"], full["pyboy"]
    return {
        "per_core_ratio_of_the_mix": mix,
        "per_core_ratio_least": min(_number(row, "ratio") for row in cores),
        "goal_per_core": GOAL_PER_CORE,
        "divergent_share_of_control": None if not keys or not control else keys / control,
        "goal_divergence": GOAL_DIVERGENCE,
        "full_step_best_frames_per_sec": dict(full),
        "device_ratio_to_pyboy": None if device is None or not baseline else device / baseline,
        "pass": mix >= GOAL_PER_CORE,
    }


def _print_tables(
    console: Console, cores: list[JsonObject], results: list[JsonObject], summary: JsonObject, not_run: list[str]
) -> None:
    table = Table("ROM", "native", "PyBoy", "ratio", title="one core with pictures, frames/s of processor time")
    for row in cores:
        rates = [f"{_number(row, f'{side}_frames_per_sec'):,.0f}" for side in ("rust", "pyboy")]
        table.add_row(str(row["rom"]), *rates, f"{_number(row, 'ratio'):.1f}")
    console.print(table)
    table = Table("", "ROM", "stage", "backend", "lanes", "frames/s", "× real time", "PCs per 32", title="whole host")
    for row in results:
        divergence = row["divergence"]
        block = f"{_number(divergence, 'distinct_pcs_per_block'):.1f}" if isinstance(divergence, dict) else ""
        build = "/".join(str(row[name]) for name in ("backend", "style", "layout") if name in row)
        rates = [f"{_number(row, name):,.0f}" for name in ("lanes", "frames_per_sec", "realtime_multiple")]
        table.add_row(str(row["experiment"]), str(row["rom"]), str(row["stage"]), build, *rates, block)
    console.print(table)
    console.print(
        f"native tier on one core: {_number(summary, 'per_core_ratio_of_the_mix'):.2f}× PyBoy on the mix, "
        f"{_number(summary, 'per_core_ratio_least'):.2f}× at least (goal {GOAL_PER_CORE:g}×)"
    )
    for reason in not_run:
        console.print(f"not run: {reason}")


if __name__ == "__main__":
    sys.exit(main())
