"""The publisher as a runtime uses it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import LiveEvent, Narration, Priority
from diorama.contracts.live.settings.telemetry import Buffer, Telemetry
from diorama.contracts.live.settings.telemetry import Transport as Settings
from diorama.contracts.values import JsonObject
from diorama.telemetry.live.event_schemas import catalogue_schema
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.reader import LiveState, read_lines
from diorama.telemetry.live.schemas import SCHEMA_FOLDER, message_schema, shipped_documents
from diorama.telemetry.live.service_events import SERVICE_EVENTS, service_event
from tests.telemetry.live.factories import Gate
from tests.telemetry.live.random_world import CATALOGUE, RandomWorld

FIELDS = ["schema_version", "world", "run_id", "config_id", "seq", "payload_type", "tick", "day", "tod"]


@pytest.fixture
def world() -> RandomWorld:
    return RandomWorld(11)


@pytest.fixture
def publisher(world: RandomWorld) -> Iterator[TelemetryPublisher]:
    publisher = TelemetryPublisher(world.as_live(), "run", Telemetry(snapshot_every=5), CATALOGUE, None, ())
    yield publisher
    publisher.close()


def all_of(subscription: Any) -> list[dict[str, Any]]:
    messages = []
    while (message := subscription.next(0.0)) is not None:
        messages.append(msgspec.json.decode(message))
    return messages


def stumble(events: Sequence[JsonObject]) -> None:
    raise ZeroDivisionError("a mistake of the subscriber")


def story(tick: int, key: str = "k") -> Narration:
    return Narration(tick=tick, category="operator_story", message="Hear!", is_priority=True, dedupe_key=key)


def test_a_file_tells_the_world_from_its_first_tick(world: RandomWorld, tmp_path: Path) -> None:
    path = tmp_path / "live.ndjson"
    settings = Telemetry(
        transport=Settings(file_path=str(path)), snapshot_every=50, buffer=Buffer(max_buffer_bytes=1 << 24)
    )
    publisher = TelemetryPublisher(world.as_live(), "run", settings, CATALOGUE, None)
    for _ in range(120):
        world.step()
        publisher.publish(world.events(), world.narrations(), {"kpis": {"current": {"calm": 0.5}}})
    told = publisher.latest_snapshot()["state"]
    publisher.close()

    with path.open("rb") as file:
        messages: list[dict[str, Any]] = list(read_lines(file))
    state = LiveState()
    is_message = jsonschema_rs.validator_for(dict(message_schema()))
    is_event = jsonschema_rs.validator_for(dict(catalogue_schema("all", (*SERVICE_EVENTS, *CATALOGUE))))
    for message in messages:
        is_message.validate(message)
        for event in message["events"]:
            is_event.validate(event)
        assert state.apply(message)
    assert state.state == told
    assert [message["seq"] for message in messages] == list(range(120))
    assert [message["seq"] for message in messages if message["payload_type"] == "snapshot"] == [0, 50, 100]
    assert [*messages[1]][: len(FIELDS)] == FIELDS
    assert [*messages[1]][len(FIELDS) :] == ["base_seq", "state", "events", "narrations", "aggregated"]


def test_the_world_is_asked_only_while_somebody_listens(
    world: RandomWorld, publisher: TelemetryPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def ask() -> dict[str, Any]:
        asked.append(1)
        return {}

    monkeypatch.setattr(world, "changes", ask)
    monkeypatch.setattr(world, "blocks", ask)
    for _ in range(5):
        world.step()
        publisher.publish((), (), {})
    nobody = len(asked)
    publisher.subscribe()
    publisher.publish((), (), {})

    assert (nobody, len(asked)) == (0, 1)


def test_a_newcomer_to_a_paused_world_is_served(world: RandomWorld, publisher: TelemetryPublisher) -> None:
    world.step()
    publisher.publish((), (), {})
    spectator = publisher.subscribe(frozenset({"scene", "agents"}))
    before = all_of(spectator)
    publisher.heartbeat()
    (snapshot,) = all_of(spectator)

    assert before == []
    assert set(snapshot["state"]) == {"scene", "agents"}


def test_a_snapshot_can_be_asked_for_from_elsewhere_though_nobody_listens(
    world: RandomWorld, publisher: TelemetryPublisher
) -> None:
    publisher.publish((), (), {})
    world.step()
    answers: list[Any] = []
    is_asked = Event()

    def ask() -> None:
        is_asked.set()
        answers.append(publisher.latest_snapshot(frozenset({"map"})))

    thread = Thread(target=ask)
    thread.start()
    is_asked.wait(30.0)
    while thread.is_alive():
        publisher.heartbeat()
        thread.join(0.01)

    (answer,) = answers
    assert (answer["tick"], answer["payload_type"], answer["schema_version"]) == (world.tick, "snapshot", "0.3.0")
    assert answer["state"] == {"map": {"tiles": [[0, 1], [1, 0]]}}


def test_events_are_numbered_within_their_tick_and_followed_without_gaps_unnoticed(
    world: RandomWorld, publisher: TelemetryPublisher
) -> None:
    heard: list[Any] = []
    publisher.register_event_subscriber(heard.append)
    publisher.register_event_subscriber(stumble)  # must not harm the others
    event = LiveEvent(name="arrived", tick=1, priority=Priority.P0, fields={"agent_id": "citizen_000"})
    publisher.publish([event, event], (), {})
    publisher.publish([event], (), {})
    publisher.publish((), (), {})
    follower = publisher.follow_events(0)
    first, second = follower.next(0.0), follower.next(0.0)
    publisher._history.forget()
    publisher.publish([event], (), {})
    gap, third = publisher.follow_events(1).next(0.0), follower.next(0.0)

    assert first is not None
    assert second is not None
    told: list[Mapping[str, Any]] = [first, second]
    assert [item["seq_in_tick"] for batch in told for item in batch["events"]] == [0, 1, 2]
    assert (first["seq"], second["seq"]) == (0, 1)
    assert gap == {"type": "gap", "from_seq": 1, "to_seq": 2}
    assert third == {"type": "gap", "from_seq": 2, "to_seq": 2}
    assert [len(batch) for batch in heard] == [2, 1, 1]


def test_a_story_is_told_once_or_held_back(world: RandomWorld, publisher: TelemetryPublisher) -> None:
    spectator = publisher.subscribe()
    answers = [publisher.announce(story(0)), publisher.announce(story(0))]
    publisher.publish((), [story(0)], {})
    (message,) = all_of(spectator)

    assert answers == [True, False]
    assert [item["message"] for item in message["narrations"]] == ["Hear!"]
    assert publisher.health()["narrations_throttled"] == 2


def test_the_end_is_told_without_the_tick_it_ends_in(world: RandomWorld, publisher: TelemetryPublisher) -> None:
    spectator = publisher.subscribe()
    publisher.publish((), (), {})
    world.step(changes=50)
    failure = service_event("loop_failure", world.tick, tick=world.tick, stage=4, error="E: x", snapshot_path=None)
    publisher.publish_failure(failure)

    snapshot, last = all_of(spectator)

    assert last["state"] == {}
    assert last["events"][0]["event"] == "loop_failure"
    assert last["base_seq"] == snapshot["seq"]


def test_a_load_begins_with_a_fresh_snapshot_and_the_limiter_remembers(
    world: RandomWorld, publisher: TelemetryPublisher
) -> None:
    publisher.announce(story(0))
    other = TelemetryPublisher(RandomWorld(12).as_live(), "run", Telemetry(), CATALOGUE, None, ())
    spectator = other.subscribe()
    other.publish((), (), {})
    other.load(publisher.export())
    other.publish((), (), {})

    assert [message["payload_type"] for message in all_of(spectator)] == ["snapshot", "snapshot"]
    assert not other.announce(story(1))
    with pytest.raises(SnapshotError, match="narration"):
        other.load({})


def test_a_dead_transport_delays_no_tick_and_shows_in_the_health(world: RandomWorld) -> None:
    gate = Gate()
    gate.is_open.clear()
    settings = Telemetry(buffer=Buffer(max_buffer_bytes=1024))
    publisher = TelemetryPublisher(world.as_live(), "run", settings, CATALOGUE, None, [gate])
    spectator = publisher.subscribe(frozenset({"transport"}))
    publisher.publish((), (), {})
    assert gate.is_reached.wait(60), "nothing is queued before the first message is on its way"
    for _ in range(400):
        world.step()
        publisher.publish(world.events(), (), {})
    told = all_of(spectator)
    gate.is_open.set()
    publisher.close()

    state = LiveState()
    for message in told:
        assert state.apply(message)
    final: dict[str, Any] = state.state
    transport = final["transport"]
    assert transport["dropped"] > 0
    assert sum(transport["events_dropped"].values()) > 0
    assert transport["transports"]["gate"]["queue_length"] >= 1


def test_hot_settings_take_effect_at_once(world: RandomWorld, publisher: TelemetryPublisher) -> None:
    spectator = publisher.subscribe()
    publisher.publish((), (), {})
    publisher.apply_settings(Telemetry(snapshot_every=1))
    publisher.publish((), (), {})

    assert [message["payload_type"] for message in all_of(spectator)] == ["snapshot", "snapshot"]


def test_the_shipped_schemas_are_those_of_the_models() -> None:
    shipped = {path.name: path.read_text() for path in SCHEMA_FOLDER.iterdir()}

    assert shipped == dict(shipped_documents()), "renew them with: python -m diorama.telemetry.live.schemas"
    for text in shipped.values():
        jsonschema_rs.validator_for(json.loads(text))


def test_an_event_with_other_fields_than_its_catalogue_says_is_refused() -> None:
    with pytest.raises(Exception, match="has the fields alert, threshold, value; given were alert"):
        service_event("stability_alert_raised", 3, alert="x")


def test_a_writer_that_is_killed_leaves_a_readable_file(tmp_path: Path) -> None:
    path = tmp_path / "live.ndjson"
    path.write_bytes(b'{"a":1}\n\n{"a":2}\n{"a":')

    with path.open("rb") as file:
        assert [message["a"] for message in read_lines(file)] == [1, 2]


class HeldLock:
    """A lock that a stuck spectator holds for good: whoever asks for it here would wait for ever."""

    def __enter__(self) -> None:
        raise AssertionError("the world's thread waits for a spectator")

    def __exit__(self, *_: object) -> None:
        """Never reached."""


def test_telling_waits_for_no_lock_that_a_spectator_holds(
    world: RandomWorld, publisher: TelemetryPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    audience = publisher._audience
    spectators = [publisher.subscribe(blocks) for blocks in (None, frozenset({"scene"}), frozenset({"agents"}))]
    publisher.publish((), (), {})
    assert spectators[0].next(0.0) is not None
    for keeper in (audience, *spectators):
        monkeypatch.setattr(keeper, "_lock", HeldLock())

    for _ in range(20):
        world.step()
        publisher.publish(world.events(), world.narrations(), {})
        publisher.heartbeat()
    publisher.publish_failure(service_event("loop_failure", 1, tick=1, stage=4, error="E: x", snapshot_path=None))

    monkeypatch.undo()
    state = LiveState()
    for message in all_of(spectators[0]):
        state.apply(message)
    assert state.seq == publisher.health()["seq"] == 21
