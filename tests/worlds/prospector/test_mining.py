from math import exp, log, sqrt

import numpy as np
import pytest

from diorama.numerics import sigmoid
from diorama.worlds.prospector.contract import Act
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import FIELD_DRAWS, FIELD_NODE, QUIET, copy_of, find_rng

MINING = {
    Act.MINE_CONSERVATIVE_SELECTED: (0.80, 0.05, -0.7),
    Act.MINE_STANDARD_SELECTED: (1.15, 0.10, 0.0),
    Act.MINE_AGGRESSIVE_SELECTED: (1.55, 0.16, 0.8),
}


@pytest.mark.parametrize("heat", [50.0, 85.0, 99.0], ids=["cool", "hot", "nearly-overheated"])
@pytest.mark.parametrize("action", MINING)
def test_the_yield_follows_richness_depletion_tool_and_heat(fly: Fly, action: int, heat: float) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.ship.tool, state.ship.heat = FIELD_NODE, 0, 60.0, heat
        state.selected.depletion = 0.25
    before = pilot.state
    rock = before.selected
    factor, sigma, _ = MINING[action]
    efficiency = 1.0 if heat <= 70.0 else max(0.1, 1.0 - (heat / 100 - 0.7) / 0.3)
    noise = exp(copy_of(before.rng).normal(0.0, sigma))
    total = rock.richness * 0.75 * (0.4 + 0.6 * 0.6) * efficiency * factor * noise

    record = pilot.step(action)

    after = pilot.state
    assert after.ship.cargo == pytest.approx([total * share for share in rock.true_comp], rel=1e-9)
    assert after.selected.depletion == pytest.approx(0.25 + 0.01 * total)
    assert after.counters.mining_ticks == 1
    assert record.event_data["mine"]["total"] == pytest.approx(total)


@pytest.mark.parametrize("is_stabilized", [False, True], ids=["bare", "stabilized"])
@pytest.mark.parametrize("action", MINING)
def test_the_chance_of_a_fracture_follows_its_logit(fly: Fly, action: int, is_stabilized: bool) -> None:
    pilot = fly(**QUIET)
    before = pilot.put(
        node=FIELD_NODE, selection=0, tool=40.0, heat=90.0, stabilize_ticks=[3 if is_stabilized else 0] + [0] * 15
    )
    bias = MINING[action][2]
    logit = -3.1 + bias + 2.5 * (1 - before.selected.stability) + 2.2 * 0.2 + 1.5 * 0.6 - 1.1 * is_stabilized
    chance = sigmoid(logit)

    just_below = find_rng(lambda draws: chance - 0.02 < draws[2] < chance)
    just_above = find_rng(lambda draws: chance < draws[2] < chance + 0.02)

    for rng, shatters in ((just_below, True), (just_above, False)):
        with pilot.edit() as state:
            state.rng = rng
        (outcome,) = pilot.try_each([action])

        assert ("fracture" in outcome.record.events) is shatters


SHATTERING = find_rng(lambda draws: draws[2] < 0.01)


def test_a_fracture_hurts_destroys_the_rock_and_leaves_debris(fly: Fly) -> None:
    pilot = fly(**QUIET)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.rng = FIELD_NODE, 0, copy_of(SHATTERING)
    before = pilot.state
    rng = copy_of(SHATTERING)
    rng.advance(3)
    hull = 12.0 * rng.uniform(0.5, 1.0)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    after = pilot.state
    assert after.ship.hull == pytest.approx(100.0 - hull)
    assert after.here.asteroids[0].depletion == 1.0
    assert after.here.hazard == pytest.approx(before.here.hazard + 0.1)
    assert after.ship.selection == -1
    assert pilot.mask[Act.SELECT_ASTEROID] == 0
    assert record.draws - before.rng.draws == FIELD_DRAWS + 4


def test_with_fractures_off_the_rock_holds_and_only_the_test_is_drawn(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection, state.rng = FIELD_NODE, 0, copy_of(SHATTERING)

    record = pilot.step(Act.MINE_STANDARD_SELECTED)

    assert pilot.state.ship.selection == 0
    assert pilot.state.ship.hull == 100.0
    assert record.draws == SHATTERING.draws + FIELD_DRAWS + 3


def test_mining_stops_at_a_full_hold(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    with pilot.edit() as state:
        state.ship.node, state.ship.selection = FIELD_NODE, 0
        state.ship.cargo = [199.9, 0.0, 0.0, 0.0, 0.0, 0.0]
        state.selected.richness = 4.0

    record = pilot.step(Act.MINE_AGGRESSIVE_SELECTED)

    assert record.event_data["mine"]["total"] == pytest.approx(0.1)
    assert pilot.state.ship.cargo_total() == pytest.approx(200.0)
    assert pilot.state.selected.depletion == pytest.approx(0.001)


def test_a_stabilize_buff_does_not_survive_travel(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=FIELD_NODE, selection=2)
    pilot.step(Act.STABILIZE_SELECTED)
    assert pilot.state.ship.stabilize_ticks[2] == 4

    pilot.step(Act.TRAVEL_NEIGHBOR)

    assert pilot.state.ship.stabilize_ticks == [0] * 16


def test_yield_noise_has_the_spread_of_its_mode(fly: Fly) -> None:
    pilot = fly(**QUIET, fractures=False)
    pilot.put(node=FIELD_NODE, selection=0)
    logs = []

    for _ in range(60):
        before = pilot.put(tool=100.0, heat=0.0, cargo=[0.0] * 6).selected
        pilot.step(Act.MINE_AGGRESSIVE_SELECTED)
        mined = pilot.state.ship.cargo_total()
        logs.append(log(mined / (before.richness * (1 - before.depletion) * 1.55)))

    assert abs(float(np.mean(logs))) < 4 * 0.16 / sqrt(60)
    assert 0.10 < float(np.std(logs)) < 0.22
