"""Masks say the truth: what they allow has its effect, what they refuse has none."""

from copy import deepcopy
from typing import Any

import pytest

from diorama.contracts.errors import ContractError
from diorama.rng.keyed import draw, pick
from diorama.worlds.tidebreak.codes import Emissions, UnitStatus, WeaponGroup
from diorama.worlds.tidebreak.contract import (
    HEAD_OFFSETS,
    HEAD_SIZES,
    HEADS,
    N_OPTIONS,
    Head,
    SupportOrder,
    WeaponOrder,
)
from diorama.worlds.tidebreak.reference.components import STEADY, Scratch
from diorama.worlds.tidebreak.reference.decisions import check_decision, order_of
from diorama.worlds.tidebreak.reference.masks import action_mask
from diorama.worlds.tidebreak.reference.observe import publish_contacts
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.tick import COMMAND, ENVIRONMENT, advance, look_around_first, run_phase
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import random_battle
from tests.worlds.tidebreak.reference.sensing.arenas import look, open_water, ship

NOOP = tuple(head.noop for head in HEADS)


def options(battle: Battle, unit: Unit, head: Head) -> list[int]:
    first = HEAD_OFFSETS[head]
    mask = action_mask(battle, unit)
    return [option for option in range(HEAD_SIZES[head]) if mask[first + option]]


def duel(range_m: float = 3_000.0, **changes: Any) -> Battle:
    battle = open_water(
        ship("a", "corvette", 0.0, ship_id="a1", **changes),
        ship("b", "corvette", range_m, ship_id="b1"),
        rules={"fog": False},
    )
    look(battle)
    publish_contacts(battle)
    return battle


def test_a_fresh_corvette_can_steer_and_fire() -> None:
    battle = duel()
    unit = battle.unit(1)

    assert len(action_mask(battle, unit)) == N_OPTIONS == 55
    assert options(battle, unit, Head.THROTTLE) == list(range(7))
    assert options(battle, unit, Head.RUDDER) == list(range(7))
    assert options(battle, unit, Head.LAYER) == [0]
    assert options(battle, unit, Head.EMISSIONS) == [0, 1, 3]
    assert options(battle, unit, Head.WEAPON) == [0, WeaponOrder.GUN, WeaponOrder.TORPEDO, WeaponOrder.FREE]
    assert options(battle, unit, Head.TARGET) == [0, 1]
    assert options(battle, unit, Head.SUPPORT) == [0, 1, 3, 4, 5, SupportOrder.BOARD]


def test_a_unit_that_is_out_can_only_do_nothing() -> None:
    battle = duel()
    battle.unit(1).mark(UnitStatus.SURRENDERED)

    for head in Head:
        assert options(battle, battle.unit(1), head) == [HEADS[head].noop]


def test_a_dead_engine_leaves_one_throttle_and_a_docked_ship_no_helm() -> None:
    battle = duel()
    unit = battle.unit(1)
    unit.hull.systems[0] = 0.05
    assert options(battle, unit, Head.THROTTLE) == [1]
    unit.hull.systems[0] = 1.0
    unit.boarding.state = 3
    assert options(battle, unit, Head.THROTTLE) == [1]
    assert options(battle, unit, Head.RUDDER) == [3]


def test_a_submarine_may_dive_where_the_sea_allows() -> None:
    battle = open_water(
        ship("a", "attack_sub", 0.0, layer="SUBMERGED"),
        ship("b", "corvette", 9_000.0),
        bathymetry={"kind": "uniform", "depth_m": 150},
    )

    assert options(battle, battle.unit(1), Head.LAYER) == [0, 1]


def test_support_follows_stores_marines_and_damage() -> None:
    battle = duel()
    unit = battle.unit(1)
    unit.stores.decoys, unit.crew.marines, unit.hull.hp = 0, 0.0, 50.0
    unit.posture.dc_focus = 2

    assert options(battle, unit, Head.SUPPORT) == [0, 2, 3, 5, SupportOrder.SCUTTLE]


