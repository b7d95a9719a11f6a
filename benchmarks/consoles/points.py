"""One point of the benchmark: warm up, measure, and everything that is reported about it."""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from consoles.runners import Runner
from consoles.setting import FRAMES_PER_SECOND, SYNC_EVERY, Setting, Stage
from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.harness.subjects import RomUnderTest

RECEIPT_SAMPLES = 5
BLOCK = 32
LEAST_STEPS = 2
MOST_QUEUED_SECONDS = 0.25


def measure_point(
    runner: Runner,
    rom: RomUnderTest,
    lanes: int,
    stage: Stage,
    setting: Setting,
    *,
    experiment: str = "",
    clock: Callable[[], float] = time.perf_counter,
) -> JsonObject:
    """Measure a runner and switch it off.

    Args:
        runner: What is measured.
        rom: What it runs.
        lanes: How many consoles.
        stage: What a step includes.
        setting: Lengths, schedule and keys.
        experiment: Step of the ladder that the point belongs to.
        clock: Seconds; processor time where single cores are compared.
    """
    receipts: list[tuple[float, float]] = []
    try:
        began = clock()
        runner.step(setting.actions.actions(-setting.warm_up_steps, lanes))
        runner.finish()
        first_step = clock() - began
        began = clock()
        for step in range(1 - setting.warm_up_steps, 0):
            runner.step(setting.actions.actions(step, lanes))
        runner.finish()
        sync_every = _steps_between_waits((clock() - began) / max(setting.warm_up_steps - 1, 1))
        counted = runner.instructions()
        seconds, taken = 0.0, 0
        sampled = set(np.linspace(0, max(setting.steps - 1, 0), RECEIPT_SAMPLES).astype(int).tolist())
        keys = [setting.actions.actions(step, lanes) for step in range(min(setting.steps, SYNC_EVERY))]
        while taken < setting.steps and (seconds < setting.seconds or taken < LEAST_STEPS):
            began = clock()
            runner.step(keys[taken % len(keys)])
            if (taken + 1) % sync_every == 0 or taken + 1 == setting.steps or taken in sampled:
                runner.finish()
            seconds += clock() - began
            if taken in sampled:
                receipts += _receipt(runner.pcs())
            taken += 1
        began = clock()
        runner.finish()
        seconds += clock() - began
        executed = runner.instructions()
        return _row(
            runner, rom, lanes, stage, setting, experiment, seconds, taken, first_step, receipts, (counted, executed)
        )
    finally:
        runner.close()


def _steps_between_waits(step_seconds: float) -> int:
    """Return as many as fit into what a device may have queued, so that a point's time limit holds there too."""
    return max(1, min(SYNC_EVERY, int(MOST_QUEUED_SECONDS / max(step_seconds, 1e-9))))


def _row(
    runner: Runner,
    rom: RomUnderTest,
    lanes: int,
    stage: Stage,
    setting: Setting,
    experiment: str,
    seconds: float,
    steps: int,
    first_step: float,
    receipts: list[tuple[float, float]],
    counts: tuple[int | None, int | None],
) -> JsonObject:
    total = steps * lanes / seconds
    frames = total * setting.schedule.frames_per_step
    before, after = counts
    return {
        "experiment": experiment,
        "rom": rom.name,
        "rom_sha256": rom.sha256,
        "stage": stage,
        "actions": setting.actions.describe(),
        "lanes": lanes,
        **runner.build,
        "steps": steps,
        "seconds": seconds,
        "total_sps": total,
        "per_env_sps": total / lanes,
        "frames_per_sec": frames,
        "realtime_multiple": frames / FRAMES_PER_SECOND,
        "instructions_per_sec": None if before is None or after is None else (after - before) / seconds,
        "state_bytes_per_lane": runner.state_bytes(),
        "compile_seconds": runner.compile_seconds,
        "first_step_seconds": first_step,
        "divergence": None
        if not receipts
        else {
            "distinct_pcs_per_lane": float(np.mean([share for share, _ in receipts])),
            "distinct_pcs_per_block": float(np.mean([block for _, block in receipts])),
            "block": BLOCK,
            "samples": len(receipts),
        },
    }


def _receipt(pcs: NDArray[np.int64] | None) -> list[tuple[float, float]]:
    """Distinct program counters by lane, and their mean number in a block of neighboring lanes."""
    if pcs is None:
        return []
    blocks = [len(np.unique(pcs[start : start + BLOCK])) for start in range(0, len(pcs), BLOCK)]
    return [(len(np.unique(pcs)) / len(pcs), float(np.mean(blocks)))]
