"""A killed live world: whatever the moment, every file is whole, and it goes on where it was."""

import json
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.engine.whole_files import UNFINISHED
from diorama.operate.live.journal.segments import Segment, segments
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.snapshots.loading import open_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import open_live_world

TOKEN = "a-token-for-olga-0123"
TOWN = {
    "config_id": "killed",
    "features": {"console": {"mode": "admin"}},
    "rewards": {},
    "console_auth": {"enabled": True, "tokens": [{"label": "olga", "role": "admin", "token": TOKEN}]},
    "console": {"rate_limit_per_minute": 1000000},
}


@contextmanager
def living(root: Path, world: str, *flags: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a live world in a process of its own, which does not outlive the block."""
    command = [sys.executable, "-m", "diorama.cli", "live", world, "--root", str(root), "--autosave", "100", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def newest(root: Path) -> Segment | None:
    """Return the newest part of the only run's log; None if there is none, or an old one was removed meanwhile."""
    folders = list((root / "journals").glob("*"))
    try:
        known = segments(folders[0]) if folders else []
    except FileNotFoundError:
        return None
    return known[-1] if known else None


def wait_for_tick(process: "subprocess.Popen[str]", root: Path, tick: int) -> None:
    """Wait until the log has come so far; reading it must succeed all the while."""
    while process.poll() is None:
        segment = newest(root)
        if segment is not None and segment.header.base.tick + sum(1 for _ in segment.lines()) >= tick:
            return
        time.sleep(0.002)
    raise AssertionError(f"the world ended by itself: {process.stdout.read() if process.stdout else ''}")


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
    runtime = open_live_world(root, world, resume=True, autosave_ticks=100, **more)
    check_files(root)
    return runtime


def reference(root: Path, world: str, tick: int, **more: Any) -> LiveRuntime:
    """Live up to the same tick without a break."""
    runtime = open_live_world(root, world, **more)
    while runtime.world.clock.tick < tick:
        runtime.run_ticks(1)
    return runtime


@pytest.mark.e2e
def test_a_world_killed_at_a_random_tick_is_continued_where_it_was(tmp_path: Path) -> None:
    chance = random.Random(20_261_116)
    killed = tmp_path / "killed"
    with living(killed, "prospector", "--no-server", "--speed", "max", "--seed", "5") as process:
        wait_for_tick(process, killed, chance.randrange(50, 600))
        process.send_signal(signal.SIGKILL)
        process.wait()

    again = continued(killed, "prospector")

    whole = reference(tmp_path / "whole", "prospector", again.world.clock.tick, seed=5)
    assert again.world.clock == whole.world.clock
    assert again.world.state_hash() == whole.world.state_hash()
    again.run_ticks(20)
    again.close()
    for line in (killed / "telemetry/live.ndjson").read_text().splitlines():
        json.loads(line)


CAMPAIGN: list[Any] = [
    pytest.param("townlet", "scripted", 7, id="town-1"),
    pytest.param("townlet", "scripted", 4099, id="town-2"),
    pytest.param("townlet", "novice", 23, id="recurrent-town"),
    pytest.param("prospector", "prudent_hauler", 31, id="script-with-memory"),
    pytest.param("prospector", "novice", 8191, id="recurrent-pilot"),
    pytest.param("tidebreak", "ambusher", 5, id="fleet"),
    pytest.param("gameboy", "random", 13, id="random-keys"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("world", "policy", "seed"), CAMPAIGN)
def test_a_world_killed_again_and_again_equals_one_that_never_was(
    world: str, policy: str, seed: int, tmp_path: Path
) -> None:
    chance, killed, runs = random.Random(seed), tmp_path / "killed", tmp_path / "runs"
    if policy == "novice":
        untrained_policy(runs, world)
    flags: tuple[str, ...] = ("--policy", policy, "--seed", str(seed))
    tick = 0
    for _ in range(6):
        with living(killed, world, "--no-server", "--speed", "max", "--run-root", str(runs), *flags) as process:
            tick += chance.randrange(20, 350)
            wait_for_tick(process, killed, tick)
            time.sleep(chance.random() * 0.05)  # not always at the end of a tick
            process.send_signal(signal.SIGKILL)
            process.wait()
        check_files(killed)
        flags = ("--resume",)

    again = continued(killed, world, run_root=runs)

    whole = reference(
        tmp_path / "whole", world, again.world.clock.tick, policy=policy, seed=seed, run_root=runs, autosave_ticks=100
    )
    for _ in range(2):
        assert again.world.save() == whole.world.save()
        assert again.monitor.export() == whole.monitor.export()
        assert again.promotion.export() == whole.promotion.export()
        assert again._services.decider.export() == whole._services.decider.export()
        again.run_ticks(50)
        whole.run_ticks(50)
    again.close()
    for path in (killed / "telemetry").glob("*.ndjson"):
        for line in path.read_bytes().splitlines():
            json.loads(line)


@pytest.mark.slow
def test_no_command_that_was_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    chance = random.Random(11)
    config, killed = tmp_path / "town.yaml", tmp_path / "killed"
    config.write_text(yaml.safe_dump(TOWN))
    answered: dict[str, Any] = {}
    resume: tuple[str, ...] = ()
    for attempt in range(3):
        with living(killed, "townlet", "--config", str(config), "--port", "0", "--speed", "10x", *resume) as process:
            url = _address(process)
            for number in range(chance.randrange(5, 40)):
                cmd_id = f"{attempt}-{number}"
                answered[cmd_id] = _give(url, cmd_id, round(chance.uniform(0.1, 2.0), 3))
            process.send_signal(signal.SIGKILL)
            process.wait()
        check_files(killed)
        resume = ("--resume",)

    with living(killed, "townlet", "--config", str(config), "--port", "0", "--speed", "pause", *resume) as process:
        url = _address(process)
        for cmd_id, before in answered.items():
            assert _give(url, cmd_id, before["args"][1])["answer"] == {**before["answer"], "replayed": True}


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            return line.split()[-1]
    raise AssertionError("the world did not say where it is")


def _give(url: str, cmd_id: str, price: float) -> dict[str, Any]:
    envelope = {"name": "price", "args": ["meal_cost", price], "cmd_id": cmd_id}
    request = urllib.request.Request(
        f"{url}/api/v1/worlds/townlet/console",
        json.dumps(envelope).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return {"args": envelope["args"], "answer": json.load(answer)}
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read()) from error