def test_a_decision_becomes_orders() -> None:
    battle = duel()
    unit = battle.unit(1)

    order = order_of(battle, unit, (6, 0, 2, 3, 7, 1, 4))

    assert (order.throttle, order.rudder, order.layer) == (1.0, -1.0, LayerDirection.DOWN)
    assert order.emissions is Emissions.ACTIVE
    assert order.groups == (WeaponGroup.GUN, WeaponGroup.MISSILE, WeaponGroup.TORPEDO, WeaponGroup.ASW)
    assert order.track_id == unit.tracks.tracks[0].track_id
    assert (order.focus, order.decoy, order.board_id, order.invalid) == (2, False, 0, 0)
    assert order_of(battle, unit, (1, 3, 0, 0, 0, 0, 6)).board_id == 2
    assert order_of(battle, unit, (1, 3, 0, 0, 0, 2, 0)).invalid == 1
    assert order_of(battle, unit, (1, 3, 0, 0, 0, 12, 0)).track_id == 0


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        pytest.param((7, 3, 0, 0, 0, 0, 0), "C002 throttle is 7; it must be 0 to 6", id="beyond"),
        pytest.param((1, 3, 0, 0, 0, -1, 0), "C002 target is -1; it must be 0 to 16", id="below"),
        pytest.param((1, 3, 0), "C002 a decision has 3 options; it must have 7", id="short"),
    ],
)
def test_options_that_do_not_exist_are_refused(decision: tuple[int, ...], message: str) -> None:
    with pytest.raises(ContractError, match=message):
        check_decision(decision)


def once_ordered(battle: Battle) -> Battle:
    """A copy in which the latched orders have been carried out and nothing else has happened yet.

    Later in the tick a ship may surrender or be hit, and what the order did cannot be told any more.
    """
    ordered = deepcopy(battle, {id(battle.package): battle.package})
    for unit in ordered.units:
        unit.scratch = Scratch()
    run_phase(ordered, ENVIRONMENT)
    run_phase(ordered, COMMAND)
    return ordered


def has_effect(before: Unit, unit: Unit, head: Head, option: int) -> bool:
    if head is Head.LAYER:
        return unit.layer.mode != STEADY
    if head is Head.EMISSIONS:
        return unit.posture.emissions == option - 1 != before.posture.emissions
    if head is Head.WEAPON:
        return sum(unit.tally.shots) > sum(before.tally.shots)
    if head is Head.TARGET:
        return unit.scratch.invalid == 0 and unit.memory.designated_track != 0
    if option in range(2, 6):
        return unit.posture.dc_focus == option - 2 != before.posture.dc_focus
    if option == SupportOrder.DECOY:
        return unit.stores.decoys == before.stores.decoys - 1
    if option == SupportOrder.BOARD:
        return unit.scratch.board_target != 0
    return unit.memory.scuttle_ticks > 0


@pytest.mark.parametrize("number", range(4))
def test_one_order_at_a_time_does_what_the_mask_says(number: int) -> None:
    battle = open_battle(resolve(random_battle(number)))
    look_around_first(battle)
    tried = 0
    for tick in range(40):
        expected = {}
        for unit in battle.units[: len(battle.spec.units)]:
            if not unit.is_effective or unit.layer.mode != STEADY:
                continue
            bits = draw(number, 12, tick, unit.id, 0, 0)
            head = Head(2 + pick(bits, 5))
            option = 1 + pick(draw(number, 12, tick, unit.id, 1, 0), HEAD_SIZES[head] - 1)
            decision = [*NOOP]
            decision[head] = option
            is_allowed = bool(action_mask(battle, unit)[HEAD_OFFSETS[head] + option])
            battle.latched[unit.id] = order_of(battle, unit, decision)
            expected[unit.id] = (is_allowed, head, option)

        ordered = once_ordered(battle)

        for unit_id, (is_allowed, head, option) in expected.items():
            effect = has_effect(battle.unit(unit_id), ordered.unit(unit_id), head, option)
            assert effect is is_allowed, (tick, unit_id, head, option)
            tried += 1
        advance(battle)
    assert tried > 40
