"""Which points are measured: by part, ROM, stage, lanes and build."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from consoles.device_build import DeviceBuild
from consoles.pyboy_workers import PyboyWorkers
from consoles.runners import LanesRunner, Runner
from consoles.setting import ROMS, Setting, Stage, no_keys, rom_named
from diorama.engine.system_facts import usable_cores
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.kernel.options import Layout, Style

BASELINE_LANES: Final = (1, 8, 64, 128)
LANES: Final = (1, 8, 64, 512, 2048, 8192, 16_384)
DEVICE_LANES: Final = (1024, 2048, 4096, 8192, 16_384, 32_768, 65_536)
DEFAULT_BUILD: Final = DeviceBuild()
OTHER_BUILDS: Final = (
    DeviceBuild(layout=Layout.ENV_MAJOR),
    DeviceBuild(style=Style.SPECIALISED),
    DeviceBuild(style=Style.SPECIALISED, layout=Layout.ENV_MAJOR),
    DeviceBuild(max_registers=0),
    DeviceBuild(max_registers=64),
    DeviceBuild(max_registers=96),
    DeviceBuild(block=32),
    DeviceBuild(block=128),
)
STAGES: Final[tuple[Stage, ...]] = ("emulate_only", "full_step")
LADDER: Final = {"E1": "ALU_LOOP", "E2": "JOY_DIVERGE_PERSIST", "E3": "MEM_RWB", "E4": "GRID_GOAL"}

Point = tuple[str, str, int, Stage, Setting, Callable[[], Runner]]


def points(setting: Setting, quick: bool, parts: Sequence[str], not_run: list[str]) -> Iterator[Point]:
    """Everything that is measured over the whole machine: experiment, ROM, lanes, stage, setting, runner."""
    roms = ("JOY_DIVERGE_PERSIST", "GRID_GOAL") if quick else ROMS
    baseline_lanes = BASELINE_LANES[:2] if quick else BASELINE_LANES
    if "host" in parts:
        yield from _host_points(setting, quick, roms, baseline_lanes, not_run)
    if "device" not in parts:
        return
    if not has_gpu():
        not_run.append("warp_cuda: no CUDA device here")
        return
    if "host" not in parts:
        yield from _baseline_points(LADDER["E4"], "full_step", baseline_lanes, setting)
    yield from _device_points(setting, roms, DEVICE_LANES[:: 3 if quick else 1])


def _host_points(
    setting: Setting, quick: bool, roms: Sequence[str], baseline_lanes: Sequence[int], not_run: list[str]
) -> Iterator[Point]:
    cores = usable_cores()
    for name in roms:
        for stage in STAGES if not quick else STAGES[1:]:
            yield from _baseline_points(name, stage, baseline_lanes, setting)
            for lanes in (1, 64) if quick else LANES:
                yield "", name, lanes, stage, setting, _native(rom_named(name), lanes, stage, setting, threads=cores)
    yield from _ladder(setting, 64 if quick else 2048, partial(_native, threads=cores))
    if not quick:
        yield "", "ALU_LOOP", 64, "emulate_only", setting, _warp_cpu(rom_named("ALU_LOOP"), setting)
    else:
        not_run.append("warp_cpu: left out of the quick form")


def _baseline_points(name: str, stage: Stage, lane_counts: Sequence[int], setting: Setting) -> Iterator[Point]:
    for lanes in lane_counts:
        yield "", name, lanes, stage, setting, _baseline(rom_named(name), lanes, stage, setting, usable_cores())


def _device_points(setting: Setting, roms: Sequence[str], lane_counts: Sequence[int]) -> Iterator[Point]:
    """The default build by ROM, stage and lanes; the other builds on the ROMs of E1, E2 and E4 with the most lanes."""
    for name in roms:
        for stage in STAGES:
            for lanes in lane_counts:
                yield "", name, lanes, stage, setting, _device(rom_named(name), lanes, stage, setting)
    for build in OTHER_BUILDS:
        for name in (LADDER["E1"], LADDER["E2"], LADDER["E4"]):
            point = _device(rom_named(name), lane_counts[-1], "full_step", setting, build)
            yield "", name, lane_counts[-1], "full_step", setting, point
    yield from _ladder(setting, 32_768, _device)


def _ladder(
    setting: Setting, lanes: int, build: Callable[[RomUnderTest, int, Stage, Setting], Callable[[], Runner]]
) -> Iterator[Point]:
    """E0 to E4, and the control of E2."""
    empty = empty_rom()
    yield "E0", empty.name, lanes, "emulate_only", setting, build(empty, lanes, "emulate_only", setting)
    for experiment, name in LADDER.items():
        stage: Stage = "full_step" if experiment == "E4" else "emulate_only"
        yield experiment, name, lanes, stage, setting, build(rom_named(name), lanes, stage, setting)
    control = no_keys(setting)
    name = LADDER["E2"]
    yield "E2 control", name, lanes, "emulate_only", control, build(rom_named(name), lanes, "emulate_only", control)


def empty_rom() -> RomUnderTest:
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
    rom: RomUnderTest, lanes: int, stage: Stage, setting: Setting, build: DeviceBuild = DEFAULT_BUILD
) -> Callable[[], Runner]:
    def open_runner() -> Runner:
        from consoles.device_runner import DeviceRunner

        return DeviceRunner(rom, lanes, stage, setting, build)

    return open_runner


def has_gpu() -> bool:
    """Tell whether torch sees one."""
    try:
        import torch
    except ModuleNotFoundError:
        return False
    return bool(torch.cuda.is_available())
