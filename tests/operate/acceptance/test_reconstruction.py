"""Every world live: what a file, a spectator and whoever is slow were told adds up to the state, exactly."""

from pathlib import Path

import msgspec
import pytest

from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.telemetry import Telemetry, Transport
from diorama.contracts.values import JsonValue
from diorama.operate.live.runtime import LiveRuntime
from diorama.telemetry.live.merge_patch import is_same
from diorama.telemetry.live.plain_values import plain_state
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.subscription import Subscription
from diorama.worlds.registry import world_ids
from tests.operate.acceptance.followers import Followed
from tests.operate.live.runtimes import open_live_world

WORLDS = ("prospector", "tidebreak", "gameboy", "townlet")
LONG = {"prospector": 350_000, "tidebreak": 350_000, "gameboy": 250_000, "townlet": 50_000, "morphogenesis": 400}
CHECK_EVERY = 50


def _told(runtime: LiveRuntime) -> JsonValue:
    return runtime.publisher.latest_snapshot()["state"]


def _read(subscription: Subscription, state: LiveState) -> None:
    while (message := subscription.next(0.0)) is not None:
        assert state.apply(msgspec.json.decode(message))


@pytest.mark.parametrize("world", WORLDS)
def test_a_file_and_a_spectator_know_the_state(world: str, tmp_path: Path) -> None:
    telemetry = Telemetry(transport=Transport(type="file", file_path="told.ndjson"), snapshot_every=70)
    runtime = open_live_world(tmp_path, world, settings=LiveSettings(telemetry=telemetry), seed=5)
    subscription, seen, written = runtime.publisher.subscribe(), LiveState(), LiveState()

    for _ in range(3):
        runtime.run_ticks(CHECK_EVERY)
        _read(subscription, seen)
        assert is_same(seen.state, _told(runtime))
        if world != "townlet":  # it tells some blocks every few ticks only; its own tests know which
            truth = plain_state(runtime.world.blocks())
            assert is_same({name: seen.state[name] for name in truth}, truth)
        subscription.resync()
    told = _told(runtime)
    runtime.close()

    for line in (tmp_path / "told.ndjson").read_bytes().splitlines():
        written.apply(msgspec.json.decode(line))
    assert is_same(written.state, told)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("world", world_ids())
def test_a_million_random_ticks_of_mixed_worlds_add_up(world: str) -> None:
    assert sum(LONG.values()) >= 1_000_000
    seed = 0
    ticks = 0
    while ticks < LONG[world]:
        seed += 1
        followed = Followed(world, seed)
        while followed.ticks < LONG[world] / 10:
            followed.run(followed.chance.randrange(1, 2 * CHECK_EVERY))
        ticks += followed.ticks
