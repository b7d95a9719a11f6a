"""Stocks, needs, routes: what is made, eaten, shipped and lost."""

import pytest

from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.economy.needs import supply_of
from diorama.worlds.tidebreak.campaign.economy.production import efficiency_of, produce
from diorama.worlds.tidebreak.campaign.economy.routes import run_routes, status_of
from diorama.worlds.tidebreak.campaign.economy.stocks import accounted, holdings
from diorama.worlds.tidebreak.campaign.kinds import (
    CrisisKind,
    EncounterKind,
    Flow,
    Resource,
    RouteKind,
    RouteStatus,
    Stance,
    Supply,
    Vocation,
)
from diorama.worlds.tidebreak.campaign.state import Crisis, Embargo


def test_starting_efficiency_is_the_one_the_scenario_was_balanced_for(bots: Campaign) -> None:
    efficiency = {hub.id: efficiency_of(bots.state, hub) for hub in bots.state.hubs}

    assert efficiency["new_providence"] == pytest.approx(0.88)
    assert efficiency["bastion"] == pytest.approx(0.835)
    assert efficiency["ironhold"] == pytest.approx(0.85 * 0.95)  # its food is rationed from the start


def test_a_day_makes_and_uses_what_the_table_of_the_scenario_says(bots: Campaign) -> None:
    produce(bots.state)

    flows = bots.state.hub("new_providence").flows
    assert flows[Flow.PRODUCED][Resource.FOOD] == pytest.approx(866, abs=1)
    assert flows[Flow.PRODUCED][Resource.WATER] == pytest.approx(803, abs=1)
    assert flows[Flow.PRODUCED][Resource.FUEL] == pytest.approx(148, abs=1)
    assert flows[Flow.PROCESSED][Resource.WATER] == pytest.approx(577, abs=1)
    assert flows[Flow.PROCESSED][Resource.FOOD] == pytest.approx(222, abs=1)


@pytest.mark.parametrize(
    ("days", "supply"),
    [
        pytest.param(31.0, Supply.COMFORTABLE, id="above-30"),
        pytest.param(30.0, Supply.ADEQUATE, id="30"),
        pytest.param(15.0, Supply.RATIONING, id="15"),
        pytest.param(7.0, Supply.CRITICAL, id="7"),
        pytest.param(0.5, Supply.EXHAUSTED, id="below-1"),
    ],
)
def test_days_of_supply_are_put_into_words(days: float, supply: Supply) -> None:
    assert supply_of(days) is supply


def test_every_unit_of_every_resource_is_accounted_for_on_every_day_of_a_war(bots: Campaign) -> None:
    declare_war(bots.state, "dominion", "accord", cause=None)

    for _ in range(80):
        bots.advance()

        held, explained = holdings(bots.state), accounted(bots.state)
        for resource in Resource:
            assert held[resource] == pytest.approx(explained[resource], abs=1e-6), (bots.day, resource)
        stores = [hub.stock for hub in bots.state.hubs] + [site.store for site in bots.state.sites]
        assert min(amount for store in stores for amount in store.values()) >= 0.0
        assert min((amount for f in bots.state.fleets for amount in f.supply.values()), default=0.0) >= 0.0
    assert bots.state.battles


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_embargo_starves_ironhold_in_the_time_the_scenario_was_balanced_for(seed: int) -> None:
    campaign = Campaign(seed=seed, player=None)
    campaign.state.embargoes.append(Embargo(by="accord", against="dominion", since_day=0))
    ironhold = campaign.state.hub("ironhold")
    first: dict[Supply, int] = {}

    for _ in range(22):
        campaign.advance()
        first.setdefault(ironhold.status[Resource.FOOD], campaign.day)

    assert 6 <= first[Supply.CRITICAL] <= 11
    assert 14 <= first[Supply.EXHAUSTED] <= 21


def test_without_an_embargo_trade_keeps_both_powers_fed_for_ninety_days(bots: Campaign) -> None:
    low = 99.0
    for _ in range(90):
        bots.advance()
        low = min(low, *(bots.state.hub(name).days[Resource.FOOD] for name in ("ironhold", "new_providence")))

    assert low > 9.0


def test_a_blockade_slows_a_route_and_smugglers_slip_through(bots: Campaign) -> None:
    state = bots.state
    route = state.routes[0]
    route.destination, route.path = "free_port", ["new_providence", "south_deep", "free_port"]
    declare_war(state, "dominion", "accord", cause=None)
    raider = state.fleet("fleet-2")
    raider.node, raider.stance = "south_deep", Stance.BLOCKADE

    run_routes(state)
    open_share = route.moved[Resource.FOOD] / route.goods[Resource.FOOD]
    route.kind = RouteKind.SMUGGLING
    run_routes(state)

    assert route.status is RouteStatus.BLOCKADED
    assert open_share == pytest.approx(0.05)
    assert sum(state.encounters[0].cargo.values() if state.encounters else route.moved.values()) == pytest.approx(160.0)


def test_a_strong_escort_turns_a_blockade_into_a_contest(bots: Campaign) -> None:
    state = bots.state
    declare_war(state, "dominion", "free_port", cause=None)
    state.routes[0].destination = "free_port"
    state.routes[0].path = ["new_providence", "south_deep", "free_port"]
    raider, escort = state.fleet("fleet-3"), state.fleet("fleet-1")
    raider.node, raider.stance = "south_deep", Stance.BLOCKADE
    before = status_of(state, state.routes[0])

    escort.node = "south_deep"

    assert before is RouteStatus.BLOCKADED
    assert status_of(state, state.routes[0]) is RouteStatus.CONTESTED


def test_a_strike_stops_seven_tenths_of_its_chains(bots: Campaign) -> None:
    hub = bots.state.hub("free_port")
    produce(bots.state)
    before = hub.flows[Flow.PRODUCED][Resource.FOOD]
    strike = Crisis(kind=CrisisKind.STRIKE, vocation=Vocation.AGRICULTURE, started_day=0, deadline_day=15, news=1)
    hub.crises.append(strike)

    produce(bots.state)

    assert hub.flows[Flow.PRODUCED][Resource.FOOD] == pytest.approx(0.3 * before)


def test_a_site_that_is_cut_off_stores_what_it_makes_and_sends_it_later(bots: Campaign) -> None:
    state = bots.state
    declare_war(state, "dominion", "accord", cause=None)
    raider = state.fleet("fleet-3")
    raider.node, raider.stance = "farm_west", Stance.BLOCKADE
    farm = next(site for site in state.sites if site.id == "farm_west")

    produce(state)
    is_cut_off, stored = farm.is_cut_off, farm.store[Resource.FOOD]
    raider.node = "bastion"
    produce(state)

    assert is_cut_off
    assert stored > 300.0
    assert farm.store[Resource.FOOD] == 0.0


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
