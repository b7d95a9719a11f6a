import json
from itertools import pairwise
from math import hypot

import pytest

from diorama.contracts.errors import UnknownName
from diorama.numerics import wrap
from diorama.worlds.tidebreak.codes import ConnectionState, Layer, ObjectiveType, SizeClass, WeaponGroup
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.packages.bathymetry import ProceduralDepth
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.resolve import resolve, validate_package
from diorama.worlds.tidebreak.scenarios import STAGES, Scenario, episode_stage, generate, stage
from diorama.worlds.tidebreak.scenarios.forces import fleet_cost

SEEDS = [*range(12), 2**63 + 1, 2**64 - 1]
STAGE_NUMBERS = [entry.number for entry in STAGES]


def sides(scenario: Scenario) -> tuple[list[ShipSnapshot], list[ShipSnapshot]]:
    ships = scenario.package.ships
    return [ship for ship in ships if ship.team_id == "blue"], [ship for ship in ships if ship.team_id == "red"]


def classes(ships: list[ShipSnapshot]) -> list[str]:
    return [ship.class_id or "" for ship in ships]


@pytest.mark.parametrize("number", STAGE_NUMBERS)
def test_every_stage_gives_valid_battles_that_only_depend_on_the_seed(number: int) -> None:
    for seed in SEEDS:
        scenario = generate(number, seed)

        assert validate_package(scenario.package).warnings == ()
        assert generate(number, seed) == scenario
        assert {*scenario.agent_ship_ids, *scenario.opponent_ship_ids} == {s.ship_id for s in scenario.package.ships}
    assert generate(number, 1) != generate(number, 2)


@pytest.mark.parametrize("number", STAGE_NUMBERS)
def test_the_learner_plays_either_side(number: int) -> None:
    assert {generate(number, seed).agent_team_id for seed in SEEDS} == {"blue", "red"}


@pytest.mark.parametrize("number", [number for number in STAGE_NUMBERS if number not in (8, 11)])
def test_sides_start_abreast_on_an_axis_through_the_center(number: int) -> None:
    for seed in SEEDS:
        blue, red = sides(generate(number, seed))
        centers = []
        for side in (blue, red):
            centers.append(
                (sum(s.initial_state.x for s in side) / len(side), sum(s.initial_state.y for s in side) / len(side))
            )
            for a, b in pairwise(side):
                apart = hypot(a.initial_state.x - b.initial_state.x, a.initial_state.y - b.initial_state.y)
                if generate(number, seed).content_stage.number != 8:
                    assert apart == pytest.approx(400.0)

        assert 6000.0 <= hypot(centers[0][0] - centers[1][0], centers[0][1] - centers[1][1]) <= 12000.0 + 1e-6
        assert centers[0][0] == pytest.approx(-centers[1][0], abs=1e-6)


@pytest.mark.parametrize("number", STAGE_NUMBERS)
def test_ships_start_at_half_speed_roughly_toward_the_other_side(number: int) -> None:
    content = shipped_content()
    for seed in SEEDS[:6]:
        for ship in generate(number, seed).package.ships:
            state, row = ship.initial_state, content.classes[ship.class_id or ""]
            submarine = row.speed.submerged is not None
            full = row.speed.submerged if row.speed.submerged is not None else row.speed.surface
            crippled = ship.damage_state is not None

            assert state.layer is (Layer.SUBMERGED if submarine else Layer.SURFACE)
            assert state.speed == (0.0 if crippled else full * 0.5)
            assert 0.4 <= ship.crew.gunnery < 0.6
            assert ship.crew.morale == 0.7


def test_headings_are_within_half_a_radian_of_the_axis() -> None:
    for seed in SEEDS:
        blue, red = sides(generate(1, seed))
        ahead = wrap(blue[0].initial_state.heading - red[0].initial_state.heading)

        assert abs(abs(ahead) - 3.141592653589793) <= 1.0 + 1e-9


def test_the_first_stages_are_corvette_duels_in_growing_seas() -> None:
    first, second = generate(1, 3).package, generate(2, 3).package

    assert [ship.class_id for ship in first.ships] == ["corvette", "corvette"]
    assert (first.rules.fog, first.rules.perfect_iff, first.rules.fields) == (False, True, False)
    assert (first.time_limit_s, first.map.weather.sea_state) == (300.0, 0.0)
    assert (second.rules.fog, second.rules.perfect_iff, second.rules.fields) == (True, True, False)
    assert second.time_limit_s == 600.0
    assert all(0.0 <= generate(2, seed).package.map.weather.sea_state < 3.0 for seed in SEEDS)


def test_the_dive_sends_a_submarine_against_a_pair() -> None:
    package = generate(3, 1).package

    assert [ship.class_id for ship in package.ships] == ["attack_sub", "corvette", "corvette"]
    assert package.ships[0].initial_state.layer is Layer.SUBMERGED
    assert package.rules.fields


def test_water_moves_brings_sea_beds_currents_and_obstacles() -> None:
    maps = [generate(4, seed).package.map for seed in SEEDS]

    styles = {m.bathymetry.style for m in maps if isinstance(m.bathymetry, ProceduralDepth)}
    assert styles == {"shelf", "strait"}
    assert all(2 <= len(m.obstacles) <= 8 for m in maps)
    assert {m.currents.kind for m in maps} == {"uniform", "analytic"}


