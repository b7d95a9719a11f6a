import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from diorama.contracts.values import JsonObject
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import SELL_PERCENTS, Act
from diorama.worlds.prospector.render import render_state
from tests.worlds.prospector.conftest import Fly


def read_back(picture: JsonObject) -> Any:
    """Return the picture as a client gets it."""
    return json.loads(json.dumps(picture, allow_nan=False))


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item)


def test_a_picture_shows_the_pilots_view(fly: Fly) -> None:
    pilot = fly(seed=42)
    for action in (Act.TRAVEL_NEIGHBOR, Act.SELECT_ASTEROID + 1, Act.STABILIZE_SELECTED):
        pilot.step(action)

    picture = read_back(pilot.batch.render_state(0))

    state = pilot.state
    assert picture["schema_version"] == 1
    assert picture["headline"] == {"net_profit": 0.0, "survival": 1.0}
    assert (picture["time"], picture["node_context"]) == (7, "field")
    assert picture["node"] == {"index": 1, "type": "cluster", "steps_to_station": 1}
    assert picture["observation"] == pytest.approx(pilot.obs.tolist(), abs=5.001e-7)
    assert [rock["slot"] for rock in picture["asteroids"] if rock["selected"]] == [1]
    assert picture["asteroids"][1]["stabilize_ticks"] == 4
    assert picture["neighbors"][0]["type"] == "station"
    assert picture["ship"]["hull"] == round(state.ship.hull, 6)
    assert picture["market"]["price"] == [round(price, 6) for price in state.market.price]


def test_numbers_are_rounded_to_six_decimals_and_fit_json(fly: Fly) -> None:
    pilot = fly(seed=7)
    pilot.step(Act.TRAVEL_NEIGHBOR)

    picture = read_back(pilot.batch.render_state(0))

    shown = np.array(list(numbers(picture)))
    assert len(shown) > 300
    assert (np.round(shown, 6) == shown).all()


def test_the_truth_is_told_only_on_request(fly: Fly) -> None:
    pilot = fly(seed=42)

    told = read_back(render_state(pilot.state, ProspectorConfig(), with_truth=True))

    assert "truth" not in pilot.batch.render_state(0)
    rock = told["truth"]["nodes"][1]["asteroids"][0]
    assert (rock["richness"], rock["stability"]) == (1.706574, 0.099935)


@pytest.mark.parametrize("price_impact", [True, False], ids=["impact", "no-impact"])
def test_a_quote_is_what_the_sale_then_pays(fly: Fly, price_impact: bool) -> None:
    pilot = fly(seed=42, price_impact=price_impact)
    pilot.put(cargo=[0.0, 40.5, 0.0, 80.0, 0.0, 0.25])
    market = pilot.state.market

    quotes = read_back(pilot.batch.render_state(0))["sale_quotes"]

    assert [quote["commodity"] for quote in quotes] == [1, 3, 5]
    for quote in quotes:
        sales = [Act.SELL_COMMODITY + 3 * quote["commodity"] + portion for portion in range(len(SELL_PERCENTS))]
        paid = [read_back(sold.record.event_data)["sell"] for sold in pilot.try_each(sales)]
        assert quote["revenue"] == [round(sale["revenue"], 6) for sale in paid]
        assert [sale["price"] for sale in paid] == [market.price[quote["commodity"]]] * 3
        assert all((sale["slippage"] > 0.0) is price_impact for sale in paid)


def test_sales_are_quoted_where_the_market_is_only_heard_of(fly: Fly) -> None:
    pilot = fly(seed=42)
    pilot.step(Act.TRAVEL_NEIGHBOR)
    pilot.put(cargo=[0.0, 0.0, 10.0, 0.0, 0.0, 0.0])

    (quote,) = read_back(pilot.batch.render_state(0))["sale_quotes"]

    market = pilot.state.market
    ratio = 10.0 / (market.inventory[2] + 10.0)
    expected = 10.0 * market.price[2] * (1.0 - 0.25 * ratio - 0.20 * ratio**0.5)
    assert quote["revenue"][-1] == pytest.approx(expected, abs=1e-6)


def test_an_empty_hold_has_nothing_to_quote(fly: Fly) -> None:
    assert fly(seed=42).batch.render_state(0)["sale_quotes"] == []
