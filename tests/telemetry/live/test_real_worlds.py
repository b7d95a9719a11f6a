"""Real worlds under random decisions, told to somebody slow and to a file in privacy mode."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.world import LiveWorld, Selection
from diorama.operate.live.batch_world.offer import live_offer
from diorama.telemetry.live.merge_patch import is_same
from diorama.telemetry.live.plain_values import plain_state
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.reader import LiveState, read_lines
from diorama.telemetry.live.transports.file import FileTransport
from diorama.worlds.registry import load_world

TICKS = 2000
SETTINGS = Telemetry(privacy_mode=True, privacy_salt_env="SALT")


def decided(world: LiveWorld, luck: np.random.Generator) -> Selection:
    ends = np.cumsum([len(head.options) for head in world.spec.heads])[:-1]
    masks = [np.split(row, ends) for row in world.view().masks]
    actions = [[int(luck.choice(np.flatnonzero(head))) if head.any() else 0 for head in row] for row in masks]
    return Selection(actions=np.array(actions, np.int32))


@pytest.mark.slow
@pytest.mark.parametrize("world_id", ["townlet", "prospector", "tidebreak"])
def test_a_real_world_is_rebuilt_by_whoever_is_slow_and_names_nobody(world_id: str, tmp_path: Path) -> None:
    registered = load_world(world_id)
    config = registered.config_type()
    offer = live_offer(registered, config)
    open_world, hidden_world = (offer.open(config, None, 5) for _ in range(2))
    path = tmp_path / "live.ndjson"
    publisher = TelemetryPublisher(open_world, "run", Telemetry(), offer.events, None, ())
    hider = TelemetryPublisher(hidden_world, "run", SETTINGS, offer.events, "salt", [FileTransport(path)])
    spectator, state = publisher.subscribe(), LiveState()
    luck = np.random.default_rng(1)
    for tick in range(TICKS):
        for world, teller in ((open_world, publisher), (hidden_world, hider)):
            world.schedule()
            world.decide(decided(world, np.random.default_rng(tick)))
            world.resolve()
            world.settle()
            events = world.take_events()
            teller.publish(events, world.narrate(events), {})
        if luck.random() < 0.1:
            while (message := spectator.next(0.0)) is not None:
                assert state.apply(msgspec.json.decode(message))
            told = {name: block for name, block in state.state.items() if name != "transport"}
            assert is_same(told, plain_state(open_world.blocks()))
        for world in (open_world, hidden_world):
            world.advance()
    hider.close()
    publisher.close()

    with path.open("rb") as file:
        hidden = LiveState()
        assert all(hidden.apply(message) for message in read_lines(file))
    data = path.read_bytes()
    assert [word for person in hidden_world.people() for word in person if word.encode() in data] == []
