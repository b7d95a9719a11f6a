from typing import Any

import numpy as np
import pytest

from diorama.worlds.townlet.codes import PerturbationKind, ShiftState, Utility
from diorama.worlds.townlet.layout import (
    FEATURE_INDEX,
    FEATURE_NAMES,
    LANDMARK_SLICES,
    SOCIAL_SLICES,
    map_channels,
    map_shape,
    observation_width,
)
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.systems.embedding import identity_vector
from diorama.worlds.townlet.reference.systems.perturbations.effects import activate
from diorama.worlds.townlet.reference.systems.queues import request
from diorama.worlds.townlet.reference.systems.ties import set_tie
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from tests.worlds.townlet.towns import PRIMITIVE, SOCIAL, config_of, obj, put, put_at, tick, town_of


def _seen(town: Town, citizen: Citizen) -> tuple[np.ndarray[Any, Any], dict[str, float]]:
    observer = Observer(town.tables, town.config)
    row = observer.row_of(town, citizen)
    size = observer.map_shape.size
    values = {name: float(row[size + place]) for place, name in enumerate(FEATURE_NAMES)}
    return row[:size].reshape(observer.map_shape), values


@pytest.mark.parametrize(
    ("overrides", "width", "channels"),
    [
        ({}, 612, 4),
        ({"features": {"systems": {"observations": "full"}}}, 854, 6),
        ({"features": {"systems": {"observations": "compact"}}}, 373, 5),
        (
            {
                "features": {"systems": {"observations": "compact"}},
                "observations": {"compact": {"map_window": 0}},
            },
            128,
            0,
        ),
        (
            {
                "features": {"systems": {"observations": "compact"}},
                "observations": {"compact": {"map_window": 5, "object_channels": ["bed", "till"]}},
            },
            7 * 25 + 128,
            7,
        ),
    ],
    ids=["hybrid", "full", "compact", "no-map", "object-channels"],
)
def test_every_variant_has_its_size(overrides: dict[str, Any], width: int, channels: int) -> None:
    config = config_of(overrides)

    assert observation_width(config) == width
    assert map_shape(config).channels == len(map_channels(config)) == channels


def test_features_stand_where_the_specification_puts_them() -> None:
    places = {
        "wallet": 3, "time_cos": 7, "shift_pre": 10, "embedding_slot_norm": 15, "ctx_reset_flag": 16,
        "rivalry_max": 18, "last_action_id_norm": 20, "path_hint_north": 25, "nearest_agent_distance": 32,
        "option_idle": 33, "option_avoid": 40, "power_on": 41, "home_meals_norm": 45, "exit_pending": 48,
        "fridge_dx": 49, "work_dist": 69, "personality_extroversion": 70, "social_slot0_d0": 73,
        "social_slot3_d10": 116, "social_trust_mean": 117, "affordance_progress": 121, "city_event_active": 127,
    }  # fmt: skip

    assert {name: FEATURE_INDEX[name] for name in places} == places
    assert len(FEATURE_NAMES) == len(set(FEATURE_NAMES)) == 128
    assert LANDMARK_SLICES["work"] == (67, 70)
    assert SOCIAL_SLICES[3] == (106, 117)


def test_the_map_shows_people_objects_walls_and_reservations() -> None:
    town = town_of(population=3)
    first, second, third = town.living()
    put(town, first, 39, 19)
    put_at(town, second, "shower_1")
    put(town, third, 40, 18)
    request(town, second, obj(town, "shower_1"))
    request(town, third, obj(town, "shower_1"))

    picture, values = _seen(town, first)

    assert picture[0].sum() == picture[0, 5, 5] == 1.0
    assert {tuple(place) for place in np.argwhere(picture[1])} == {(4, 5), (4, 6)}
    assert picture[2, 3, 5] == 1.0  # the shower itself, two tiles north
    assert picture[2, 2, 5] == 0.25  # the wall behind it
    assert picture[2, 6, 5] == 0.0
    assert picture[3, 4, 5] == 1.0
    assert picture[3, 4, 6] == 0.5
    assert _seen(town, second)[0][3, 5, 5] == -1.0
    assert values["neighbor_agent_ratio"] == pytest.approx(2 / 120)
    assert values["neighbor_object_ratio"] == pytest.approx(2 / 121)
    assert values["reserved_tile_ratio"] == pytest.approx(2 / 121)
    assert values["nearest_agent_distance"] == pytest.approx(1 / (5 * 2**0.5))