@pytest.mark.parametrize("seed", SEEDS)
def test_currents_and_obstacles_keep_their_bounds(seed: int) -> None:
    package = generate(4, seed).package
    surface = resolve(package).battle.map.currents[0]

    assert max(hypot(x, y) for x, y in zip(surface.x_ms, surface.y_ms, strict=True)) <= 1.5 + 1e-9
    for obstacle in package.map.obstacles:
        assert obstacle.shape.type == "circle"
        for ship in package.ships:
            away = hypot(ship.initial_state.x - obstacle.position[0], ship.initial_state.y - obstacle.position[1])
            assert away - obstacle.shape.radius >= 1500.0


def test_storms_zones_and_clutter_arrive_with_their_stages() -> None:
    weather = [generate(5, seed).package for seed in SEEDS]
    fog = [generate(6, seed).package for seed in SEEDS]

    assert {len(p.map.storms) for p in weather} == {0, 1, 2}
    assert max(p.map.weather.sea_state for p in weather) > 3.0
    assert not any(p.rules.clutter for p in weather)
    assert all(p.rules.clutter and not p.rules.perfect_iff for p in fog)
    assert {"SENSOR_INTERFERENCE"} <= {zone.modifier_type.name for p in fog for zone in p.map.zones}


def test_a_convoy_is_escorted_against_raiders() -> None:
    for seed in SEEDS:
        blue, red = sides(generate(8, seed))
        by_class = {ship.class_id: ship.objective.type for ship in (*blue, *red) if ship.objective is not None}

        assert by_class == {
            "corvette": ObjectiveType.PROTECT,
            "freighter": ObjectiveType.EVADE,
            "attack_sub": ObjectiveType.RAID,
        }
        assert 2 <= classes(blue).count("freighter") <= 4


def test_fleets_cost_the_same_within_a_tenth() -> None:
    for seed in SEEDS:
        blue, red = sides(generate(9, seed))
        cost = fleet_cost(classes(blue), shipped_content())

        assert 3 <= len(blue) <= 8
        assert 3 <= len(red) <= 8
        assert abs(fleet_cost(classes(red), shipped_content()) - cost) <= 0.1 * cost


def test_a_capital_has_a_screen() -> None:
    for seed in SEEDS:
        blue = classes(sides(generate(10, seed))[0])

        assert sum(name in ("dreadnought", "carrier") for name in blue) == 1
        assert 3 <= len(blue) <= 5


def test_boarders_meet_a_crippled_hull_or_a_city() -> None:
    targets = {ship.class_id for seed in SEEDS for ship in generate(11, seed).package.ships if ship.damage_state}

    assert "arcology" in targets
    assert targets & {"dreadnought", "carrier"}


def test_the_open_stage_draws_from_the_others() -> None:
    assert len({generate(12, seed).content_stage.number for seed in range(40)}) >= 8


def test_a_fifth_of_the_episodes_comes_from_earlier_stages() -> None:
    drawn = [episode_stage(5, seed) for seed in range(2000)]

    assert set(drawn) == {1, 2, 3, 4, 5}
    assert 0.17 < sum(number != 5 for number in drawn) / len(drawn) < 0.23
    assert {episode_stage(1, seed) for seed in range(50)} == {1}


def test_opponents_grow_with_progress() -> None:
    assert [stage(1).opponent(p) for p in (0.0, 0.49, 0.5, 1.0)] == ["idle", "idle", "drifter@0.5", "drifter@0.5"]
    assert [stage(2).opponent(p) for p in (0.0, 1.0)] == ["aggressor@0.6", "aggressor"]


@pytest.mark.parametrize("number", [0, 13, -1])
def test_there_is_no_other_stage(number: int) -> None:
    with pytest.raises(UnknownName, match="no stage is called"):
        generate(number, 1)


def test_a_hull_to_be_boarded_is_slow_for_good_and_short_of_rounds_and_people() -> None:
    for seed in range(30):
        (hurt,) = [ship for ship in generate(11, seed).package.ships if ship.damage_state is not None]
        row = shipped_content().classes[hurt.class_id or ""]
        weapons = [shipped_content().weapons[mount.weapon].group for mount in row.mounts]
        armed = [slot for slot, group in enumerate(weapons) if group is not WeaponGroup.AUTOMATIC]

        assert hurt.damage_state is not None
        assert sorted(hurt.initial_state.ammo or {}) == armed
        if row.size is SizeClass.L:
            aft = {part.id: part.integrity for part in hurt.damage_state.compartments or ()}
            assert sorted(aft) == [5, 6, 7]
            assert max(aft.values()) < 0.2
            assert hurt.crew.crew_count is not None
            assert 0.39 < hurt.crew.crew_count / row.crew < 0.7


@pytest.mark.slow
def test_transports_of_the_boarding_stage_come_alongside_and_win_about_half() -> None:
    battles, crossed, won = 40, 0, 0
    for seed in range(battles):
        arena = open_arena(resolve(generate(11, seed).package), is_collecting=True)
        has_crossed = False
        while not arena.is_over:
            arena.step({})
            has_crossed |= any(
                event[2] == EventKind.BOARDING_STATE and event[9] == ConnectionState.TRANSFERRING
                for event in arena.events()
            )
        crossed += has_crossed
        won += json.loads(arena.result())["winner_team_id"] == "blue"

    assert crossed > 0.7 * battles
    assert 0.3 * battles < won < 0.85 * battles
