"""Live worlds in processes of their own that are killed, and what they leave."""

import json
import random
import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from diorama.operate.live.journal.segments import segments
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.snapshots.loading import open_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph
from diorama.storage.atomic_files import UNFINISHED
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import open_live_world
from tests.processes import PATIENCE_SECONDS, kill, running

AUTOSAVE_TICKS = 100


def living(root: Path, world: str, *flags: str) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """Run a live world until the block ends; what it says goes to the file beside its folder."""
    where = ("--root", str(root), "--autosave", str(AUTOSAVE_TICKS))
    return running(log_of(root), "live", world, *where, *flags)


def log_of(root: Path) -> Path:
    """Return the file that gets what the world of a folder says."""
    return root.with_suffix(".log")


def logged_tick(root: Path) -> int:
    """Return how far the log of the only world below a folder has come; 0 while there is none."""
    folders = list((root / "journals").glob("*"))
    try:
        known = segments(folders[0]) if folders else []
        return known[-1].header.base.tick + sum(1 for _ in known[-1].lines()) if known else 0
    except FileNotFoundError:  # an old part of it was removed meanwhile
        return 0


def wait_for_tick(process: "subprocess.Popen[bytes]", root: Path, tick: int) -> None:
    """Wait until the log has come so far; reading it must succeed all the while."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while logged_tick(root) < tick:
        assert process.poll() is None, f"the world ended by itself, with {process.returncode}"
        assert time.monotonic() < deadline, f"tick {tick} was not reached, the log is at {logged_tick(root)}"
        time.sleep(0.002)


def check_files(root: Path) -> None:
    """Read everything that a killed process left."""
    for path in (root / "snapshots").rglob("*.json.gz"):
        if UNFINISHED not in path.name:
            open_snapshot(path, MigrationGraph())
    for folder in (root / "journals").iterdir():
        for segment in segments(folder):
            list(segment.lines())


def continued(root: Path, world: str, **more: Any) -> LiveRuntime:
    """Continue a killed world in this process, once whoever held the folder has gone."""
    check_files(root)
    runtime = open_live_world(root, world, resume=True, autosave_ticks=AUTOSAVE_TICKS, **more)
    check_files(root)
    return runtime


def kill_again_and_again(directory: Path, world: str, policy: str, *, rounds: int, chance: random.Random) -> list[int]:
    """Kill a live world at random ticks; continued, it must be what it would be had it never been killed.

    Returns:
        At which ticks it was killed.
    """
    directory.mkdir(parents=True, exist_ok=True)
    root, runs, seed = directory / "killed", directory / "runs", chance.randrange(1 << 16)
    if policy == "novice":
        untrained_policy(runs, world)
    flags: tuple[str, ...] = ("--policy", policy, "--seed", str(seed))
    ticks: list[int] = []
    for _ in range(rounds):
        with living(root, world, "--no-server", "--speed", "max", "--run-root", str(runs), *flags) as process:
            wait_for_tick(process, root, (ticks[-1] if ticks else 0) + chance.randrange(20, 350))
            time.sleep(chance.random() * 0.05)  # not always at the end of a tick
            kill(process)
        check_files(root)
        ticks.append(logged_tick(root))
        flags = ("--resume",)

    again = continued(root, world, run_root=runs)
    whole = open_live_world(
        directory / "whole", world, policy=policy, seed=seed, run_root=runs, autosave_ticks=AUTOSAVE_TICKS
    )
    while whole.world.clock.tick < again.world.clock.tick:
        whole.run_ticks(1)
    _assert_same(again, whole)
    for runtime in (again, whole):
        runtime.run_ticks(50)
    _assert_same(again, whole)
    again.close()
    whole.close()
    told = list((root / "telemetry").glob("*.ndjson"))
    assert told, "the world has told nothing"
    for path in told:
        for line in path.read_bytes().splitlines():
            json.loads(line)
    return ticks


def _assert_same(one: LiveRuntime, other: LiveRuntime) -> None:
    assert one.world.clock == other.world.clock
    assert one.world.state_hash() == other.world.state_hash()
    assert one.world.save() == other.world.save()
    assert one.monitor.export() == other.monitor.export()
    assert one.promotion.export() == other.promotion.export()
    assert one.publisher.export() == other.publisher.export()
    assert one._services.decider.export() == other._services.decider.export()
