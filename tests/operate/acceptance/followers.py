"""Readers of every kind around a live world that decides at random, and whether each of them knows its state."""

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from diorama.contracts.live.settings.telemetry import Backpressure, Buffer, Telemetry
from diorama.contracts.live.world import LiveWorld, Selection
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.live.batch_world.offer import live_offer
from diorama.telemetry.live.merge_patch import JsonDict, is_same
from diorama.telemetry.live.moments import SCENE, Blocks, chosen
from diorama.telemetry.live.plain_values import plain_state
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.telling import framed
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.worlds.registry import load_world

BUFFER_BYTES = 60_000
LOADED_EVERY = 2000
NEWCOMER_EVERY = 20
SCENE_SHARE = 0.2


def random_selection(world: LiveWorld, luck: np.random.Generator) -> Selection:
    """Choose any option that is allowed, for every seat and head."""
    ends = np.cumsum([len(head.options) for head in world.spec.heads])[:-1]
    rows = [[_any_of(head, luck) for head in np.split(row, ends)] for row in world.view().masks]
    return Selection(actions=np.array(rows, np.int32))


def _any_of(allowed: np.ndarray, luck: np.random.Generator) -> int:
    options = np.flatnonzero(allowed)
    return int(options[luck.integers(len(options))]) if len(options) else 0


class Spectator:
    """Somebody with blocks of their own who reads when it pleases them."""

    def __init__(self, publisher: TelemetryPublisher, blocks: Blocks, share: float) -> None:
        self.blocks = blocks
        self.share = share
        self.state = LiveState()
        self.subscription = publisher.subscribe(blocks)

    def read(self) -> None:
        while (message := self.subscription.next(0.0)) is not None:
            assert self.state.apply(msgspec.json.decode(message)), "no message may be sent that does not fit"


class LossyReader:
    """Somebody behind a small transport that loses messages."""

    def __init__(self, chance: random.Random) -> None:
        self.outbox = TransportOutbox(Buffer(max_buffer_bytes=BUFFER_BYTES), Backpressure(aggregate_at=0.3))
        self.state = LiveState()
        self._chance = chance

    def read(self, *, is_careful: bool) -> None:
        while packets := self.outbox.take(self._chance.randrange(1, 5), 0.0):
            if not is_careful and self._chance.random() < 0.1:
                self.outbox.lose(packets)
                continue
            for packet in packets:
                assert self.state.apply(msgspec.json.decode(packet.data)), "no message may be sent that does not fit"


class Followed:
    """A world, its publisher and all who follow it, in one thread."""

    def __init__(self, world_id: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.luck = np.random.default_rng(seed)
        registered = load_world(world_id)
        config = registered.config_type()
        offer = live_offer(registered, config)
        self.world = offer.open(config, None, seed)
        settings = Telemetry(snapshot_every=self.chance.choice([37, 500]))
        self.publisher = TelemetryPublisher(self.world, "run", settings, offer.events, None, ())
        self.lossy = LossyReader(self.chance)
        names = sorted(self.world.blocks())
        some = frozenset(self.chance.sample(names, k=max(1, len(names) // 3)))
        self.spectators = [Spectator(self.publisher, *kind) for kind in ((None, 0.9), (None, 0.03), (some, 0.3))]
        self.ticks = 0

    def run(self, ticks: int) -> None:
        """Go on for a while, then let everybody catch up and compare what they know."""
        artist = self._artist()
        for _ in range(ticks):
            self._tick()
        self._settle()
        told = self._told()
        truth = plain_state(self.world.blocks())
        assert is_same({name: told[name] for name in truth}, truth), "the world is told as it is"
        assert is_same(self.lossy.state.state, told)
        for spectator in self.spectators:
            known = chosen(told, spectator.blocks)
            if spectator is artist:
                known[SCENE] = plain_state(framed(self.world.scene()))
            assert is_same(spectator.state.state, known)
        if artist is not None:
            artist.subscription.close()
            self.spectators.remove(artist)

    def _artist(self) -> Spectator | None:
        if self.chance.random() >= SCENE_SHARE:
            return None
        self.spectators.append(Spectator(self.publisher, frozenset({"*", SCENE}), 0.5))
        return self.spectators[-1]

    def _tick(self) -> None:
        world = self.world
        if self.ticks:
            world.advance()
        if self.chance.random() < 1 / LOADED_EVERY:
            world.load(world.save())
            self.publisher.start_over()
        world.schedule()
        world.decide(random_selection(world, self.luck))
        world.resolve()
        world.settle()
        events = world.take_events()
        self.publisher.publish(events, world.narrate(events), self._services())
        self.ticks += 1
        self._read_some()

    def _services(self) -> JsonObject:
        results: Sequence[JsonValue] = [self.ticks] if self.chance.random() < 0.1 else []
        return {"health": {"ticks": self.ticks, "idle": None}, "console_results": {"results": results}}

    def _read_some(self) -> None:
        if (moment := self.publisher._audience.feed.now) is not None:  # a transport without its thread
            self.lossy.outbox.offer(moment)
        if self.chance.random() < 0.3:
            self.lossy.read(is_careful=False)
        for spectator in self.spectators:
            if self.chance.random() < spectator.share:
                spectator.read()
            elif self.chance.random() < 0.01:
                spectator.subscription.resync()
        if self.chance.random() < 1 / NEWCOMER_EVERY:
            newcomer = Spectator(self.publisher, None, 1.0)
            newcomer.read()
            newcomer.subscription.close()
            assert is_same(newcomer.state.state, self._told())

    def _settle(self) -> None:
        self.lossy.read(is_careful=True)
        for spectator in self.spectators:
            spectator.read()

    def _told(self) -> JsonDict:
        state = self.publisher.latest_snapshot()["state"]
        assert isinstance(state, dict)
        return state
