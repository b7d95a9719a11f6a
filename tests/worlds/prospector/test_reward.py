import numpy as np
import pytest

from diorama.contracts.records import StepRecord
from diorama.worlds.prospector.bots.prudent_hauler import PrudentHauler
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import PRICE_BASE
from diorama.worlds.prospector.reference.state import State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import QUIET, Pilot, find_rng

V1_TERMS = ("sale", "extract", "fuel", "time", "wear", "heat", "damage", "scan", "invalid", "pirate", "terminal")
V2_TERMS = ("credits", "ore", "time", "damage", "heat", "invalid", "terminal")


def worth(state: State, prices: "list[float] | tuple[float, ...]") -> float:
    total = 0.0
    for units, price in zip(state.ship.cargo, prices, strict=True):
        total += units * price
    return total


def v1_terms(before: State, after: State, record: StepRecord) -> dict[str, float]:
    """The terms of a step that did not end its episode, each evaluated left to right."""
    old, new = before.ship, after.ship
    hot = max(0.0, new.heat - 70.0) / 100.0
    lost = after.counters.value_lost_to_pirates - before.counters.value_lost_to_pirates
    return {
        "sale": (new.credits - old.credits) / 1000.0,
        "extract": 0.02 * max(0.0, worth(after, after.market.price) - worth(before, before.market.price)) / 1000.0,
        "fuel": -0.10 * max(0.0, old.fuel - new.fuel) / 100.0,
        "time": -0.001 * record.dt,
        "wear": -0.05 * max(0.0, old.tool - new.tool) / 10.0,
        "heat": -0.20 * hot * hot,
        "damage": -1.00 * max(0.0, old.hull - new.hull) / 10.0,
        "scan": -0.005 if record.effective[0] in ((8,), (9,), (10,)) else 0.0,
        "invalid": -0.01 if record.info["invalid_action"] else 0.0,
        "pirate": -1.00 * lost / 1000.0,
        "terminal": 0.0,
    }


def v2_terms(before: State, after: State, record: StepRecord) -> dict[str, float]:
    """Like `v1_terms`, for the other profile."""
    old, new = before.ship, after.ship
    hot = max(0.0, new.heat - 70.0) / 100.0
    return {
        "credits": (new.credits - old.credits) / 1000.0,
        "ore": 0.5 * (worth(after, PRICE_BASE) - worth(before, PRICE_BASE)) / 1000.0,
        "time": -0.0002 * record.dt,
        "damage": -0.001 * max(0.0, old.hull - new.hull),
        "heat": -0.20 * hot * hot,
        "invalid": -0.01 if record.info["invalid_action"] else 0.0,
        "terminal": 0.0,
    }


def in_order(terms: dict[str, float]) -> float:
    first, *rest = terms.values()
    total = first
    for term in rest:
        total += term
    return total


@pytest.mark.parametrize(
    ("profile", "expected_terms", "names"),
    [pytest.param("v1", v1_terms, V1_TERMS, id="v1"), pytest.param("v2", v2_terms, V2_TERMS, id="v2")],
)
@pytest.mark.parametrize("style", ["haul", "stumble"])
def test_every_step_pays_the_terms_of_its_profile(
    fly: Fly, profile: str, expected_terms: object, names: tuple[str, ...], style: str
) -> None:
    assert callable(expected_terms)
    pilot = fly(seed=3, reward_profile=profile)
    pilot.put(cargo=[5.0] * 6, heat=90.0, fuel=700.0)
    bot, rng = PrudentHauler(), np.random.default_rng(1)

    for _ in range(120):
        before = pilot.state
        valid = np.flatnonzero(pilot.mask[: Act.CASH_OUT_END_EPISODE])
        action = bot.act(pilot.obs, pilot.batch.obs_u8[0], pilot.mask)[0] if style == "haul" else int(rng.choice(valid))
        record = pilot.step(action if rng.random() < 0.9 else 200)
        if record.terminated[0] or record.truncated[0]:
            break
        (terms,) = record.reward_terms
        expected = expected_terms(before, pilot.state, record)
        assert tuple(terms) == names
        assert dict(terms) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert record.rewards[0] == in_order(dict(terms))
        assert pilot.batch.rewards[0] == np.float32(record.rewards[0])


def test_invalid_actions_cost_what_the_configuration_says(fly: Fly) -> None:
    pilot = fly(invalid_action_pen=0.5)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    assert record.reward_terms[0]["invalid"] == -0.5
    assert record.rewards[0] == pytest.approx(-0.501)


