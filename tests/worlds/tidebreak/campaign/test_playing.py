"""Playing: orders, limits, news, the view, and campaigns that play themselves."""

import json
import random

import pytest

from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver, UnknownName
from diorama.contracts.values import canonical_json
from diorama.worlds.tidebreak.campaign import Campaign, campaign_view, parse_order
from diorama.worlds.tidebreak.campaign.battles.fighting import fight
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.economy.stocks import accounted, holdings
from diorama.worlds.tidebreak.campaign.kinds import DecisionKind, Resource
from diorama.worlds.tidebreak.campaign.orders import USAGE, Budget, Order, Verb, orders_left
from diorama.worlds.tidebreak.campaign.telling.chronicle import report
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight
from tests.worlds.tidebreak.campaign.stopping import pending


def test_every_listed_order_is_taken() -> None:
    probe = Campaign(seed=4, player="dominion", fight=quick_fight)
    declare_war(probe.state, "dominion", "accord", cause=None)
    text = probe.to_text()

    orders = probe.orders()

    assert {order.verb for order in orders} >= {Verb.MOVE, Verb.SPLIT, Verb.INVADE, Verb.PROPOSE, Verb.GOODS}
    for order in orders:
        fresh = Campaign.from_text(text, fight=quick_fight)
        assert fresh.submit(order.code)


def test_orders_of_a_day_are_limited(played: Campaign) -> None:
    for stance in ("PATROL", "RAID", "HOLD", "ESCORT", "BLOCKADE", "RETURN"):
        played.submit(f"stance fleet-1 {stance}")

    assert orders_left(played.state, Budget.FLEET) == 0
    assert not any(order.budget is Budget.FLEET for order in played.orders())
    with pytest.raises(ContractError, match="no fleet orders are left today"):
        played.submit("move fleet-1 narrows")
    played.advance()
    assert orders_left(played.state, Budget.FLEET) == 6


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        pytest.param("", ContractError, "is no order", id="empty"),
        pytest.param("fly fleet-1", ContractError, "orders begin with one of move", id="verb"),
        pytest.param("move fleet-1", ContractError, "not of the form: move FLEET NODE", id="form"),
        pytest.param("move fleet-9 narrows", UnknownName, "no fleet is called 'fleet-9'", id="fleet"),
        pytest.param("move fleet-2 narrows", ContractError, "is not yours", id="foreign-fleet"),
        pytest.param("move fleet-1 atlantis", UnknownName, "no place is called 'atlantis'", id="place"),
        pytest.param("stance fleet-1 ANGRY", ContractError, "is no stance", id="stance"),
        pytest.param("split fleet-1 nobody", ContractError, "can only be split by naming", id="split"),
        pytest.param("merge fleet-1 fleet-1", ContractError, "does not lie beside", id="merge"),
        pytest.param("mission 7 fleet-1", ContractError, "mission 7 is not offered", id="mission"),
        pytest.param("invade fleet-1 ironhold", ContractError, "propose DECLARE_WAR first", id="invade"),
        pytest.param("propose ironhold RATION", ContractError, "Ironhold is not yours", id="foreign-hub"),
        pytest.param("propose new_providence DANCE", ContractError, "is no decision", id="decision"),
        pytest.param("propose new_providence BUILD", ContractError, "BUILD needs a target: skimmer", id="no-target"),
        pytest.param("propose new_providence BUILD carrier", ContractError, "makes no sense", id="yard"),
        pytest.param("offer dominion TRADE", ContractError, "cannot be offered directly", id="treaty"),
        pytest.param("offer atlantis VASSALAGE", UnknownName, "no faction is called", id="faction"),
        pytest.param("accept 3", ContractError, "there is no offer 3", id="offer"),
        pytest.param("goods route-1 back FOOD 5", ContractError, "you do not send goods 'back'", id="direction"),
        pytest.param("goods route-1 out GOLD 5", ContractError, "is no resource", id="resource"),
        pytest.param("goods route-1 out FOOD nan", ContractError, "is no amount", id="amount"),
        pytest.param("goods route-1 out FOOD 451", ContractError, "takes 0 to 450", id="capacity"),
        pytest.param("siege 1 PURGE", ContractError, "there is no siege 1 of yours", id="siege"),
        pytest.param("covert dominion", ContractError, "and day 60", id="covert"),
        pytest.param("dismiss 999", ContractError, "holds no office of yours", id="dismiss"),
    ],
)
def test_a_wrong_order_is_refused_in_one_line_and_changes_nothing(
    played: Campaign, code: str, error: type[Exception], message: str
) -> None:
    before = played.to_text()

    with pytest.raises(error, match=message) as caught:
        played.submit(code)

    assert "\n" not in str(caught.value)
    assert played.to_text() == before