def test_an_object_is_shown_as_unusable_while_it_is_of_no_use() -> None:
    town = town_of(population=3)
    citizen = town.living()[0]
    put(town, citizen, 39, 19)
    assert _seen(town, citizen)[0][2, 3, 5] == 1.0
    town.economy.outages[Utility.WATER] = 1
    assert _seen(town, citizen)[0][2, 3, 5] == 0.5
    town.economy.outages[Utility.WATER] = 0
    town.objects[obj(town, "shower_1")].cooldowns[0] = 10
    assert _seen(town, citizen)[0][2, 3, 5] == 0.5
    put(town, citizen, 9, 18)  # a stranger's home: fridge, stove and beds are of no use
    picture = _seen(town, citizen)[0]
    assert set(np.unique(picture[2])) <= {0.0, 0.25, 0.5}


def test_beyond_the_border_there_is_wall() -> None:
    town = town_of()
    (citizen,) = town.living()
    put(town, citizen, 0, 0)

    picture = _seen(town, citizen)[0]

    assert (picture[2, :5, :] == 0.25).all()
    assert (picture[2, :, :5] == 0.25).all()
    assert picture[2, 5, 5] == 0.0


def test_the_full_variant_shows_the_way_to_the_goal() -> None:
    town = town_of({"features": {"systems": {"observations": "full"}}})
    (citizen,) = town.living()
    put(town, citizen, 10, 2)
    citizen.plan.goal = town.tables.map.tile(12, 2)

    picture, values = _seen(town, citizen)

    assert (picture[4, 5, 5], picture[5, 5, 5]) == (1.0, 0.0)
    assert (picture[4, 5, 7], picture[5, 5, 7]) == (0.0, 0.0)
    assert picture[5, 7, 7] == -1.0
    hints = [values[f"path_hint_{way}"] for way in ("north", "south", "east", "west")]
    assert hints == [0.0, 0.0, 1.0, 0.0]
    citizen.plan.goal = -1
    assert not _seen(town, citizen)[0][4:].any()


def test_the_compact_variant_shows_walkable_and_typed_tiles() -> None:
    town = town_of(
        {
            "features": {"systems": {"observations": "compact"}},
            "observations": {"compact": {"object_channels": ["shower"]}},
        }
    )
    (citizen,) = town.living()
    put(town, citizen, 39, 19)

    picture, _ = _seen(town, citizen)

    assert picture[4, 3, 3] == 0.0  # the citizen itself stands there
    assert picture[4, 4, 3] == 1.0
    assert {tuple(place) for place in np.argwhere(picture[5])} == {(1, 3), (1, 6)}


def test_numbers_of_a_citizen_are_scaled_as_specified() -> None:
    town = town_of(population=2)
    citizen = town.living()[0]
    citizen.wallet, citizen.tally.lateness_counter, citizen.tally.wages_withheld = 20.0, 5, 10.0
    citizen.decline.rent_arrears, citizen.inventory[2] = 1, 2
    citizen.shift.state, citizen.shift.attendance = ShiftState.LATE, [0.5, 1.0]
    citizen.plan.goal = -1
    town.tick = 250

    _, values = _seen(town, citizen)

    assert values["wallet"] == pytest.approx(1.0)
    assert values["lateness_counter"] == 0.5
    assert values["wages_withheld"] == 1.0
    assert values["time_sin"] == pytest.approx(1.0)
    assert (values["shift_late"], values["shift_pre"]) == (1.0, 0.0)
    assert values["attendance_ratio"] == 0.75
    assert values["rent_arrears_norm"] == values["food_raw_norm"] == values["home_meals_norm"] == 0.5
    assert values["episode_progress"] == pytest.approx(0.025)
    assert values["ticks_to_shift_norm"] == pytest.approx(0.02)
    assert values["meal_price_ratio"] == pytest.approx(1 / 3)
    town.tick = 300
    assert _seen(town, citizen)[1]["ticks_to_shift_norm"] == pytest.approx(-0.03)
    town.tick = 500
    assert _seen(town, citizen)[1]["ticks_to_shift_norm"] == pytest.approx(0.77)


