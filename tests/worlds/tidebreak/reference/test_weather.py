"""Storms, local weather and what the sea does to hulls."""

import pytest

from diorama.worlds.tidebreak.codes import Precipitation, StormProfile, System
from diorama.worlds.tidebreak.reference.components import Storm
from diorama.worlds.tidebreak.reference.systems.weather import ambient_noise_db, local_weather, storm_strength
from tests.worlds.tidebreak.reference.battles import STILL, arena, events_named, run, ship, unit_of


@pytest.mark.parametrize(
    ("profile", "distance", "strength"),
    [
        pytest.param(StormProfile.UNIFORM, 999.0, 0.8, id="uniform-inside"),
        pytest.param(StormProfile.UNIFORM, 1_000.0, 0.0, id="uniform-rim"),
        pytest.param(StormProfile.GRADIENT, 250.0, 0.6, id="gradient"),
        pytest.param(StormProfile.GRADIENT, 2_000.0, 0.0, id="gradient-outside"),
        pytest.param(StormProfile.CYCLONIC, 100.0, 0.16, id="eye"),
        pytest.param(StormProfile.CYCLONIC, 400.0, 0.8, id="eyewall"),
        pytest.param(StormProfile.CYCLONIC, 700.0, 0.4, id="outer-bands"),
    ],
)
def test_storms_fall_off_by_profile(profile: StormProfile, distance: float, strength: float) -> None:
    storm = Storm(0.0, 0.0, 0.0, 0.0, 1_000.0, 0.8, profile, 600)

    assert storm_strength(storm, distance, 0.0) == pytest.approx(strength)


def test_storms_add_up_to_at_most_one() -> None:
    storms = [{"x": 0, "y": 0, "radius": 1000, "intensity": 0.7, "profile": "UNIFORM"}] * 2
    area = {"weather": {"sea_state": 2, "visibility_km": 10}, "storms": storms}
    battle = arena(ship("a"), area=area).battle

    here, away = local_weather(battle, 0.0, 0.0), local_weather(battle, 3_000.0, 0.0)

    assert (here.storm, here.sea_state, here.precipitation) == (1.0, 7.0, Precipitation.STORM)
    assert here.visibility_km == pytest.approx(2.0)
    assert here.lightning == pytest.approx(0.8)
    assert (away.storm, away.sea_state, away.precipitation) == (0.0, 2.0, Precipitation.NONE)


def test_storms_wander_and_die_down() -> None:
    storm = {"x": 0, "y": 0, "vx": 10, "vy": -5, "radius": 1000, "intensity": 0.03, "profile": "UNIFORM"}
    battle = arena(ship("a"), area={"storms": [storm | {"ends_at_tick": 2}]})

    run(battle, 3, a=STILL)
    assert battle.battle.storms[0].intensity == pytest.approx(0.03)
    run(battle, 5, a=STILL)

    assert battle.battle.storms[0].intensity == 0.0
    assert (battle.battle.storms[0].x, battle.battle.storms[0].y) == (50.0, -25.0)


@pytest.mark.parametrize(
    ("class_id", "sea_state", "share"),
    [
        pytest.param("corvette", 6.0, 0.0, id="small-bears-six"),
        pytest.param("corvette", 7.5, 0.004 * 1.5**2, id="small"),
        pytest.param("frigate", 8.0, 0.0, id="medium-bears-eight"),
        pytest.param("frigate", 9.0, 0.002, id="medium"),
        pytest.param("dreadnought", 9.0, 0.0, id="large"),
    ],
)
def test_heavy_seas_strain_hulls_by_size(class_id: str, sea_state: float, share: float) -> None:
    battle = arena(ship("a", class_id=class_id), area={"weather": {"sea_state": sea_state}})
    unit = unit_of(battle.battle, "a")

    run(battle, 5, a=STILL)

    lost = unit.spec.hull.hp_max - unit.hull.hp
    assert lost == pytest.approx(5.0 * share * unit.spec.hull.hp_max)
    assert unit.tally.hazard_damage == pytest.approx(lost)


def test_hazard_zones_burn_what_is_on_the_surface() -> None:
    zone = {"shape": {"type": "circle", "radius": 900}, "position": [0, 0], "modifier_type": "HAZARD", "intensity": 0.5}
    below = ship("b", class_id="attack_sub", x=300.0, layer="SUBMERGED")
    battle = arena(ship("a"), below, area={"zones": [zone]})

    run(battle, 10, a=STILL, b=STILL)

    assert unit_of(battle.battle, "a").hull.hp == pytest.approx(360.0 * (1.0 - 10 * 0.001))
    assert unit_of(battle.battle, "b").hull.hp == 280.0
    assert len(events_named(battle.battle, "HAZARD")) == 10


def test_lightning_costs_sensors() -> None:
    ships = [ship(f"s{place}", x=-6_000.0 + 600.0 * place) for place in range(20)]
    battle = arena(*ships, area={"weather": {"lightning": 1.0}})

    run(battle, 60)

    strikes = events_named(battle.battle, "LIGHTNING")
    assert strikes
    struck = battle.battle.unit(strikes[0].target)
    assert struck.hull.systems[System.SENSORS] < 0.9


@pytest.mark.parametrize(("layer", "noise"), [(0, 72.0), (1, 64.0), (2, 58.8)])
def test_noise_grows_with_the_sea(layer: int, noise: float) -> None:
    assert ambient_noise_db(layer, 4.0) == pytest.approx(noise)
