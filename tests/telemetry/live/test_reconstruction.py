"""Whatever is folded, dropped, lost or asked for again: a reader ends up with exactly the state that was told."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from diorama.contracts.live.settings.telemetry import Backpressure, Buffer, Telemetry
from diorama.telemetry.live.merge_patch import JsonDict, is_same
from diorama.telemetry.live.plain_values import plain_state
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.subscription import Subscription
from diorama.telemetry.live.telling import framed
from diorama.telemetry.live.transport_outbox import TransportOutbox
from tests.telemetry.live.random_world import CATALOGUE, RandomWorld

SALT = "salt of the earth"
SIZES = (1024, 20_000)
PRESSURES = (
    Backpressure(),
    Backpressure(aggregate_at=0.0),
    Backpressure(aggregate_at=1.0),
    Backpressure(drop_events_at=0.1),
    Backpressure(policy="block", block_timeout_seconds=0.0),
)


class SlowReader:
    """Somebody who reads from an outbox when it pleases them, and loses messages now and then."""

    def __init__(self, outbox: TransportOutbox, rng: random.Random) -> None:
        self.outbox = outbox
        self.state = LiveState()
        self.p0_seen: list[dict[str, Any]] = []
        self._rng = rng

    def read_some(self) -> None:
        packets = self.outbox.take(self._rng.randrange(1, 5), 0.0)
        if packets and self._rng.random() < 0.1:
            self.outbox.lose(packets)
        else:
            self._apply([packet.data for packet in packets])

    def read_all(self) -> None:
        while packets := self.outbox.take(100, 0.0):
            self._apply([packet.data for packet in packets])

    def _apply(self, messages: list[bytes]) -> None:
        for message in map(msgspec.json.decode, messages):
            assert self.state.apply(message), "no message may be sent that does not fit"
            self.p0_seen += [event for event in message.get("events", ()) if event["priority"] == "P0"]


class Theater:
    """A publisher with readers of all kinds around it, in one thread."""

    def __init__(self, seed: int, readers: Sequence[SlowReader], rng: random.Random) -> None:
        self.rng = rng
        self.world = RandomWorld(seed)
        settings = Telemetry(snapshot_every=37)
        self.publisher = TelemetryPublisher(self.world.as_live(), "run", settings, CATALOGUE, SALT, transports=())
        self.readers = readers
        self.spectators: list[tuple[Subscription, LiveState]] = [
            (self.publisher.subscribe(blocks), LiveState())
            for blocks in (None, frozenset({"agents"}), frozenset({"*", "scene"}))
        ]
        self.p0_told: list[dict[str, Any]] = []

    def step(self) -> None:
        self.world.step()
        events = self.world.events()
        services: JsonDict = {"health": {"ticks": self.world.tick, "idle": None}, "kpis": {"current": {"calm": 1 / 3}}}
        if self.rng.random() < 0.2:
            services["console_results"] = {"results": [self.world.tick]}
        self.publisher.publish(events, self.world.narrations(), services)
        moment = self.publisher._audience.feed.now  # the outboxes here stand for transports without their threads
        assert moment is not None
        self.p0_told += [event.line for event in moment.news.events if event.line["priority"] == "P0"]
        for reader in self.readers:
            reader.outbox.offer(moment)
            if self.rng.random() < 0.3:
                reader.read_some()
        for subscription, state in self.spectators:
            self._watch(subscription, state)

    def settle(self) -> None:
        for reader in self.readers:
            reader.read_all()
        for subscription, state in self.spectators:
            while (message := subscription.next(0.0)) is not None:
                assert state.apply(msgspec.json.decode(message))

    def check(self) -> None:
        snapshot: Mapping[str, Any] = self.publisher.latest_snapshot()
        told: dict[str, Any] = snapshot["state"]
        own = {name: block for name, block in told.items() if name in self.world.state}
        assert is_same(own, plain_state(self.world.state))
        for reader in self.readers:
            assert is_same(reader.state.state, told)
        everything, agents, with_scene = (state.state for _, state in self.spectators)
        assert is_same(everything, told)
        assert is_same(agents, {"agents": told["agents"]})
        assert is_same(with_scene, {**told, "scene": plain_state(framed(self.world.scene()))})

    def _watch(self, subscription: Subscription, state: LiveState) -> None:
        if self.rng.random() < 0.02:
            subscription.resync()
        while self.rng.random() < 0.6:
            message = subscription.next(0.0)
            if message is None:
                return
            assert state.apply(msgspec.json.decode(message))


def play(seed: int, steps: int, check_every: int, pressures: Sequence[Backpressure]) -> Theater:
    rng = random.Random(seed)
    outboxes = [TransportOutbox(Buffer(max_buffer_bytes=size), item) for item in pressures for size in SIZES]
    theater = Theater(seed, [SlowReader(outbox, rng) for outbox in outboxes], rng)
    for number in range(1, steps + 1):
        theater.step()
        if number % check_every == 0:
            theater.settle()
            theater.check()
    theater.settle()
    return theater


def test_snapshots_and_diffs_rebuild_the_state_for_every_reader() -> None:
    theater = play(1, steps=500, check_every=25, pressures=PRESSURES)

    theater.check()
    roomy = [reader for reader in theater.readers if reader.outbox._buffer.max_buffer_bytes == max(SIZES)]
    for reader in roomy:
        assert reader.p0_seen == theater.p0_told, "P0 events arrive, once and in order"
    assert any(reader.outbox.losses.messages for reader in roomy), "nothing was lost: this proves too little"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_million_steps_are_rebuilt(seed: int) -> None:
    theater = play(seed, steps=50_000, check_every=500, pressures=[PRESSURES[seed % len(PRESSURES)]])

    theater.check()
