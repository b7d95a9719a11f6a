from collections.abc import Mapping

import pytest

from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.events import SCHEMAS, EventKind
from diorama.worlds.townlet.live.catalogue import EVENTS
from diorama.worlds.townlet.live.narrating.narrator import Narrator
from diorama.worlds.townlet.live.recording import TickNotes
from diorama.worlds.townlet.render.sentences import SENTENCES
from tests.worlds.townlet.live.live_towns import LIVELY, Watched, quiet, watched

JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def fits(value: JsonValue, schema: JsonObject) -> bool:
    """Whether a value is of a schema, as far as the catalogue's schemas go."""
    options = schema.get("enum")
    if isinstance(options, list):
        return value in options
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return any(isinstance(value, JSON_TYPES[str(kind)]) for kind in kinds)


def eventful() -> Watched:
    live = watched(LIVELY)
    live.command("perturbation_trigger", "price_spike", duration=40)
    live.command("set_rel", "citizen_003", "citizen_004", rivalry=1.0)
    live.run(120)
    live.command("utility", "water", "off", duration=20)
    live.command("kill", "citizen_002")
    return live.run(160)


def test_every_event_is_told_as_its_catalogue_says() -> None:
    kinds = {kind.name: kind for kind in EVENTS}

    events = eventful().events

    assert len({event.name for event in events}) > 12
    for event in events:
        kind = kinds[event.name]
        assert event.priority is kind.priority
        assert list(event.fields) == [field.name for field in kind.fields]
        for field in kind.fields:
            assert fits(event.fields[field.name], field.schema), (event, field)


def test_the_catalogue_holds_every_event_of_the_town_with_its_priority() -> None:
    assert [kind.name for kind in EVENTS] == [kind.name.lower() for kind in EventKind]
    assert [kind.priority for kind in EVENTS] == [Priority(SCHEMAS[kind].priority) for kind in EventKind]
    assert set(SENTENCES) <= set(EventKind)


def test_what_happens_is_told_in_sentences() -> None:
    live = eventful()

    categories = {narration.category for narration in live.narrations}

    assert categories >= {"arrival", "exit", "perturbation", "utility_outage", "sleep_complete", "queue_conflict"}
    arrival, left = live.told("arrival")[0], live.told("exit")[0]
    assert arrival.message.startswith("Ada comes to town")
    assert set(arrival.people) == {"citizen_000", "Ada"}
    assert not arrival.is_priority
    assert left.is_priority
    assert left.data["reason"] == "killed"
    assert all(narration.is_priority for narration in live.told("perturbation"))


def test_an_outage_is_told_as_one() -> None:
    live = quiet()
    live.command("utility", "power", "off", duration=2)

    live.run(4)

    assert [narration.message for narration in live.told("utility_outage")] == [
        "The power is out",
        "The power is back",
    ]


def test_a_new_tie_growing_trust_and_great_trust_are_told_once_for_both() -> None:
    live = quiet()

    def befriend(trust: float) -> list[tuple[str, bool, str]]:
        live.command("set_rel", "citizen_000", "citizen_001", trust=trust)
        told = len(live.narrations)
        live.run(1)
        return [
            (narration.message, narration.is_priority, narration.dedupe_key)
            for narration in live.narrations[told:]
            if narration.category == "relationship_friendship"
        ]

    first, small, grown, trusted, bosom = (befriend(trust) for trust in (0.1, 0.2, 0.4, 0.62, 0.9))

    assert [entry[0] for entry in first] == [
        "Ada and Bram get to know each other",
        "Bram and Ada get to know each other",
    ]
    assert len({entry[2] for entry in first}) == 1
    assert not small
    assert grown[0][:2] == ("Ada and Bram grow closer", False)
    assert trusted[0][:2] == ("Ada has come to trust Bram", False)
    assert bosom[0][:2] == ("Ada has come to trust Bram", True)


@pytest.mark.parametrize(
    ("rivalry", "is_priority"), [pytest.param(0.75, False, id="new"), pytest.param(1.0, True, id="bitter")]
)
def test_a_rivalry_is_told_when_it_begins(rivalry: float, is_priority: bool) -> None:
    live = quiet()
    live.command("set_rel", "citizen_000", "citizen_002", rivalry=rivalry)

    live.run(3)

    told = live.told("relationship_rivalry")
    assert [narration.is_priority for narration in told] == [is_priority] * 2
    assert told[0].data["rivalry"] == pytest.approx(rivalry)


def test_good_company_is_told_of_those_who_love_it() -> None:
    live = quiet({"personalities": {"distribution": {"socialite": 1}}})
    live.command("force_chat", "citizen_000", "citizen_001", quality=0.9)
    live.command("force_chat", "citizen_001", "citizen_000", quality=0.1)

    live.run(1)

    told = live.told("personality_event")
    assert [narration.data["speaker"] for narration in told] == ["citizen_000"]
    assert "loves company" in told[0].message


@pytest.mark.parametrize(
    ("profile", "categories"),
    [
        pytest.param("stoic", {"relationship_social_alert", "personality_event"}, id="tolerant-of-nothing"),
        pytest.param("balanced", {"relationship_social_alert"}, id="like-everybody"),
    ],
)
def test_keeping_out_of_somebodys_way_is_told(profile: str, categories: set[str]) -> None:
    town = quiet({"personalities": {"distribution": {profile: 1}}}).live.town

    told = Narrator().tell(town, {}, [], TickNotes(avoided=[0]))

    assert {narration.category for narration in told} == categories


def test_events_of_the_services_are_passed_over() -> None:
    foreign = LiveEvent(name="config_reloaded", tick=1, priority=Priority.P0, fields={"paths": []})

    assert quiet().live.narrate([foreign]) == []
