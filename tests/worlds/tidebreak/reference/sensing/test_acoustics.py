from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.tidebreak.codes import Emissions, Modality, System
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, POPPING_UP
from diorama.worlds.tidebreak.reference.sensing.acoustics import (
    crossing_loss,
    db_sum,
    thermocline_with_fields,
    transmission_loss,
)
from diorama.worlds.tidebreak.reference.sensing.targets import source_level, unit_target
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.sensing.arenas import activate, excess, excess_at, open_water, ship

LEVELS = st.floats(0.0, 200.0)
RANGED = (Modality.VISUAL, Modality.RADAR, Modality.ESM, Modality.PASSIVE_SONAR, Modality.ACTIVE_SONAR)


def pinging_pair(**area: Any) -> Battle:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 4_000.0), **area)
    activate(battle)
    battle.tick = 9
    return battle


@pytest.mark.parametrize(
    ("a", "b", "total"),
    [(60.0, 60.0, 63.0), (60.0, 65.0, 66.5), (60.0, 70.0, 70.0), (40.0, 90.0, 90.0)],
)
def test_levels_add_up_piecewise_linearly(a: float, b: float, total: float) -> None:
    assert db_sum(a, b) == db_sum(b, a) == total


@given(a=LEVELS, b=LEVELS, more=st.floats(0.0, 50.0))
def test_more_sound_is_never_quieter(a: float, b: float, more: float) -> None:
    assert db_sum(a + more, b) >= db_sum(a, b) - 1e-9


@pytest.mark.parametrize(
    ("first", "second", "loss"),
    [
        pytest.param(0b001, 0b001, 0.0, id="same"),
        pytest.param(0b001, 0b010, 6.0, id="thermocline"),
        pytest.param(0b010, 0b100, 14.0, id="deep"),
        pytest.param(0b001, 0b100, 24.0, id="all-the-way"),
        pytest.param(0b011, 0b100, 14.0, id="transit-takes-the-least"),
        pytest.param(0b001, 0b110, 6.0, id="transit-of-the-other"),
    ],
)
def test_sound_loses_by_crossing_layers(first: int, second: int, loss: float) -> None:
    assert crossing_loss(first, second, 0.5) == crossing_loss(second, first, 0.5) == loss


@pytest.mark.parametrize(
    ("surface_c", "submerged_c", "value"), [(18.0, 10.0, 0.5), (28.0, 10.0, 1.0), (10.0, 10.0, 0.1), (0.0, 10.0, 0.0)]
)
def test_warm_water_above_strengthens_the_thermocline(surface_c: float, submerged_c: float, value: float) -> None:
    assert thermocline_with_fields(0.5, surface_c, submerged_c) == pytest.approx(value)


def test_sediment_and_rock_swallow_sound() -> None:
    clear = transmission_loss(1_000.0, 0.0, 0.0, is_blocked=False)

    assert clear == pytest.approx(61.0)
    assert transmission_loss(1_000.0, 0.0, 0.5, is_blocked=True) == pytest.approx(clear + 4.0 + 25.0)


def test_a_hull_is_as_loud_as_its_state() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "attack_sub", 4_000.0, layer="SUBMERGED"))
    corvette, submarine = battle.units

    assert source_level(corvette) == 140.0
    corvette.motion.vx = 15.0
    assert source_level(corvette) == pytest.approx(140.0 + 24.0 + 8.0)
    corvette.hull.flood, corvette.hull.fire = 0.5, 0.25
    assert source_level(corvette) == pytest.approx(172.0 + 5.0 + 1.0)
    corvette.posture.emissions = Emissions.SILENT
    assert source_level(corvette) == pytest.approx(176.0)
    assert source_level(submarine) == 112.0
    submarine.layer.mode, submarine.layer.target_layer = IN_TRANSIT, 0
    assert source_level(submarine) == 132.0
    submarine.layer.mode = POPPING_UP
    assert source_level(submarine) == 126.0
    submarine.layer.mode, submarine.layer.layer = 0, 0
    assert source_level(submarine) == 130.0


def test_a_hull_in_transit_shows_twice() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "attack_sub", 4_000.0, layer="SUBMERGED"))
    submarine = battle.unit(2)
    submarine.layer.mode, submarine.layer.target_layer = IN_TRANSIT, 0

    shown = unit_target(submarine)

    assert (shown.radar_index, shown.visual_index, shown.layers_mask) == (50.0, 0.6, 0b011)
    submarine.layer.mode = POPPING_UP
    assert unit_target(submarine).radar_index == pytest.approx(7.5)


@settings(max_examples=30, deadline=None)
@given(near=st.floats(10.0, 20_000.0), further=st.floats(1.0, 9_000.0))
def test_every_excess_falls_with_range(near: float, further: float) -> None:
    battle = pinging_pair()

    for modality in RANGED:
        assert excess_at(battle, modality, near + further) < excess_at(battle, modality, near)


@settings(max_examples=15, deadline=None)
@given(calm=st.floats(0.0, 8.0), rougher=st.floats(0.1, 1.0))
def test_no_excess_grows_with_the_sea(calm: float, rougher: float) -> None:
    quiet = pinging_pair(weather={"sea_state": calm})
    rough = pinging_pair(weather={"sea_state": calm + rougher})

    for modality in RANGED:
        assert (excess(rough, modality) or 0.0) <= (excess(quiet, modality) or 0.0)
    for modality in (Modality.RADAR, Modality.PASSIVE_SONAR, Modality.ACTIVE_SONAR):
        assert (excess(rough, modality) or 0.0) < (excess(quiet, modality) or 0.0)


@settings(max_examples=30, deadline=None)
@given(slow=st.floats(0.0, 14.0), faster=st.floats(0.1, 4.0))
def test_speed_betrays_the_target_and_deafens_the_observer(slow: float, faster: float) -> None:
    battle = pinging_pair()
    target, observer = battle.unit(2), battle.unit(1)

    def heard() -> float:
        return excess(battle, Modality.PASSIVE_SONAR) or 0.0

    target.motion.vx = slow
    before = heard()
    target.motion.vx = slow + faster
    assert heard() > before
    observer.motion.vx = slow
    before = heard()
    observer.motion.vx = slow + faster
    assert heard() <= before


@settings(max_examples=30, deadline=None)
@given(sensors=st.floats(0.25, 0.9), loss=st.floats(0.01, 0.1))
def test_damage_to_sensors_costs_every_excess_but_the_receivers(sensors: float, loss: float) -> None:
    battle = pinging_pair()
    systems = battle.unit(1).hull.systems
    for modality in RANGED:
        systems[System.SENSORS] = sensors
        before = excess(battle, modality) or 0.0
        systems[System.SENSORS] = sensors - loss
        after = excess(battle, modality) or 0.0
        assert after == before if modality is Modality.ESM else after < before
