"""From an encounter to a package, through a battle, and back."""

from collections.abc import Mapping
from itertools import combinations

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.battles.encounter_making import new_encounter
from diorama.worlds.tidebreak.campaign.battles.fighting import fight
from diorama.worlds.tidebreak.campaign.battles.package import battle_package
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.economy.stocks import accounted, holdings
from diorama.worlds.tidebreak.campaign.fleets.missions import assign, new_mission
from diorama.worlds.tidebreak.campaign.fleets.muster import new_fleet, new_ship
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import EncounterKind, MapStyle, MissionKind, Resource, Stance
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Force
from diorama.worlds.tidebreak.codes import ObjectiveType, ShipFate
from diorama.worlds.tidebreak.packages import BattlePackage, BattleResult, ResultError
from diorama.worlds.tidebreak.resolve import resolve
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight
from tests.worlds.tidebreak.campaign.stopping import pending


def meeting(state: CampaignState, node: str, *, fixtures: tuple[str, ...] = ()) -> Encounter:
    declare_war(state, "dominion", "accord", cause=None)
    for name in ("fleet-1", "fleet-3"):
        state.fleet(name).node = node
    return new_encounter(
        state,
        EncounterKind.FLEETS,
        node,
        attacker=Force(faction="dominion", fleets=["fleet-3"], origin="narrows" if node != "narrows" else "bastion"),
        defender=Force(faction="accord", fleets=["fleet-1"], fixtures=list(fixtures)),
        key=(3, 1),
        cause=None,
    )


@pytest.mark.parametrize("node", ["narrows", "south_deep", "farm_east", "drowned_city", "ironhold", "free_port"])
@pytest.mark.parametrize("day", [1, 2])
def test_every_place_makes_a_sound_package(bots: Campaign, node: str, day: int) -> None:
    bots.state.day = day
    package = battle_package(bots.state, meeting(bots.state, node))

    assert resolve(package).battle.units
    assert package.battle_id == f"ctwo_powers.3-d{day}-1"
    assert package.map.edges == "open"
    assert package.time_limit_s == 1800.0


def test_a_package_is_the_same_every_time_it_is_asked_for(bots: Campaign) -> None:
    encounter = meeting(bots.state, "narrows")

    assert battle_package(bots.state, encounter) == battle_package(bots.state, encounter)


def test_sides_start_apart_with_submarines_ahead_and_freighters_behind(bots: Campaign) -> None:
    bots.state.node("south_deep").sky.sea_state = 0.0
    package = battle_package(bots.state, meeting(bots.state, "south_deep"))
    from_middle = {ship.class_id: (ship.initial_state.x**2 + ship.initial_state.y**2) ** 0.5 for ship in package.ships}

    assert from_middle["frigate"] == pytest.approx(6000.0, abs=250.0)
    assert from_middle["attack_sub"] == pytest.approx(5000.0, abs=10.0)
    assert from_middle["freighter"] == pytest.approx(7500.0, abs=20.0)
    assert {s.initial_state.layer.name for s in package.ships if s.class_id == "attack_sub"} == {"SUBMERGED"}


def test_more_than_sixty_four_ships_leave_the_cheapest_in_reserve(bots: Campaign) -> None:
    encounter = meeting(bots.state, "narrows")
    crowd = new_fleet(bots.state, "dominion", "narrows")
    for _ in range(60):
        crowd.ships.append(new_ship(bots.state, "skimmer", "dominion", "ironhold").id)
    encounter.attacker.fleets.append(crowd.id)

    package = battle_package(bots.state, encounter)

    assert len(package.ships) == 64
    assert sum(ship.class_id == "skimmer" for ship in package.ships) == 64 - 8 - 7
    for first, second in combinations(package.ships, 2):
        gap = (first.initial_state.x - second.initial_state.x) ** 2 + (
            first.initial_state.y - second.initial_state.y
        ) ** 2
        assert gap > 0.0


@pytest.mark.parametrize(
    ("stance", "objective"),
    [
        pytest.param(Stance.BLOCKADE, ObjectiveType.INTERCEPT, id="blockade"),
        pytest.param(Stance.RAID, ObjectiveType.RAID, id="raid"),
        pytest.param(Stance.HOLD, None, id="hold"),
    ],
)
def test_a_stance_becomes_objectives(bots: Campaign, stance: Stance, objective: ObjectiveType | None) -> None:
    encounter = meeting(bots.state, "narrows")
    bots.state.fleet("fleet-3").stance = stance

    package = battle_package(bots.state, encounter)

    given = {None if s.objective is None else s.objective.type for s in package.ships if s.team_id == "dominion"}
    assert given == {objective}