def test_an_order_survives_being_written_down() -> None:
    order = Order(verb=Verb.MOVE, arguments=("fleet-1", "narrows"))

    assert parse_order(order.code) == order
    assert set(USAGE) == set(Verb)


def test_goods_and_decisions_take_effect(played: Campaign) -> None:
    played.submit("goods route-1 out FOOD 100")
    played.submit("propose new_providence OPEN_TRADE free_port")

    played.advance(20)

    assert played.state.routes[0].moved[Resource.FOOD] == pytest.approx(100.0)
    assert any("passes trade with Free Port" in item.text for item in played.state.news)
    assert not any(d.kind is DecisionKind.OPEN_TRADE for d in played.state.hub("new_providence").government.queue)


def test_news_name_their_causes_to_the_root(played: Campaign) -> None:
    root = report(played.state, "war", "a war begins")
    battle = report(played.state, "battle", "two fleets meet", cause=root)
    end = report(played.state, "battle", "one of them wins", cause=battle)

    chain = played.explain(end)

    assert [item.text for item in chain] == ["one of them wins", "two fleets meet", "a war begins"]
    with pytest.raises(UnknownName, match="there is no news 99"):
        played.explain(99)


def test_a_new_campaign_refuses_what_does_not_exist() -> None:
    with pytest.raises(UnknownName, match="no campaign scenario is called 'nowhere'; there are: two_powers"):
        Campaign("nowhere")
    with pytest.raises(UnknownName, match="no faction is called 'pirates'"):
        Campaign(player="pirates")
    with pytest.raises(ConfigError, match="seed 0 is outside"):
        Campaign(seed=0)


def test_the_view_is_plain_json_and_lists_every_order(played: Campaign) -> None:
    played.advance(3)

    view = json.loads(canonical_json(campaign_view(played)))

    assert view["day"] == 3
    assert [node["id"] for node in view["nodes"]] == [node.id for node in played.state.nodes]
    assert [order["code"] for order in view["orders"]] == [order.code for order in played.orders()]
    stock = {row["resource"]: row for row in view["hubs"][3]["stock"]}
    food = stock["FOOD"]
    assert food["change"] == pytest.approx(sum(food["flows"].values()) + food["carried"])
    assert view["pending_battle"] is None


def test_the_view_shows_a_battle_that_waits(played: Campaign) -> None:
    pending(played)

    view = json.loads(canonical_json(campaign_view(played)))

    assert view["orders"] == []
    assert view["pending_battle"]["side"] == "accord"
    assert view["pending_battle"]["briefing"][0].startswith("Battle ctwo_powers.3-d")
    assert {ship["team_id"] for ship in view["pending_battle"]["ships"]} == {"accord", "dominion"}


def test_a_player_can_hand_over_to_a_bot(played: Campaign) -> None:
    report_ = played.advance(20, autopilot=True)

    assert report_.days == 20
    assert any("New Providence passes" in item.text for item in played.state.news)


def test_random_orders_never_break_a_campaign() -> None:
    campaign = Campaign(seed=11, player="dominion", fight=quick_fight)
    chance = random.Random(11)
    declare_war(campaign.state, "dominion", "accord", cause=None)

    for _ in range(25):
        for _ in range(3):
            orders = campaign.orders()
            if orders:
                campaign.submit(chance.choice(orders))
        day = campaign.advance()
        while day.pending is not None:
            day = campaign.auto()
        for resource in Resource:
            assert holdings(campaign.state)[resource] == pytest.approx(accounted(campaign.state)[resource], abs=1e-6)


def test_a_short_campaign_plays_itself_to_its_end(bots: Campaign) -> None:
    bots.state.last_day = 12

    ending = bots.play_to_end()

    assert (ending.day, ending.reason) == (12, "day 12 is over")
    assert ending.winner in ("accord", "dominion")
    with pytest.raises(EpisodeOver, match="ended on day 12"):
        bots.advance()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_whole_campaigns_play_themselves_with_wars_treaties_and_new_governments() -> None:
    seen = dict.fromkeys(("war", "treaty", "government"), 0)
    seeds = range(1, 21)

    for seed in seeds:
        campaign = Campaign(seed=seed, player=None, fight=fight)
        while campaign.ending is None:
            campaign.advance()
            held, explained = holdings(campaign.state), accounted(campaign.state)
            assert max(abs(held[r] - explained[r]) for r in Resource) < 1e-6
            assert min(amount for hub in campaign.state.hubs for amount in hub.stock.values()) >= 0.0
        topics = {item.topic for item in campaign.state.news if item.day > 0}
        for topic in seen:
            seen[topic] += topic in topics

    assert {topic: count >= 0.6 * len(seeds) for topic, count in seen.items()} == dict.fromkeys(seen, True), seen
