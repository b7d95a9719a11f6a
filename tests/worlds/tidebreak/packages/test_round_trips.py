import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from diorama.worlds.tidebreak.codes import Layer, Precipitation, StormProfile
from diorama.worlds.tidebreak.packages import (
    BattlePackage,
    BattleResult,
    document_hash,
    json_schemas,
    read_result,
    to_canonical_json,
)
from diorama.worlds.tidebreak.packages.base import Exchange
from diorama.worlds.tidebreak.packages.ships import CrewSnapshot, ShipState
from diorama.worlds.tidebreak.packages.weather import Storm, Weather
from diorama.worlds.tidebreak.resolve import read_package
from diorama.worlds.tidebreak.scenarios import generate, random_battle
from tests.worlds.tidebreak.samples import changed, demo, full, result

share = st.floats(0.0, 1.0)
meters = st.floats(-1e6, 1e6)
crews = st.builds(CrewSnapshot, crew_count=st.none() | st.integers(1, 1000), gunnery=share, morale=share, fatigue=share)
states = st.builds(
    ShipState,
    x=meters,
    y=meters,
    heading=meters,
    speed=st.floats(0.0, 1e9),
    layer=st.sampled_from(Layer),
    hp=st.none() | st.floats(-1e9, 1e9),
    ammo=st.none() | st.dictionaries(st.integers(0, 11), st.integers(0, 2**53 - 1)),
)
skies = st.builds(Weather, sea_state=st.floats(0.0, 9.0), precipitation=st.sampled_from(Precipitation), lightning=share)
storms = st.builds(
    Storm, x=meters, y=meters, radius=st.floats(1e-6, 1e9), intensity=share, profile=st.sampled_from(StormProfile)
)


def models_in(value: object) -> Iterator[type[Exchange]]:
    if isinstance(value, Exchange):
        yield type(value)
        for name in type(value).model_fields:
            yield from models_in(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from models_in(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from models_in(item)


def subclasses(base: type[BaseModel]) -> set[type[BaseModel]]:
    return {deeper for child in base.__subclasses__() for deeper in (child, *subclasses(child))}


SAMPLES = [
    read_package(demo()).package,
    read_package(full()).package,
    read_package(changed(full(), "map.bathymetry", {"kind": "uniform", "depth_m": 900})).package,
    read_package(changed(full(), "map.currents", {"kind": "none"})).package,
    random_battle(3),
    generate(11, 5).package,
    read_result(result()),
]


@given(crews | states | skies | storms)
def test_parts_survive_json(part: Exchange) -> None:
    assert type(part).model_validate_json(part.model_dump_json()) == part
    assert type(part).model_validate(json.loads(to_canonical_json(part))) == part


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_packages_survive_json_and_reading(seed: int) -> None:
    package = random_battle(seed)

    text = to_canonical_json(package)

    assert read_package(text).package == package
    assert to_canonical_json(read_package(text.encode()).package) == text


@pytest.mark.parametrize("document", SAMPLES, ids=lambda document: document.battle_id)
def test_documents_survive_json(document: BattlePackage | BattleResult) -> None:
    again = type(document).model_validate_json(document.model_dump_json())

    assert again == document
    assert document_hash(again) == document_hash(document)


def test_the_samples_hold_every_model() -> None:
    seen = {model for sample in SAMPLES for model in models_in(sample)}

    assert seen == subclasses(Exchange)


def test_the_canonical_form_has_sorted_keys_and_no_spaces() -> None:
    text = to_canonical_json(read_package(demo()).package)

    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert text.startswith('{"battle_id":"demo-0001","content_hash":null,')


def test_a_document_cannot_be_changed() -> None:
    package = read_package(demo()).package

    with pytest.raises(ValueError, match="frozen"):
        package.seed = 2  # type: ignore[misc]


def test_the_schemas_tell_names_bounds_and_what_is_required() -> None:
    schema = json_schemas()["BattlePackage"]
    definitions = schema["$defs"]

    assert set(schema["required"]) == {
        "schema_version",
        "battle_id",
        "seed",
        "time_limit_s",
        "teams",
        "map",
        "ships",
    }
    assert schema["properties"]["ships"]["maxItems"] == 64
    assert schema["properties"]["seed"]["maximum"] == 2**53 - 1
    assert definitions["ShipState"]["properties"]["layer"]["enum"] == ["SURFACE", "SUBMERGED", "ABYSSAL"]
    assert "end_reason" in json_schemas()["BattleResult"]["required"]
