import pytest

from diorama.worlds.townlet.codes import Price
from diorama.worlds.townlet.config.economy import basket_cost
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.systems.needs import change_need, decay_needs
from diorama.worlds.townlet.reference.systems.perturbations.effects import activate, end_event
from diorama.worlds.townlet.reference.systems.prices import set_baseline
from diorama.worlds.townlet.reference.systems.rollover import roll_over
from tests.worlds.townlet.towns import obj, of_kind, set_needs, town_of


def test_needs_fade_at_their_rates_and_never_below_nothing() -> None:
    town = town_of()
    (citizen,) = town.living()
    citizen.needs = [0.7, 0.7, 0.0005]

    decay_needs(town)

    assert citizen.needs == [0.7 - 0.0012, 0.7 - 0.0006, 0.0]


def test_a_profile_changes_decay_only_where_the_feature_is_on() -> None:
    town = town_of(
        {
            "features": {"behavior": {"reward_multipliers": True}},
            "personalities": {"distribution": {"balanced": 0, "stoic": 1}},
        }
    )
    (citizen,) = town.living()

    decay_needs(town)

    assert citizen.needs[0] == 0.7 - 0.0012 * 0.95


def test_crossing_the_critical_threshold_is_told_once() -> None:
    town = town_of()
    (citizen,) = town.living()
    set_needs(citizen, hunger=0.16)
    town.events.clear()

    change_need(town, citizen, 0, -0.02)
    change_need(town, citizen, 0, -0.02)

    (told,) = of_kind(town, town.events, EventKind.NEED_CRITICAL)
    assert told == {"agent_id": "citizen_000", "need": "hunger", "value": pytest.approx(0.14)}


def test_the_basket_is_what_the_specification_says() -> None:
    assert basket_cost((0.4, 0.15, 0.2, 1.5)) == pytest.approx(3.1)


def test_midnight_restocks_then_takes_rent() -> None:
    town = town_of(population=2)
    rich, poor = town.living()
    rich.wallet, poor.wallet = 2.0, 1.0
    town.objects[obj(town, "cafe_fridge_1")].stock[0] = 20
    town.events.clear()
    town.tick = 1000

    roll_over(town)

    assert town.objects[obj(town, "cafe_fridge_1")].stock[0] == 24
    assert town.objects[obj(town, "till_1")].stock[1] == 60
    assert town.objects[obj(town, "fridge_1")].stock[0] == 2
    assert (rich.wallet, poor.wallet, poor.decline.rent_arrears) == (0.5, 1.0, 1)
    assert [event["amount"] for event in of_kind(town, town.events, EventKind.STOCK_REPLENISH)] == [4, 20]
    assert of_kind(town, town.events, EventKind.RENT_MISSED) == [{"agent_id": "citizen_001", "arrears_days": 1}]


def test_nothing_rolls_over_at_the_very_start_or_during_the_day() -> None:
    town = town_of()
    for tick in (0, 1, 999, 1001):
        town.tick = tick
        town.events.clear()
        roll_over(town)
        assert not town.events


def test_spikes_multiply_in_order_and_prices_come_back_exactly() -> None:
    town = town_of()
    first = CityEvent(1, 0, 0, 0, 50, magnitude=1.37, prices=1 << Price.MEAL)
    second = CityEvent(2, 0, 0, 0, 50, magnitude=1.21, prices=1 << Price.MEAL | 1 << Price.INGREDIENTS)

    activate(town, first)
    activate(town, second)
    assert town.economy.live[Price.MEAL] == 0.4 * 1.37 * 1.21
    end_event(town, first)
    end_event(town, second)

    assert town.economy.live == [0.4, 0.15, 0.2, 1.5]


def test_a_baseline_that_leaves_workers_short_is_warned_of() -> None:
    town = town_of()
    town.events.clear()

    set_baseline(town, Price.RENT, 2.0)

    assert of_kind(town, town.events, EventKind.ECONOMY_PRICE_UPDATE) == [
        {"key": "rent_per_day", "baseline": 2.0, "value": 2.0}
    ]
    assert {told["job_id"] for told in of_kind(town, town.events, EventKind.ECONOMY_WARNING)} >= {"grocer", "attendant"}
