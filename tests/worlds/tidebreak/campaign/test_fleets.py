"""Fleets: sailing, supplies, yards, missions."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.fleets.missions import assign, follow_missions, new_mission
from diorama.worlds.tidebreak.campaign.fleets.movement import move_fleets, set_course
from diorama.worlds.tidebreak.campaign.fleets.muster import merge, split
from diorama.worlds.tidebreak.campaign.fleets.upkeep import capacity, sustain_fleets
from diorama.worlds.tidebreak.campaign.fleets.yards import work_yards
from diorama.worlds.tidebreak.campaign.kinds import (
    Flow,
    MissionKind,
    MissionStatus,
    Resource,
)
from diorama.worlds.tidebreak.campaign.state import Build


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