def test_invaders_land_on_the_city_and_escorts_stay_with_the_convoy(bots: Campaign) -> None:
    state = bots.state
    city = str(state.hub("new_providence").hull)
    encounter = meeting(state, "new_providence", fixtures=(city,))
    assign(
        state,
        new_mission(state, "dominion", MissionKind.INVASION, "new_providence", "new_providence", days=30),
        [state.fleet("fleet-3")],
    )
    state.fleet("fleet-1").stance = Stance.ESCORT

    package = battle_package(state, encounter)

    tasks = {ship.ship_id: ship.objective for ship in package.ships}
    landing = next(task for name, task in tasks.items() if "assault_transport" in name)
    guards = [task.type for name, task in tasks.items() if name.startswith("accord-") and task is not None]
    assert landing is not None
    assert (landing.type, landing.target) == (ObjectiveType.CAPTURE, city)
    assert guards.count(ObjectiveType.PROTECT) == 3
    assert guards.count(ObjectiveType.SCREEN) == 3
    assert guards.count(ObjectiveType.EVADE) == 2


def test_carried_damage_ammunition_and_morale_enter_the_package(bots: Campaign) -> None:
    state = bots.state
    encounter = meeting(state, "narrows")
    ship = state.ship(state.fleet("fleet-1").ships[0])
    ship.hp_share, ship.ammo_share, ship.systems[0] = 0.4, 0.5, 0.3
    fresh = state.ship(state.fleet("fleet-3").ships[0])

    package = battle_package(state, encounter)

    by_id = {snapshot.ship_id: snapshot for snapshot in package.ships}
    hurt, whole = by_id[ship.id], by_id[fresh.id]
    assert hurt.initial_state.hp == pytest.approx(0.4 * ship_class("frigate").hull.hp)
    assert hurt.initial_state.ammo is not None
    assert hurt.initial_state.ammo[0] == 70
    assert hurt.damage_state is not None
    assert min(report.fraction for report in hurt.damage_state.systems.values()) == pytest.approx(0.3)
    assert 0.05 <= hurt.crew.morale < whole.crew.morale <= 1.0


def test_a_battle_of_the_player_stops_the_day_and_its_result_is_applied_once(played: Campaign) -> None:
    result = pending(played)
    with pytest.raises(ContractError, match="a battle waits"):
        played.advance()
    with pytest.raises(ContractError, match="a battle waits"):
        played.submit("stance fleet-1 PATROL")
    lost = {outcome.ship_id for outcome in result.ships if outcome.fate in (ShipFate.DESTROYED, ShipFate.SCUTTLED)}

    report = played.apply(result)

    assert report.days == 1
    assert played.pending_battle is None
    assert lost.isdisjoint(played.state.ships)
    assert [record.battle_id for record in played.state.battles] == [result.battle_id]
    with pytest.raises(ContractError, match="has been applied already"):
        played.apply(result)


def test_a_result_of_another_battle_is_refused_and_changes_nothing(played: Campaign) -> None:
    result = pending(played)
    before = played.to_text()

    with pytest.raises(ResultError, match="battle_id"):
        played.apply(result.model_copy(update={"battle_id": "somewhere-else"}))

    assert played.to_text() == before


def test_captured_ships_change_their_flag_and_the_dead_their_home(played: Campaign) -> None:
    result = pending(played)
    taken = [o for o in result.ships if o.fate is ShipFate.CAPTURED]
    people = {hub.id: hub.population for hub in played.state.hubs}

    played.apply(result)

    for outcome in taken:
        ship = played.state.ship(outcome.ship_id)
        assert ship.owner == outcome.captor_team_id
        assert ship.crew_share == pytest.approx(0.5)
    assert sum(hub.population for hub in played.state.hubs) < sum(people.values())


def test_every_battle_of_a_long_war_is_fought_and_applied_exactly_once() -> None:
    fought: list[str] = []

    def counting(package: BattlePackage, controllers: Mapping[str, str]) -> BattleResult:
        fought.append(package.battle_id)
        return quick_fight(package, controllers)

    campaign = Campaign(seed=3, player=None, fight=counting)
    declare_war(campaign.state, "dominion", "accord", cause=None)
    campaign.advance(45)

    assert fought
    assert len(set(fought)) == len(fought)
    assert [record.battle_id for record in campaign.state.battles] == fought


def test_a_small_battle_is_fought_by_the_real_arena(bots: Campaign) -> None:
    state = bots.state
    encounter = meeting(state, "south_deep")
    for name, kept in (("fleet-1", "cutter"), ("fleet-3", "corvette")):
        fleet = state.fleet(name)
        fleet.ships = [ship_id for ship_id in fleet.ships if kept in ship_id][:1]
    state.node("south_deep").style = MapStyle.OPEN
    package = battle_package(state, encounter).model_copy(update={"time_limit_s": 60.0})

    result = fight(package, {})

    assert [outcome.ship_id for outcome in result.ships] == [ship.ship_id for ship in package.ships]
    assert result.duration_s <= 60.0


def test_a_war_is_fought_by_the_real_arena() -> None:
    campaign = Campaign(seed=2, player=None)
    declare_war(campaign.state, "dominion", "accord", cause=None)

    campaign.advance(30)

    assert campaign.state.battles
    for resource in Resource:
        assert holdings(campaign.state)[resource] == pytest.approx(accounted(campaign.state)[resource], abs=1e-6)
