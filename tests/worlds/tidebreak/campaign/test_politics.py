"""Governments, decisions, opinion and crises."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.kinds import (
    Bloc,
    CrisisKind,
    DecisionKind,
    GovernmentKind,
)
from diorama.worlds.tidebreak.campaign.politics.crises import let_fail
from diorama.worlds.tidebreak.campaign.politics.legitimacy import band
from diorama.worlds.tidebreak.campaign.politics.proposals import propose
from diorama.worlds.tidebreak.campaign.politics.upheavals import check_upheavals
from diorama.worlds.tidebreak.campaign.politics.voting import decide, price_of_passing, support_for
from diorama.worlds.tidebreak.campaign.state import Crisis


@pytest.mark.parametrize(
    ("hub", "kind", "target", "support"),
    [
        pytest.param("new_providence", DecisionKind.DECLARE_WAR, "dominion", 0.20 / 0.75, id="war"),
        pytest.param("new_providence", DecisionKind.OPEN_TRADE, "free_port", 0.50 / 0.675, id="trade"),
        pytest.param("ironhold", DecisionKind.REFORM, "AUTOCRACY", 0.20, id="reform"),
        pytest.param("free_port", DecisionKind.INVEST, "KELP", 0.425 / 0.475 + 0.1, id="prosperity-counts"),
    ],
)
def test_support_is_the_share_of_raised_voices(
    bots: Campaign, hub: str, kind: DecisionKind, target: str, support: float
) -> None:
    assert support_for(bots.state.hub(hub), kind, target) == pytest.approx(support)


def test_missing_votes_can_be_bought_with_political_capital_and_cost_legitimacy(played: Campaign) -> None:
    hub = played.state.hub("new_providence")
    before = hub.government.capital, hub.government.legitimacy
    price = price_of_passing(hub, DecisionKind.MOBILISE, None, is_pressed=True)
    decision = propose(played.state, hub, DecisionKind.MOBILISE, None, proposer="accord", is_pressed=True)

    decide(played.state, hub, decision)

    assert price is not None
    assert price.capital == pytest.approx(100.0 * (0.45 - 0.25 / 0.675))
    assert hub.government.capital == pytest.approx(before[0] - price.capital)
    assert hub.government.legitimacy < before[1]


def test_a_rejected_decision_is_blocked_for_twenty_days(played: Campaign) -> None:
    hub = played.state.hub("new_providence")
    decision = propose(played.state, hub, DecisionKind.DECLARE_WAR, "dominion", proposer="accord")
    hub.government.queue.remove(decision)

    decide(played.state, hub, decision)

    assert not played.state.are_at_war("accord", "dominion")
    with pytest.raises(ContractError, match="rejected this lately; it may be asked again after day 20"):
        propose(played.state, hub, DecisionKind.DECLARE_WAR, "dominion", proposer="accord")


def test_supporters_are_content_and_opponents_grow_radical(played: Campaign) -> None:
    hub = played.state.hub("new_providence")

    decide(played.state, hub, propose(played.state, hub, DecisionKind.OPEN_TRADE, "free_port", proposer="accord"))

    traders, traditionalists = hub.bloc(Bloc.TRADERS), hub.bloc(Bloc.TRADITIONALISTS)
    assert [traders.satisfaction, traders.radicalization] == pytest.approx([0.55, 0.08])
    assert [traditionalists.satisfaction, traditionalists.radicalization] == pytest.approx([0.45, 0.12])


def test_a_democracy_deliberates_longer_than_an_autocrat(played: Campaign) -> None:
    state = played.state
    for hub_id, owner in (("new_providence", "accord"), ("bastion", "dominion")):
        propose(state, state.hub(hub_id), DecisionKind.SECURITY_SWEEP, None, proposer=owner, is_pressed=True)

    played.advance(3)

    assert state.hub("new_providence").government.queue
    assert not any(d.kind is DecisionKind.SECURITY_SWEEP for d in state.hub("bastion").government.queue)


def test_a_crisis_that_nobody_answers_costs_legitimacy(played: Campaign) -> None:
    hub = played.state.hub("new_providence")
    hub.crises.append(Crisis(kind=CrisisKind.RIOT, vocation=None, started_day=0, deadline_day=0, news=1))

    let_fail(played.state, hub)

    assert not hub.crises
    assert hub.government.legitimacy == pytest.approx(0.55)


def test_the_matching_decision_ends_a_crisis(played: Campaign) -> None:
    hub = played.state.hub("new_providence")
    hub.crises.append(Crisis(kind=CrisisKind.RIOT, vocation=None, started_day=0, deadline_day=15, news=1))

    decide(played.state, hub, propose(played.state, hub, DecisionKind.WELFARE, None, proposer="accord"))

    assert not hub.crises
    assert hub.government.legitimacy == pytest.approx(0.62)


def test_a_collapsed_government_falls_to_a_revolution_and_anarchy_ends_in_another(bots: Campaign) -> None:
    state, hub = bots.state, bots.state.hub("ironhold")
    hub.government.legitimacy = 0.1
    seen: list[GovernmentKind] = []

    for day in range(1, 18):
        state.day = day
        check_upheavals(state, hub)
        seen.append(hub.government.kind)

    assert seen[3] is GovernmentKind.MILITARY_JUNTA
    assert seen[4] is GovernmentKind.ANARCHY
    assert seen[-1] is GovernmentKind.MILITARY_JUNTA
    assert hub.government.legitimacy == pytest.approx(0.55)


def test_radicals_stage_a_coup_when_legitimacy_is_low(bots: Campaign) -> None:
    state, hub = bots.state, bots.state.hub("bastion")
    hub.government.legitimacy = 0.25
    hub.bloc(Bloc.TRADITIONALISTS).radicalization = 1.0

    for day in range(10, 2000, 10):
        state.day = day
        check_upheavals(state, hub)
        if hub.government.kind is GovernmentKind.ANARCHY:
            break

    assert hub.government.successor is GovernmentKind.AUTOCRACY
    assert "a coup of the traditionalists" in state.news[-1].text


@pytest.mark.parametrize(
    ("legitimacy", "word"), [(0.6, "stable"), (0.5, "strained"), (0.2, "crisis"), (0.19, "collapse")]
)
def test_legitimacy_has_bands(legitimacy: float, word: str) -> None:
    assert band(legitimacy) == word
