"""Belts that cannot be: both tiers refuse their snapshots in words that quote the value."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import MAX_ASTEROIDS, MAX_NODES
from diorama.worlds.prospector.reference.constants import (
    CARGO_MAX,
    ESCAPE_TICKS,
    FUEL_MAX,
    RICHNESS_RANGE,
    TRAVEL_TICKS_MAX,
)
from diorama.worlds.prospector.reference.simulation import ProspectorSimulation
from diorama.worlds.prospector.reference.state import State
from tests.worlds.spoiled import Spoiled

NAN = float("nan")
UNCOUNTABLE = 1 << 32


def _set(field: str, value: object) -> Callable[[State], None]:
    """Set a field of the belt, of a part of it, or of an entry of a list in it."""

    def change(state: State) -> None:
        *parts, name = field.split(".")
        holder: object = state
        for part in parts:
            holder = holder[int(part)] if isinstance(holder, list) else getattr(holder, part)
        if isinstance(holder, list):
            holder[int(name)] = value
        else:
            setattr(holder, name, value)

    return change


def _select_too_much(state: State) -> None:
    state.ship.node = 1
    state.ship.selection = len(state.nodes[1].asteroids)


def _lose_nodes(state: State) -> None:
    del state.nodes[2:]


def _settle_the_station(state: State) -> None:
    state.nodes[0].asteroids = [replace(state.nodes[1].asteroids[0])]


def _crowd(state: State) -> None:
    rocks = state.nodes[1].asteroids
    state.nodes[1].asteroids = [replace(rocks[0]) for _ in range(MAX_ASTEROIDS + 1)]


@pytest.fixture(scope="module")
def spoiled() -> Spoiled[ProspectorSimulation]:
    config = ProspectorConfig()
    simulation = ProspectorSimulation(config)
    simulation.reset(5)
    return Spoiled("prospector", config, simulation)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(_set("ticks", -1), "ticks is -1; it must be 0 to 4294967295", id="ticks"),
        pytest.param(_set("time_remaining", -0.5), "time_remaining is -0.5; it must be 0", id="time"),
        pytest.param(_lose_nodes, "node.count is 2; it must be", id="too-few-nodes"),
        pytest.param(_set("ship.node", MAX_NODES), f"node is {MAX_NODES}; it must be 0 to", id="nowhere"),
        pytest.param(
            _set("ship.selection", MAX_ASTEROIDS), f"selection is {MAX_ASTEROIDS}; it must be", id="selection"
        ),
        pytest.param(
            _select_too_much,
            r"asteroid \d+ is selected; node 1 has \d+|selection is \d+; it must be -1 to",
            id="selects-what-is-not-there",
        ),
        pytest.param(_set("nodes.0.kind", 1), "type.* is 1; it must be 0 to 0", id="no-station"),
        pytest.param(_set("nodes.1.kind", 3), "type.* is 3; it must be 1 to 2", id="kind"),
        pytest.param(_set("nodes.1.hazard", 1.5), "hazard.* is 1.5; it must be 0", id="hazard"),
        pytest.param(_set("nodes.1.pirate", NAN), "(?i)nan; it must be.* finite", id="pirates"),
        pytest.param(_set("nodes.1.hops", MAX_NODES), f"hops.* is {MAX_NODES}; it must be 0 to", id="hops"),
        pytest.param(_set("nodes.0.edges.0.neighbor", MAX_NODES), "neighbor.* is 32; it must be -1", id="neighbor"),
        pytest.param(
            _set("nodes.0.edges.0.travel_ticks", TRAVEL_TICKS_MAX + 1),
            f"travel.time.* is {TRAVEL_TICKS_MAX + 1}; it must be",
            id="far",
        ),
        pytest.param(_settle_the_station, "asteroid.count is 1; it must be 0 to 0", id="rocks-at-the-station"),
        pytest.param(_crowd, f"asteroid.count is {MAX_ASTEROIDS + 1}; it must be", id="too-many-rocks"),
        pytest.param(
            _set("nodes.1.asteroids.0.richness", RICHNESS_RANGE[1] + 0.5),
            f"richness is {RICHNESS_RANGE[1] + 0.5}; it must be",
            id="richness",
        ),
        pytest.param(_set("nodes.1.asteroids.0.depletion", 1.5), "depletion is 1.5; it must be 0", id="depletion"),
        pytest.param(_set("ship.fuel", FUEL_MAX + 0.5), f"fuel.* is {FUEL_MAX + 0.5}; it must be 0", id="fuel"),
        pytest.param(_set("ship.credits", float("inf")), "inf; it must be.* finite", id="credits"),
        pytest.param(_set("ship.cargo.0", CARGO_MAX + 0.5), f"cargo is {CARGO_MAX + 0.5}; it must be 0", id="cargo"),
        pytest.param(_set("ship.decoys", -1), "decoys is -1; it must be 0 to", id="decoys"),
        pytest.param(_set("ship.escape_ticks", ESCAPE_TICKS + 1), f"escape.* is {ESCAPE_TICKS + 1}; it", id="escape"),
        pytest.param(_set("market.price.0", 0.0), "price is 0(.0)?; it must be", id="price"),
        pytest.param(_set("market.period.0", 0.5), "period is 0.5; it must be", id="period"),
        pytest.param(_set("market.inventory.0", -0.5), "inventory is -0.5; it must be 0", id="inventory"),
        pytest.param(_set("counters.scan_count", UNCOUNTABLE), "scan_count is 4294967296; it must", id="uncountable"),
        pytest.param(_set("counters.fuel_used", NAN), "(?i)fuel_used .*nan; it must be.* finite", id="unmeasurable"),
    ],
)
def test_a_belt_that_cannot_be_is_refused_by_both_tiers(
    spoiled: Spoiled[ProspectorSimulation], spoil: Callable[[State], None], words: str
) -> None:
    spoiled.assert_refused(lambda found: spoil(found.state), words)
