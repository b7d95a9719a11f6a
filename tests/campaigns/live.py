"""Live worlds that are killed, and live worlds whose disk is full for a while."""

import random
import time
from pathlib import Path
from typing import Any

from tests.campaigns.disks import small_disk
from tests.operate.live.killed_worlds import check_files, continued, kill_again_and_again, wait_for_tick
from tests.processes import PATIENCE_SECONDS, address_in, ask, kill, running

POLICIES = {"prospector": "prudent_hauler", "townlet": "scripted"}


def killed_live(directory: Path, *, rounds: int, seed: int) -> dict[str, Any]:
    """Kill live worlds at random ticks; continued, each is where it would be had it never been killed."""
    return {
        world: kill_again_and_again(directory / world, world, policy, rounds=rounds, chance=random.Random(seed))
        for world, policy in POLICIES.items()
    }


def full_disk_live(directory: Path) -> dict[str, Any]:
    """Fill the disk under a live town with a server: it ticks and answers all the while, and is saved afterwards."""
    with small_disk(directory / "disk", "16m") as disk:
        root = disk.directory / "live"
        log = directory / "live.log"  # not on the disk that is filled
        flags = ("--root", str(root), "--port", "0", "--speed", "10x", "--autosave", "50", "--seed", "5")
        with running(log, "live", "townlet", *flags) as process:
            url = address_in(log, process)
            wait_for_tick(process, root, 60)
            ballast = disk.fill()
            filled_at = _tick(url)
            unsaved_at = _wait_for_told(url, filled_at + 200)
            assert process.poll() is None, log.read_text()
            assert "lives on and is saved when there is room" in log.read_text()
            ballast.unlink()
            _wait_for_told(url, unsaved_at + 120)
            assert "the world is saved again" in log.read_text()
            wait_for_tick(process, root, unsaved_at)
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