def test_landmarks_point_the_way() -> None:
    town = town_of()
    (citizen,) = town.living()
    put(town, citizen, 15, 20)

    _, values = _seen(town, citizen)

    assert (values["fridge_dx"], values["fridge_dy"]) == (0.0, -1.0)
    assert values["fridge_dist"] == pytest.approx(2 / 96)
    assert values["work_dx"] > 0.9
    put_at(town, citizen, "stove_1")
    assert _seen(town, citizen)[1]["stove_dist"] == 0.0


def test_the_social_block_shows_two_friends_and_two_rivals() -> None:
    town = town_of(SOCIAL, population=6)
    citizen = town.living()[0]
    for seat, trust, rivalry in ((1, 0.1, 0.9), (2, 0.8, 0.0), (3, 0.5, 0.0), (4, 0.0, 0.4)):
        set_tie(town, citizen, seat, trust, 0.0, rivalry)

    observer = Observer(town.tables, town.config)
    _, values = _seen(town, citizen)

    slots = [town.citizen(seat).slot for seat in (2, 3, 1, 4)]
    assert observer.social_slots(town, [citizen]) == [tuple(slots)]
    assert values["social_slot0_d3"] == pytest.approx(identity_vector(slots[0])[3])
    assert values["social_slot0_d8"] == pytest.approx(0.8)
    assert values["social_slot2_d10"] == pytest.approx(0.9)
    assert values["social_trust_mean"] == pytest.approx(1.4 / 4)
    assert values["social_rivalry_max"] == values["rivalry_max"] == pytest.approx(0.9)
    assert values["rivalry_avoid_count"] == pytest.approx(1 / 6)


def test_ties_are_not_observed_in_stage_a() -> None:
    town = town_of({"features": {"stages": {"relationships": "A"}}}, population=2)
    citizen = town.living()[0]
    set_tie(town, citizen, 1, 0.5, 0.5, 0.9)

    _, values = _seen(town, citizen)

    assert not any(value for name, value in values.items() if name.startswith(("social", "rival")))


def test_city_events_and_appointments_show() -> None:
    town = town_of()
    (citizen,) = town.living()
    activate(town, CityEvent(1, 1, PerturbationKind.BLACKOUT, 0, 20, utility=Utility.POWER))

    _, values = _seen(town, citizen)

    assert (values["city_event_active"], values["power_on"], values["water_on"]) == (1.0, 0.0, 1.0)


def test_a_cleared_memory_shows_in_exactly_one_observation() -> None:
    town = town_of()
    (citizen,) = town.living()
    flags = []
    for _ in range(3):
        begin_tick(town)
        flags.append(_seen(town, citizen)[1]["ctx_reset_flag"])
        finish_tick(town, {})

    assert flags == [1.0, 0.0, 0.0]


def test_who_leaves_is_observed_a_last_time() -> None:
    town = town_of(population=2)
    town.citizen(1).decline.kill_requested = True
    seen: list[float] = []
    begin_tick(town)

    finish_tick(town, {}, on_exit=lambda running, leaving: seen.append(_seen(running, leaving)[1]["ctx_reset_flag"]))

    assert seen == [1.0]


def test_all_values_stay_within_bounds_and_free_seats_are_zero() -> None:
    town = town_of(SOCIAL, {"perturbations": {"enabled": True}}, population=8)
    observer = Observer(town.tables, town.config)
    rows = np.full((16, observer.width), np.nan, dtype=np.float32)
    runner = PolicyRunner()
    for _ in range(80):
        begin_tick(town)
        observer.write_rows(town, rows)
        assert np.isfinite(rows).all()
        assert np.abs(rows).max() <= 1.0
        assert not rows[8:].any()
        finish_tick(town, runner.step(town)[0])


def test_progress_and_queue_places_are_shown() -> None:
    town = town_of(PRIMITIVE, population=2)
    first, second = town.living()
    put_at(town, first, "shower_1")
    put(town, second, 40, 18)
    tick(town, {0: 5, 1: 5}, 1)
    tick(town, {}, 14)

    assert _seen(town, first)[1]["affordance_progress"] == pytest.approx(0.5)
    assert _seen(town, second)[1]["queue_position_norm"] == pytest.approx(1 / 8)
    assert _seen(town, second)[1]["in_queue"] == 1.0
