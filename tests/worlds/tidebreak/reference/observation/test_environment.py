from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

from diorama.worlds.tidebreak.codes import Iff, ObjectiveType, UnitStatus
from diorama.worlds.tidebreak.layout import (
    COMPACT_OBS_WIDTH,
    CONTACT_COLUMNS,
    FIRST_MATE_ROW,
    FOVEATED_FIELDS,
    OBS_WIDTH,
    Env,
    Own,
)
from diorama.worlds.tidebreak.reference.components import MateFix
from diorama.worlds.tidebreak.reference.observe import compact, observation
from diorama.worlds.tidebreak.reference.observe.environment import show_environment
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.tick import advance, look_around_first
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import random_battle
from tests.worlds.tidebreak.reference.observation.tracks import track
from tests.worlds.tidebreak.reference.sensing.arenas import open_water, ship

MATE = ship("a", "freighter", 1_000.0, ship_id="a2")
ENEMY = ship("b", "corvette", 9_000.0, ship_id="b1")


def first_ship(**changes: Any) -> dict[str, Any]:
    return ship("a", "corvette", 0.0, ship_id="a1", **changes)


def test_weather_and_water_are_those_around_the_unit() -> None:
    battle = open_water(
        first_ship(),
        ENEMY,
        weather={
            "sea_state": 4.5,
            "visibility_km": 10,
            "precipitation": "LIGHT_RAIN",
            "wind_speed": 20,
            "wind_direction": pi,
            "lightning": 0.2,
        },
        currents={"kind": "uniform", "vector": [1.0, -0.5]},
        bathymetry={"kind": "uniform", "depth_m": 150},
        thermocline=0.3,
        zones=[
            {"shape": {"type": "circle", "radius": 50}, "position": [0, 0], "modifier_type": "HAZARD", "intensity": 0.7}
        ],
    )
    battle.tick = 150

    obs = show_environment(battle, battle.unit(1))

    assert obs[Env.TIME_LEFT] == 0.75
    assert obs[Env.SEA_STATE : Env.WIND] == [0.5, 0.5, pytest.approx(1.0 / 3.0)]
    assert obs[Env.WIND : Env.LIGHTNING] == [pytest.approx(-0.5), pytest.approx(0.0, abs=1e-12)]
    assert obs[Env.LIGHTNING] == 0.2
    assert obs[Env.CURRENT : Env.DEPTH] == [pytest.approx(0.2), pytest.approx(-0.1)]
    assert obs[Env.DEPTH : Env.NOISE] == [0.075, 1.0, 1.0, 0.0, 0.3]
    assert obs[Env.NOISE : Env.OBSTACLE] == [0.0, 0.7]
    assert obs[Env.OBSTACLE : Env.EDGE] == [0.0, 0.0, 1.0]
    assert obs[Env.EDGE] == 1.0
    assert obs[Env.STORM : Env.FRIENDLY_COST] == [0.0, 0.0, 1.0, 0.0]


def test_a_rock_to_port_and_a_storm_ahead_are_felt() -> None:
    battle = open_water(
        first_ship(),
        ENEMY,
        obstacles=[{"shape": {"type": "circle", "radius": 300}, "position": [0, 1_700], "material": "solid"}],
        storms=[{"x": 6_000, "y": 0, "radius": 2_000, "intensity": 0.8, "profile": "UNIFORM", "ends_at_tick": 500}],
    )

    obs = show_environment(battle, battle.unit(1))

    assert obs[Env.OBSTACLE : Env.EDGE] == [pytest.approx(1.0), pytest.approx(0.0, abs=1e-12), 0.3]
    assert obs[Env.STORM : Env.FRIENDLY_COST] == [pytest.approx(0.0, abs=1e-12), 1.0, 4_000.0 / 32_768.0, 0.8]


def test_land_is_felt_where_the_depth_ends() -> None:
    grid = [[500.0] * 3, [500.0] * 3, [-20.0] * 3]  # land in the north
    battle = open_water(first_ship(), ENEMY, bathymetry={"kind": "grid", "rows": grid})
    battle.unit(1).transform.y = 12_000.0  # shore at 16,000 * 500 / 520

    obs = show_environment(battle, battle.unit(1))

    assert obs[Env.OBSTACLE + 2] == pytest.approx(3_500.0 / 5_000.0)
    assert obs[Env.OBSTACLE] == pytest.approx(1.0)


def test_the_own_side_is_counted_by_cost() -> None:
    battle = open_water(first_ship(), MATE, ENEMY)
    battle.unit(1).tracks.tracks = [track(1), track(2, iff=Iff.SUSPECT), track(3, iff=Iff.UNKNOWN)]
    battle.unit(2).mark(UnitStatus.DISABLED)
    battle.unit(1).boarding.state = 3

    obs = show_environment(battle, battle.unit(1))

    assert obs[Env.FRIENDLY_COST : Env.OBJECTIVE_TYPE] == [70.0 / 130.0, 2.0 / 16.0, 0.07, 0.75]


