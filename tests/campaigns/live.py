"""Live worlds that are killed, and live worlds whose disk is full for a while."""

import random
import time
from pathlib import Path
from typing import Any

from diorama.operate.live.journal.segments import segments
from tests.campaigns.disks import small_disk
from tests.campaigns.processes import PATIENCE_SECONDS, address_in, ask, kill, running
from tests.operate.live.test_kill import check_files, continued, newest, reference

WORLDS = ("prospector", "townlet")
LIVELY = ("--speed", "max", "--seed", "5")


def killed_live(directory: Path, *, rounds: int, seed: int) -> dict[str, Any]:
    """Kill live worlds at random ticks; continued, each is where it would be had it never been killed."""
    return {world: _killed(directory / world, world, rounds, random.Random(seed)) for world in WORLDS}


def _killed(directory: Path, world: str, rounds: int, chance: random.Random) -> list[int]:
    root = directory / "killed"
    root.mkdir(parents=True)
    flags: tuple[str, ...] = (*LIVELY, "--autosave", "100")
    ticks: list[int] = []
    for _ in range(rounds):
        log = directory / "live.log"
        with running(log, "live", world, "--root", str(root), "--no-server", *flags) as process:
            _wait_for_tick(root, (ticks[-1] if ticks else 0) + chance.randrange(20, 300))
            time.sleep(chance.random() * 0.05)
            kill(process)
        check_files(root)
        ticks.append(_last_tick(root))
        flags = ("--resume", "--speed", "max", "--autosave", "100")
    again = continued(root, world)
    whole = reference(directory / "whole", world, again.world.clock.tick, seed=5, autosave_ticks=100)
    assert again.world.save() == whole.world.save()
    again.close()
    whole.close()
    return ticks


def full_disk_live(directory: Path) -> dict[str, Any]:
    """Fill the disk under a live town with a server: it ticks and answers all the while, and is saved afterwards."""
    with small_disk(directory / "disk", "16m") as disk:
        root = disk.directory / "live"
        log = directory / "live.log"
        flags = ("--root", str(root), "--port", "0", "--speed", "10x", "--autosave", "50", "--seed", "5")
        with running(log, "live", "townlet", *flags) as process:
            url = address_in(log, process)
            _wait_for_tick(root, 60)
            ballast = disk.fill()
            filled_at = _tick(url)
            unsaved_at = _wait_for_told(url, filled_at + 200)
            assert process.poll() is None, log.read_text()
            assert "lives on and is saved when there is room" in log.read_text()
            ballast.unlink()
            _wait_for_told(url, unsaved_at + 120)
            assert "the world is saved again" in log.read_text()
            _wait_for_tick(root, unsaved_at)
            kill(process)
        check_files(root)
        again = continued(root, "townlet")
        kept = again.world.clock.tick
        assert kept > unsaved_at
        again.run_ticks(5)
        again.close()
    return {"filled_at_tick": filled_at, "lived_unsaved_until_tick": unsaved_at, "continued_at_tick": kept}


def _tick(url: str) -> int:
    status, world = ask(f"{url}/api/v1/worlds/townlet")
    assert status == 200, world
    return int(world["tick"])


def _wait_for_told(url: str, tick: int) -> int:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (now := _tick(url)) < tick:
        assert time.monotonic() < deadline, f"the world stands still at tick {now}"
        time.sleep(0.05)
    return now


def _last_tick(root: Path) -> int:
    segment = newest(root)
    return 0 if segment is None else segment.header.base.tick + sum(1 for _ in segment.lines())


def _wait_for_tick(root: Path, tick: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not any((root / "journals").glob("*/*.jsonl")) or _last_tick(root) < tick:
        assert time.monotonic() < deadline, f"no tick {tick} was logged: {[*segments(root)]}"
        time.sleep(0.005)
