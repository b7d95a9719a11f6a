"""Treaties and wars."""

import pytest

from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.diplomacy.treaties import offer_treaty, sign, would_accept
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.economy.routes import status_of
from diorama.worlds.tidebreak.campaign.kinds import RouteStatus, TreatyKind


def test_a_declared_war_ends_treaties_closes_routes_and_calls_allies(bots: Campaign) -> None:
    state = bots.state
    sign(state, "accord", "free_port", TreatyKind.MUTUAL_DEFENSE, cause=None)

    declare_war(state, "dominion", "accord", cause=None)

    assert not state.has_treaty("accord", "dominion", TreatyKind.TRADE)
    assert status_of(state, state.routes[0]) is RouteStatus.CLOSED
    assert state.are_at_war("free_port", "dominion")
    assert state.relation("accord", "dominion").disposition == pytest.approx(-1.0)


def test_a_treaty_needs_good_will_and_a_long_war_makes_peace_welcome(bots: Campaign) -> None:
    state = bots.state
    assert would_accept(state, "free_port", "accord", TreatyKind.NON_AGGRESSION)
    assert not would_accept(state, "dominion", "accord", TreatyKind.MUTUAL_DEFENSE)
    declare_war(state, "accord", "dominion", cause=None)

    refused = would_accept(state, "dominion", "accord", TreatyKind.CEASEFIRE)
    state.day = 300

    assert not refused
    assert would_accept(state, "dominion", "accord", TreatyKind.CEASEFIRE)


def test_an_offer_to_the_player_waits_for_an_answer(played: Campaign) -> None:
    offer_treaty(played.state, "free_port", "accord", TreatyKind.TRADE, cause=None)
    routes = len(played.state.routes)

    played.submit("accept 1")

    assert played.state.has_treaty("accord", "free_port", TreatyKind.TRADE)
    assert len(played.state.routes) == routes + 1