def test_an_objective_is_shown_as_far_as_tracks_allow() -> None:
    task = {"objective_id": "o", "type": "DESTROY", "target": "b1", "priority": 0.8, "deadline_s": 400}
    battle = open_water(first_ship(objective=task), ENEMY)
    battle.tick = 100
    unit = battle.unit(1)
    unit.motion.vx = 5.0

    briefed = show_environment(battle, unit)
    unit.tracks.tracks = [track(1, x=0.0, y=8_000.0, vx=-12.0, vy=0.0, target_id=2)]
    tracked = show_environment(battle, unit)

    types = briefed[Env.OBJECTIVE_TYPE : Env.HAS_TARGET]
    assert types.index(1.0) == ObjectiveType.DESTROY
    assert sum(types) == 1.0
    assert briefed[Env.HAS_TARGET : Env.HAS_ASSET] == [0.0, 0.0, 1.0, 9_000.0 / 32_000.0, 0.0, 0.0]
    assert tracked[Env.HAS_TARGET : Env.HAS_ASSET] == [
        1.0,
        pytest.approx(1.0),
        pytest.approx(0.0, abs=1e-12),
        0.25,
        pytest.approx(-1.0),
        pytest.approx(7.0 / 30.0),
    ]
    assert tracked[Env.PRIORITY : Env.FOVEATED] == [0.8, 0.75, 0.0, 1.0, 0.0]


def test_asset_zone_and_destination_are_shown_relative_to_the_bow() -> None:
    task = {
        "objective_id": "o",
        "type": "SCREEN",
        "asset": "a2",
        "zone": {"shape": "circle", "relative_to": "a2", "radius": 1_600},
        "destination": {"position": [-3_000, -4_000]},
    }
    battle = open_water(first_ship(objective=task), MATE, ENEMY)
    unit = battle.unit(1)
    unit.memory.mate_fixes = [MateFix(2, 0.0, -500.0, 0.0, 0.0, 0, 0)]

    obs = show_environment(battle, unit)

    assert obs[Env.HAS_ASSET : Env.ASSET + 2] == [1.0, pytest.approx(-1.0), pytest.approx(0.0, abs=1e-12)]
    assert obs[Env.HAS_ZONE] == 1.0
    assert obs[Env.ZONE] == pytest.approx(-1.0)
    assert obs[Env.ZONE + 2 : Env.HAS_DESTINATION] == [500.0 / 32_000.0, 0.1]
    assert obs[Env.HAS_DESTINATION : Env.PRIORITY] == [
        1.0,
        pytest.approx(-0.8),
        pytest.approx(-0.6),
        5_000.0 / 32_000.0,
    ]


def test_without_an_objective_only_the_deadline_is_set() -> None:
    battle = open_water(first_ship(), ENEMY)

    obs = show_environment(battle, battle.unit(1))

    shown = obs[Env.OBJECTIVE_TYPE : Env.FOVEATED]
    assert [place for place, value in enumerate(shown) if value] == [Env.DEADLINE - Env.OBJECTIVE_TYPE]


def test_loud_and_hot_events_show_in_their_sector() -> None:
    battle = open_water(first_ship(), ENEMY, rules={"fields": True})
    unit = battle.unit(1)
    quiet = show_environment(battle, unit)
    battle.fields.stamp_circle(1, 600.0, 0.0, 600.0, ((5, 1, 25.0, 0.0), (6, 4, 60.0, 0.0), (10, 4, 1.0, 0.0)))

    obs = show_environment(battle, unit)

    ahead, astern = Env.FOVEATED, Env.FOVEATED + 8 * FOVEATED_FIELDS
    assert quiet[ahead : ahead + FOVEATED_FIELDS] == [0.0, 0.0, 0.0, 0.0]
    assert 0.0 < obs[ahead] <= 0.5
    assert 0.0 < obs[ahead + 1] <= 0.5
    assert 0.0 < obs[ahead + 3] <= 1.0
    assert obs[astern : astern + FOVEATED_FIELDS] == [0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("number", range(6))
def test_every_entry_of_any_battle_is_finite_and_within_bounds(number: int) -> None:
    battle = open_battle(resolve(random_battle(number)))
    look_around_first(battle)
    for _ in range(6):
        advance(battle)

    for unit in battle.units:
        row = np.array(observation(battle, unit), dtype=np.float32)
        assert row.shape == (OBS_WIDTH,) == (612,)
        assert np.isfinite(row).all()
        assert (np.abs(row) <= 1.0).all()
        if not unit.is_present:
            assert not row.any()


def test_the_compact_profile_leaves_out_far_rows_and_fields() -> None:
    row = [float(place) for place in range(OBS_WIDTH)]

    short = compact(row)

    assert len(short) == COMPACT_OBS_WIDTH == 404
    contacts, environment = Own.SIZE, Own.SIZE + 12 * CONTACT_COLUMNS
    assert short[:contacts] == row[:contacts]
    assert short[contacts + 6 * CONTACT_COLUMNS] == row[contacts + FIRST_MATE_ROW * CONTACT_COLUMNS]
    assert short[environment:] == row[432 : 432 + Env.FOVEATED]


def test_a_unit_that_is_gone_sees_nothing() -> None:
    battle = open_water(first_ship(), ENEMY)
    battle.unit(1).mark(UnitStatus.DESTROYED)

    assert observation(battle, battle.unit(1)) == [0.0] * OBS_WIDTH


def test_directions_are_unit_vectors() -> None:
    battle = open_water(first_ship(heading=1.1), ENEMY)

    obs = observation(battle, battle.unit(1))

    assert sqrt(obs[Own.SIN_HEADING] ** 2 + obs[Own.COS_HEADING] ** 2) == pytest.approx(1.0)
