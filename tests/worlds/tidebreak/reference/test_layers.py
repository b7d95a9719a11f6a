"""Changing depth."""

import pytest

from diorama.worlds.tidebreak.codes import NO_LAYER, ConnectionState, Layer, System, UnitStatus
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, POPPING_UP, STEADY
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.state import Unit
from diorama.worlds.tidebreak.reference.systems.layers import Botch, accepts
from diorama.worlds.tidebreak.reference.systems.physics import speed_limit
from tests.worlds.tidebreak.reference.battles import STILL, Document, arena, events_named, run, ship, unit_of

DOWN = Order(throttle=0.0, rudder=0.0, layer=LayerDirection.DOWN)
UP = Order(throttle=0.0, rudder=0.0, layer=LayerDirection.UP)
POP_UP = Order(throttle=0.0, rudder=0.0, layer=LayerDirection.POP_UP)


def submarine(area: Document | None = None, class_id: str = "attack_sub", layer: str = "SURFACE") -> tuple[Arena, Unit]:
    battle = arena(ship("a", class_id=class_id, layer=layer), area=area)
    return battle, unit_of(battle.battle, "a")


def test_a_dive_takes_its_time_and_counts_as_both_layers() -> None:
    battle, unit = submarine()
    capacity = unit.spec.fuel_capacity_s

    run(battle, 1, a=DOWN)
    assert unit.layer.mode == IN_TRANSIT
    assert unit.layers_mask == 0b011
    assert unit.layer.total == 30
    assert unit.stores.fuel == pytest.approx(capacity * 0.99 - 0.1)
    assert speed_limit(battle.battle, unit) == pytest.approx(0.4 * 10.0)
    run(battle, 28, a=STILL)
    assert unit.layer.mode == IN_TRANSIT
    run(battle, 1, a=STILL)

    assert (unit.layer.mode, unit.layer.layer, unit.layer.target_layer) == (STEADY, Layer.SUBMERGED, NO_LAYER)
    assert unit.tally.transitions == 1
    assert [event.i0 for event in events_named(battle.battle, "TRANSITION_COMPLETE")] == [Layer.SUBMERGED]


def test_bad_weather_and_ballast_make_it_longer() -> None:
    battle, unit = submarine({"weather": {"sea_state": 5.0}})
    unit.hull.systems[System.BALLAST] = 0.5

    run(battle, 1, a=DOWN)

    assert unit.layer.total == 44  # ceil(30 · (1 + 0.08 · 2) · 1.25)


def test_the_opposite_order_turns_a_transit_around() -> None:
    battle, unit = submarine()
    run(battle, 11, a=DOWN)

    run(battle, 1, a=UP)
    assert (unit.layer.layer, unit.layer.target_layer) == (Layer.SUBMERGED, Layer.SURFACE)
    assert unit.layer.elapsed == 30 - 11 + 1
    run(battle, 10, a=STILL)

    assert (unit.layer.mode, unit.layer.layer) == (STEADY, Layer.SURFACE)


def test_repeating_the_order_changes_nothing() -> None:
    battle, unit = submarine()

    run(battle, 10, a=DOWN)

    assert unit.layer.elapsed == 10
    assert unit.memory.invalid_orders == 9


@pytest.mark.parametrize(
    "obstacle", ["surface-hull", "too-shallow", "no-ballast", "grounded", "attached", "surrendered", "deepest"]
)
def test_orders_that_cannot_be_carried_out_are_refused(obstacle: str) -> None:
    area: Document = {"bathymetry": {"kind": "uniform", "depth_m": 20}} if obstacle == "too-shallow" else {}
    battle, unit = submarine(area, class_id="corvette" if obstacle == "surface-hull" else "attack_sub")
    if obstacle == "no-ballast":
        unit.hull.systems[System.BALLAST] = 0.2
    elif obstacle == "grounded":
        unit.mark(UnitStatus.GROUNDED)
    elif obstacle == "attached":
        unit.boarding.state = ConnectionState.DOCKED
    elif obstacle == "surrendered":
        unit.mark(UnitStatus.SURRENDERED)
    elif obstacle == "deepest":
        unit.layer.layer = Layer.SUBMERGED

    assert not accepts(battle.battle, unit, LayerDirection.DOWN)


