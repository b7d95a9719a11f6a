from math import log

import pytest

from diorama.numerics import sigmoid
from diorama.worlds.prospector.contract import Act
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import FIELD_DRAWS, FIELD_NODE, QUIET, copy_of, find_rng

PIRATES_COME = find_rng(lambda draws: draws[1] < 0.01)  # after one draw for a hazard


@pytest.mark.parametrize("escape_ticks", [0, 2, 3], ids=["open", "escape-running-out", "escaping"])
@pytest.mark.parametrize("dt_action", [Act.EMERGENCY_BURN, Act.ACTIVE_COOLDOWN], ids=["one-tick", "two-ticks"])
def test_the_chance_of_pirates_follows_threat_alert_and_value(fly: Fly, escape_ticks: int, dt_action: int) -> None:
    pilot = fly(hazards=False)
    before = pilot.put(node=FIELD_NODE, alert=40.0, cargo=[20.0] * 6, escape_ticks=escape_ticks)
    dt, alert, escapes = {
        Act.EMERGENCY_BURN: (1, 50.0, True),
        Act.ACTIVE_COOLDOWN: (2, 41.0, escape_ticks > 2),
    }[dt_action]
    value = sum(20.0 * price for price in before.market.price)
    logit = -4.0 + 3.0 * before.here.pirate + 2.2 * alert / 100 + 0.8 * log(1 + value / 1000) - 2.8 * escapes
    chance = 1.0 - (1.0 - sigmoid(logit)) ** dt
    just_below = find_rng(lambda draws: chance - 0.02 < draws[1] < chance)
    just_above = find_rng(lambda draws: chance < draws[1] < chance + 0.02)

    for rng, is_met in ((just_below, 1), (just_above, 0)):
        with pilot.edit() as state:
            state.rng = copy_of(rng)
        (outcome,) = pilot.try_each([dt_action])

        assert outcome.record.metrics[0][5] == is_met


@pytest.mark.parametrize("decoys", [0, 3])
def test_an_encounter_takes_cargo_hull_and_quiet(fly: Fly, decoys: int) -> None:
    pilot = fly(hazards=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.cargo, state.ship.decoys = FIELD_NODE, [20.0] * 6, decoys
        state.rng = copy_of(PIRATES_COME)
    before = pilot.state
    rng = copy_of(PIRATES_COME)
    rng.advance(2)  # hazard and encounter
    loss = rng.uniform(0.08, 0.20)
    works = decoys > 0 and rng.f64() < 0.6
    loss *= 0.3 if works else 1.0
    hull = rng.uniform(1.0, 4.0)

    record = pilot.step(Act.EMERGENCY_BURN)

    after = pilot.state
    lost = loss * sum(20.0 * price for price in before.market.price)
    assert after.ship.cargo == pytest.approx([20.0 * (1 - loss)] * 6)
    assert after.ship.hull == pytest.approx(100.0 - hull)
    assert after.ship.alert == pytest.approx(10.0 + 8.0)
    assert after.ship.decoys == decoys - works
    assert after.counters.value_lost_to_pirates == pytest.approx(lost)
    assert after.counters.pirate_encounters == 1
    assert record.draws - before.rng.draws == FIELD_DRAWS + 2 + (decoys > 0)


def test_with_pirates_off_nobody_comes_and_only_the_test_is_drawn(fly: Fly) -> None:
    pilot = fly(hazards=False, pirates=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.cargo = FIELD_NODE, [20.0] * 6
        state.rng = copy_of(PIRATES_COME)

    record = pilot.step(Act.HOLD_DRIFT)

    assert pilot.state.ship.cargo == [20.0] * 6
    assert record.draws == PIRATES_COME.draws + FIELD_DRAWS


def test_the_escape_buff_counts_down_before_the_pirates_come(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(escape_ticks=1)

    pilot.step(Act.EMERGENCY_BURN)
    burnt = pilot.state.ship.escape_ticks
    pilot.step(Act.ACTIVE_COOLDOWN)
    later = pilot.state.ship.escape_ticks
    pilot.step(Act.ACTIVE_COOLDOWN)

    assert (burnt, later, pilot.state.ship.escape_ticks) == (3, 1, 0)