@pytest.mark.parametrize("profile", ["v1", "v2"])
def test_more_heat_costs_more(fly: Fly, profile: str) -> None:
    rewards = []
    for heat in (60.0, 80.0, 100.0):
        pilot = fly(reward_profile=profile)
        pilot.put(heat=heat)
        rewards.append(pilot.step(Act.DOCK).rewards[0])

    assert rewards[0] > rewards[1] > rewards[2]


def test_burning_fuel_scores_lower_than_holding(fly: Fly) -> None:
    burn, hold = fly().try_each([Act.EMERGENCY_BURN, Act.HOLD_DRIFT])

    assert burn.record.rewards[0] == pytest.approx(hold.record.rewards[0] - 0.018)


def one_more_hit(pilot: Pilot) -> None:
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.ship.hull = 1, 0, 1.0
        state.rng = find_rng(lambda draws: draws[2] < 0.01)


@pytest.mark.parametrize(
    ("profile", "terminal"),
    [pytest.param("v1", 0.002 * 5000.0 / 1000.0, id="v1"), pytest.param("v2", 0.0, id="v2")],
)
def test_cashing_out_pays_a_bonus_under_v1_only(fly: Fly, profile: str, terminal: float) -> None:
    pilot = fly(reward_profile=profile)
    pilot.put(credits=5000.0)

    record = pilot.step(Act.CASH_OUT_END_EPISODE)

    assert record.reward_terms[0]["terminal"] == pytest.approx(terminal)


@pytest.mark.parametrize(("profile", "terminal"), [("v1", -100.0), ("v2", -10.0)])
def test_destruction_is_the_worst_ending(fly: Fly, profile: str, terminal: float) -> None:
    pilot = fly(**QUIET, reward_profile=profile)
    one_more_hit(pilot)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    assert record.info["destroyed"] is True
    assert record.reward_terms[0]["terminal"] == terminal


@pytest.mark.parametrize(("profile", "terminal"), [("v1", -50.0), ("v2", -5.0)])
def test_being_stranded_is_bad_enough(fly: Fly, profile: str, terminal: float) -> None:
    pilot = fly(**QUIET, reward_profile=profile)
    pilot.put(node=1, fuel=18.0)

    record = pilot.step(Act.EMERGENCY_BURN)

    assert record.info["stranded"] is True
    assert record.reward_terms[0]["terminal"] == terminal


@pytest.mark.parametrize(("profile", "terminal"), [("v1", -150.0), ("v2", -10.0)])
def test_destroyed_and_stranded_at_once_add_up_under_v1_only(fly: Fly, profile: str, terminal: float) -> None:
    pilot = fly(pirates=False, reward_profile=profile)
    pilot.put(node=1, fuel=18.0, hull=1e-9)

    record = pilot.step(Act.EMERGENCY_BURN)

    assert (record.info["destroyed"], record.info["stranded"]) == (True, True)
    assert record.reward_terms[0]["terminal"] == terminal


def test_running_out_of_time_pays_the_bonus_of_v1(fly: Fly) -> None:
    pilot = fly(time_max=1)
    pilot.put(credits=3000.0)

    record = pilot.step(Act.HOLD_DRIFT)

    assert record.truncated == (True,)
    assert record.reward_terms[0]["terminal"] == pytest.approx(0.006)


def test_unsold_ore_is_worth_nothing_in_the_end_under_v2(fly: Fly) -> None:
    pilot = fly(reward_profile="v2")
    before = pilot.put(cargo=[10.0] * 6)

    record = pilot.step(Act.CASH_OUT_END_EPISODE)

    assert record.reward_terms[0]["ore"] == pytest.approx(-0.5 * worth(before, PRICE_BASE) / 1000.0)


def test_ore_credit_cannot_be_farmed_under_v2(fly: Fly) -> None:
    pilot = fly(reward_profile="v2")
    pilot.put(cargo=[0.0, 0.0, 0.0, 0.0, 200.0, 0.0])

    rewards = [pilot.step(Act.HOLD_DRIFT).rewards[0] for _ in range(10)]

    assert rewards == pytest.approx([-0.0002] * 10)


def test_an_opening_pays_nothing(fly: Fly) -> None:
    record = fly().batch.opening_record(0)

    assert record.rewards == (0.0,)
    assert record.reward_terms == ({},)
