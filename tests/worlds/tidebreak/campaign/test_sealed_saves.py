"""Saves whose checksum is right and whose contents are not: refused, or played like any other."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from diorama.contracts.errors import DioramaError, DocumentError
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.worlds.tidebreak.campaign import Campaign, campaign_view
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    """The state of a campaign at war in which a good deal has happened."""
    campaign = Campaign(seed=8, player=None, fight=quick_fight)
    declare_war(campaign.state, "dominion", "accord", cause=None)
    campaign.advance(30)
    document: dict[str, Any] = json.loads(campaign.to_text())["state"]
    return document


def sealed(state: dict[str, Any]) -> str:
    return canonical_json({"format": "campaign.v1", "sha256": sha256_hex(canonical_json(state)), "state": state})


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Name everything that has a value of its own; of lists and of things by id, the first and the last."""
    if isinstance(value, dict):
        keys = list(value)
        for key in keys if len(keys) < 40 else (keys[0], keys[-1]):
            yield from places(value[key], (*way, key))
    elif isinstance(value, list):
        for place in sorted({0, len(value) - 1}) if value else ():
            yield from places(value[place], (*way, place))
    else:
        yield way


def changed(state: dict[str, Any], way: tuple[Any, ...], value: object) -> dict[str, Any]:
    copy = deepcopy(state)
    part: Any = copy
    for key in way[:-1]:
        part = part[key]
    part[way[-1]] = value
    return copy


def load_and_play(document: dict[str, Any]) -> None:
    """Do with a save what a server does; anything but an error of ours is a failure."""
    try:
        campaign = Campaign.from_text(sealed(document), fight=quick_fight)
        campaign_view(campaign)
        campaign.advance(1)
        campaign_view(campaign)
        campaign.to_text()
    except DioramaError:
        pass


@pytest.mark.parametrize(
    ("way", "value"),
    [
        pytest.param(("player",), "nobody", id="player"),
        pytest.param(("hubs", 0, "owner"), "nobody", id="owner"),
        pytest.param(("fleets", 0, "node"), "nowhere", id="place-of-a-fleet"),
        pytest.param(("fleets", 0, "ships", 0), "ghost", id="ship"),
        pytest.param(("lanes", 0, "a"), "nowhere", id="lane"),
        pytest.param(("factions", 0, "capital"), "nowhere", id="capital"),
        pytest.param(("relations", 0, "b"), "nobody", id="relation"),
        pytest.param(("hubs", 0, "population"), 1e300, id="no-number"),
    ],
)
def test_what_is_not_there_cannot_be_named(state: dict[str, Any], way: tuple[Any, ...], value: object) -> None:
    with pytest.raises(DocumentError) as refused:
        Campaign.from_text(sealed(changed(state, way, value)), fight=quick_fight)

    assert refused.value.code == "campaign_damaged"


def test_a_hull_class_that_is_not_there_is_refused(state: dict[str, Any]) -> None:
    ship_id = next(iter(state["ships"]))

    with pytest.raises(DocumentError, match="hull class 'rowboat'"):
        Campaign.from_text(sealed(changed(state, ("ships", ship_id, "class_id"), "rowboat")), fight=quick_fight)


def test_a_table_that_lacks_a_row_is_refused(state: dict[str, Any]) -> None:
    stock = dict(state["hubs"][0]["stock"])
    stock.popitem()

    with pytest.raises(DocumentError, match="stock: has no"):
        Campaign.from_text(sealed(changed(state, ("hubs", 0, "stock"), stock)), fight=quick_fight)


def test_some_changes_of_a_save_are_refused_or_played(state: dict[str, Any]) -> None:
    ways = list(places(state))
    for way in random.Random(5).sample(ways, 12):
        load_and_play(changed(state, way, "nowhere"))


@pytest.mark.slow
@pytest.mark.parametrize("value", ["nowhere", -1, 10**15, 0.5, None])
def test_every_change_of_a_save_is_refused_or_played(state: dict[str, Any], value: object) -> None:
    for way in places(state):
        load_and_play(changed(state, way, value))
