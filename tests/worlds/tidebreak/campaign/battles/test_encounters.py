"""Who meets whom at sea."""

from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.battles.encounters import find_encounters
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.state import Passage


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