def test_a_deep_hull_reaches_the_abyss() -> None:
    battle, unit = submarine(class_id="deep_runner", layer="SUBMERGED")

    run(battle, 75, a=DOWN)

    assert unit.layer.layer == Layer.ABYSSAL


def test_pop_up_shows_the_unit_for_twelve_ticks() -> None:
    battle, unit = submarine(class_id="deep_runner", layer="SUBMERGED")

    run(battle, 1, a=POP_UP)
    assert unit.layer.mode == POPPING_UP
    assert unit.layers_mask == 0b011
    run(battle, 10, a=UP)
    assert unit.layer.mode == POPPING_UP
    run(battle, 1, a=STILL)

    assert (unit.layer.mode, unit.layer.layer) == (STEADY, Layer.SUBMERGED)


def test_without_missiles_there_is_no_pop_up() -> None:
    battle, unit = submarine(layer="SUBMERGED")

    assert not accepts(battle.battle, unit, LayerDirection.POP_UP)


def botched(outcome: Botch) -> tuple[Arena, Unit]:
    """A dive whose hull takes a tenth of its points in a battle whose seed brings this outcome."""
    battle, unit = submarine()
    run(battle, 10, a=DOWN)
    limits = {
        Botch.RETURN: (0.0, 0.5),
        Botch.STUCK: (0.5, 0.8),
        Botch.FLOODED: (0.8, 0.95),
        Botch.CATASTROPHE: (0.95, 1.0),
    }
    low, high = limits[outcome]
    while not low <= uniform(battle.battle, Stream.LAYER_TRANSITION, unit.id, 1, 0) < high:
        battle.battle.seed += 1
    unit.layer.trans_damage = 0.15 * unit.spec.hull.hp_max
    run(battle, 1, a=STILL)
    assert [event.i0 for event in events_named(battle.battle, "TRANSITION_BOTCHED")] == [outcome]
    assert unit.layer.botches == 1
    return battle, unit


def test_a_botched_dive_may_turn_back() -> None:
    _, unit = botched(Botch.RETURN)

    assert (unit.layer.layer, unit.layer.target_layer) == (Layer.SUBMERGED, Layer.SURFACE)
    assert unit.layer.elapsed == 30 - 10 + 1


def test_a_botched_dive_may_get_stuck() -> None:
    _, unit = botched(Botch.STUCK)

    assert unit.layer.total == 50
    assert unit.layer.target_layer == Layer.SUBMERGED


def test_a_botched_dive_may_flood() -> None:
    _, unit = botched(Botch.FLOODED)

    assert unit.hull.flood == pytest.approx(0.3, abs=0.01)
    assert unit.layer.target_layer == Layer.SUBMERGED


def test_a_botched_dive_may_break_the_hull() -> None:
    _, unit = botched(Botch.CATASTROPHE)

    assert unit.hull.hp == pytest.approx(280.0 - 0.3 * 280.0 * 1.25)
    assert unit.layer.target_layer == Layer.SURFACE


def test_weak_hulls_suffer_in_the_abyss() -> None:
    battle, unit = submarine(class_id="deep_runner", layer="ABYSSAL")
    unit.hull.hp = 200.0

    run(battle, 10, a=STILL)

    assert unit.hull.hp == pytest.approx(200.0 - 10 * 0.0002 * 480.0)


@pytest.mark.parametrize("layer", ["SURFACE", "SUBMERGED"])
def test_a_layer_is_a_plain_number_as_in_the_core(layer: str) -> None:
    _, unit = submarine(layer=layer)
    assert type(unit.layer.layer) is int
