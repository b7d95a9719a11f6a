"""Everything at once against a whole live town: commands, sinks that fail, snapshots, reloads of nonsense."""

import gc
import json
import random
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.config import parse_config
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.rehearsals.theater import CALLERS
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.live.town import LiveTown
from tests.worlds.townlet.chaos import check_town, random_command

WARM_UP_TICKS = 25_000
"""Then everything of which only the newest is kept is full: the last 4 MiB of events above all, answers, layouts.

Before, the memory grows because they fill; the number of objects stands still afterwards.
"""
STORM_TICKS = 10_000
PAGE_BYTES = 4096
NONSENSE = ("a: [", "{}}", "rewards: 7", "world: {population: -1}", "\x00", "- 1")


@contextmanager
def _silent_listener() -> Iterator[str]:
    """Somebody who lets others connect and reads nothing, so that whoever sends is stopped by a full buffer."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def _dead_end() -> str:
    """An address at which nobody listens any more."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"


def _config(blocking: str) -> dict[str, Any]:
    plain = {"type": "tcp", "enable_tls": False, "allow_plaintext": True, "send_timeout_seconds": 0.05}
    return {
        "features": {"stages": {"relationships": "C1", "social_rewards": "C1"}},
        "lifecycle": {"max_exits_per_day": 50, "exit_cooldown_ticks": 0},
        "telemetry": {
            "transport": [{**plain, "endpoint": blocking}, {**plain, "endpoint": _dead_end()}],
            "buffer": {"max_buffer_bytes": 20_000},
            "retry": {"max_attempts": 1, "backoff_seconds": 0.0, "breaker_open_seconds": 0.01},
        },
        "snapshot": {"retain": 2},
    }


class Storm:
    """A live town, and somebody who does everything to it."""

    def __init__(self, root: Path, endpoint: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.path = root / "town.yaml"
        self.good = yaml.safe_dump(_config(endpoint))
        self.path.write_text(self.good)
        world = load_world("townlet")
        config = parse_config("townlet", world.config_type, yaml.safe_load(self.good))
        self.runtime = LiveRuntime.open(
            world, config, self.path, root=root / "live", seed=seed, speed="max", autosave_ticks=100
        )
        assert isinstance(self.runtime.world, LiveTown)
        self.town = self.runtime.world
        self.outcomes: dict[str, int] = {}
        self._count = 0
        self._is_saved = False

    def tick(self) -> None:
        """Let something happen, and a tick pass; nothing may break."""
        answers = [self.runtime.desk.submit(order, CALLERS["admin"]) for order in self._orders()]
        self.runtime.run_ticks(1)
        for answer in answers:
            told = answer.result(timeout=0)
            error = told.get("error")
            outcome = str(error["code"]) if isinstance(error, Mapping) else "ok"
            assert outcome != "internal", told
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        self.path.write_text(self.good)
        check_town(self.town.town)

    def _orders(self) -> list[dict[str, Any]]:
        luck = self.chance.random()
        if luck < 0.01:
            return [self._order("spawn") for _ in range(3)]
        if luck < 0.02:
            self._is_saved = True
            return [self._order("snapshot_save", "storm")]
        if luck < 0.03 and self._is_saved:
            return [self._order("snapshot_load", "storm")]
        if luck < 0.05:
            self.path.write_text(self.chance.choice(NONSENSE))
            return [self._order("config_reload")]
        if luck < 0.4:
            self._count += 1
            return [{**random_command(self.town.town, self.chance), "cmd_id": f"storm-{self._count}"}]
        return []

    def _order(self, name: str, *args: object) -> dict[str, Any]:
        self._count += 1
        return {"name": name, "args": list(args), "cmd_id": f"storm-{self._count}"}


@contextmanager
def _storm(root: Path, seed: int) -> Iterator[Storm]:
    with _silent_listener() as endpoint:
        storm = Storm(root, endpoint, seed)
        yield storm
        # Not a number is no JSON: the strict encoder would raise.
        json.dumps(storm.runtime.publisher.latest_snapshot(), allow_nan=False)
        json.dumps(storm.town.save(), allow_nan=False)
        health = storm.runtime.publisher.health()
        assert isinstance(health["dropped"], int)
        assert health["dropped"] > 0
        assert storm.runtime.monitor.latest_stability_alerts()
        storm.runtime.close()


def test_a_live_town_survives_a_storm(tmp_path: Path) -> None:
    with _storm(tmp_path, seed=3) as storm:
        for _ in range(300):
            storm.tick()

    assert {"ok", "invalid_args", "conflict"} <= set(storm.outcomes)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ten_thousand_ticks_of_storm_leave_no_trace_in_the_memory(tmp_path: Path) -> None:
    with _storm(tmp_path, seed=4) as storm:
        for _ in range(WARM_UP_TICKS):
            storm.tick()
        bytes_before, blocks_before = _resident_bytes(), sys.getallocatedblocks()
        for _ in range(STORM_TICKS):
            storm.tick()
        assert _resident_bytes() < 1.05 * bytes_before
        # Pages come and go with the allocator's mood; a leak shows in what is allocated, however small it is.
        assert sys.getallocatedblocks() < 1.02 * blocks_before


def _resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES
