"""Fleets: sailing, supplies, yards, missions, meetings."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.encounters import find_encounters
from diorama.worlds.tidebreak.campaign.kinds import (
    EncounterKind,
    Flow,
    MissionKind,
    MissionStatus,
    Resource,
    RouteStatus,
    Stance,
)
from diorama.worlds.tidebreak.campaign.missions import assign, follow_missions, new_mission
from diorama.worlds.tidebreak.campaign.movement import move_fleets, set_course
from diorama.worlds.tidebreak.campaign.muster import merge, split
from diorama.worlds.tidebreak.campaign.routes import run_routes
from diorama.worlds.tidebreak.campaign.state import Build, Passage
from diorama.worlds.tidebreak.campaign.upkeep import capacity, sustain_fleets
from diorama.worlds.tidebreak.campaign.wars import declare_war
from diorama.worlds.tidebreak.campaign.yards import work_yards


def test_a_fleet_sails_lane_by_lane(bots: Campaign) -> None:
    state, fleet = bots.state, bots.state.fleet("fleet-1")
    set_course(state, fleet, "narrows")
    places = []

    for _ in range(4):
        move_fleets(state)
        places.append(fleet.node)

    assert places == ["farm_east", None, "narrows", "narrows"]
    assert fleet.came_from == "farm_east"


def test_storms_and_slow_ships_lengthen_a_passage(bots: Campaign) -> None:
    state, fleet = bots.state, bots.state.fleet("fleet-1")
    state.node("narrows").sky.sea_state = 8.0
    state.ship(fleet.ships[0]).class_id = "arcology"
    fleet.node = "farm_east"
    set_course(state, fleet, "narrows")

    move_fleets(state)

    assert fleet.passage is not None
    assert fleet.passage.days_left == pytest.approx(2.0 * 1.5 * 1.32 - 1.0)


def test_a_fleet_without_fuel_stays_where_it_is(bots: Campaign) -> None:
    state, fleet = bots.state, bots.state.fleet("fleet-1")
    fleet.supply[Resource.FUEL] = 0.0
    set_course(state, fleet, "narrows")

    move_fleets(state)

    assert fleet.node == "new_providence"


def test_a_fleet_uses_stores_at_sea_fills_up_at_home_and_starves_without_food(bots: Campaign) -> None:
    state, fleet = bots.state, bots.state.fleet("fleet-1")
    fleet.node = "north_reach"
    full = fleet.supply[Resource.FUEL]
    sustain_fleets(state)
    at_sea = fleet.supply[Resource.FUEL]
    fleet.supply[Resource.FOOD] = 0.0
    sustain_fleets(state)
    hungry = state.ship(fleet.ships[0]).crew_share
    fleet.node = "new_providence"
    sustain_fleets(state)

    assert full - at_sea == pytest.approx(6.0 + 3 * 3.0 + 2 * 1.0 + 2 * 4.0)
    assert hungry == pytest.approx(0.98)
    assert fleet.supply[Resource.FOOD] == pytest.approx(capacity(state, fleet, Resource.FOOD), rel=0.05)


def test_fleets_part_and_join_with_their_stores(bots: Campaign) -> None:
    state, fleet = bots.state, bots.state.fleet("fleet-1")
    stores = dict(fleet.supply)

    part = split(state, fleet, fleet.ships[:2])
    parted = len(fleet.ships), len(part.ships)
    merge(state, fleet, part)

    assert parted == (6, 2)
    assert len(fleet.ships) == 8
    assert fleet.supply[Resource.FUEL] == pytest.approx(stores[Resource.FUEL])
    with pytest.raises(ContractError, match="can only be split by naming some of its ships"):
        split(state, fleet, list(fleet.ships))


def test_a_yard_takes_materials_first_and_delivers_later(bots: Campaign) -> None:
    state, hub = bots.state, bots.state.hub("new_providence")
    hub.builds.append(Build(class_id="cutter", days_left=7.0, is_begun=False, cause=None))
    ships = len(state.ships)

    for _ in range(7):
        hub.flows = {}
        work_yards(state)
        if not hub.builds:
            break

    assert len(state.ships) == ships + 1
    assert hub.stock[Resource.MATERIALS] == pytest.approx(2000.0 - 400.0)
    assert state.ledger[Flow.SPENT][Resource.FUEL] == pytest.approx(80.0)


def test_a_damaged_ship_is_mended_and_rearmed_in_port(bots: Campaign) -> None:
    state = bots.state
    ship = state.ship(state.fleet("fleet-1").ships[0])
    ship.hp_share, ship.systems, ship.ammo_share = 0.5, [0.5] * 5, 0.0

    work_yards(state)

    assert ship.hp_share == pytest.approx(0.55)
    assert ship.systems == pytest.approx([0.7] * 5)
    assert ship.ammo_share == 1.0
    assert state.hub("new_providence").stock[Resource.MATERIALS] == pytest.approx(2000.0 - 0.25 * 200 - 0.1 * 200)


def test_enemies_at_one_place_meet_and_neutrals_do_not(bots: Campaign) -> None:
    state = bots.state
    for name in ("fleet-1", "fleet-2"):
        state.fleet(name).node = "narrows"
    find_encounters(state)
    in_peace = len(state.encounters)
    declare_war(state, "dominion", "accord", cause=None)

    found = 0
    for day in range(1, 21):
        state.day, state.encounters = day, []
        find_encounters(state)
        found += len(state.encounters)

    assert in_peace == 0
    assert 8 <= found < 20  # a strait with scouts on both sides; the weaker side slips away now and then


def test_enemies_that_cross_on_a_lane_meet(bots: Campaign) -> None:
    state = bots.state
    declare_war(state, "dominion", "accord", cause=None)
    first, second = state.fleet("fleet-1"), state.fleet("fleet-3")
    first.node = second.node = None
    first.passage = Passage(origin="farm_east", target="narrows", days_left=1.0)
    second.passage = Passage(origin="narrows", target="farm_east", days_left=1.0)

    found = 0
    for day in range(1, 11):
        state.day, state.encounters = day, []
        find_encounters(state)
        found += len(state.encounters)

    assert found >= 4


def test_raiders_on_a_contested_route_fall_upon_the_convoy(bots: Campaign) -> None:
    state = bots.state
    declare_war(state, "dominion", "accord", cause=None)
    route = state.routes[0]
    route.destination, route.path = "free_port", ["new_providence", "south_deep", "free_port"]
    raider = state.fleet("fleet-3")
    raider.node, raider.stance = "south_deep", Stance.RAID

    for day in range(1, 60):
        state.day, state.hub("new_providence").stock[Resource.FOOD] = day, 9000.0
        run_routes(state)
        if state.encounters:
            break

    encounter = state.encounters[0]
    assert route.status is RouteStatus.CONTESTED
    assert encounter.kind is EncounterKind.CONVOY
    assert 2 <= len(encounter.defender.merchants) <= 4
    assert encounter.cargo[Resource.FOOD] > 0.0


def test_a_mission_is_done_after_its_days_on_station_and_pays_whoever_did_it(played: Campaign) -> None:
    state = played.state
    mission = new_mission(state, "free_port", MissionKind.RECON, "narrows", "narrows", days=20)
    fleet = state.fleet("fleet-1")
    assign(state, mission, [fleet])
    follow_missions(state)
    waiting = mission.status

    fleet.node = "narrows"
    follow_missions(state)

    assert waiting is MissionStatus.ASSIGNED
    assert mission.status is MissionStatus.DONE
    assert state.hub("new_providence").stock[Resource.MATERIALS] == pytest.approx(2020.0)
    assert state.faction("free_port").reputation == pytest.approx(0.55)
