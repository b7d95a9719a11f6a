"""What becomes of orders: helm, posture, decoys, scuttling, fuel."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.codes import ConnectionState, DcFocus, Emissions, MunitionKind, UnitStatus
from diorama.worlds.tidebreak.reference.orders import Order
from tests.worlds.tidebreak.reference.battles import STILL, arena, events_named, run, ship, unit_of


def test_a_missing_order_repeats_helm_and_posture() -> None:
    battle = arena(ship("a", x=-5_000.0))
    order = Order(throttle=0.65, rudder=0.2, emissions=Emissions.ACTIVE, focus=DcFocus.REPAIR)

    run(battle, 1, a=order)
    run(battle, 5)

    unit = unit_of(battle.battle, "a")
    assert (unit.motion.cmd_throttle, unit.motion.cmd_rudder) == (0.65, 0.2)
    assert (unit.posture.emissions, unit.posture.dc_focus) == (Emissions.ACTIVE, DcFocus.REPAIR)


@pytest.mark.parametrize("status", [UnitStatus.SURRENDERED, UnitStatus.DISABLED, UnitStatus.CAPTURED])
def test_whoever_cannot_fight_on_obeys_nobody(status: UnitStatus) -> None:
    battle = arena(ship("a", speed=5.0), ship("b", y=2_000.0))
    unit = unit_of(battle.battle, "a")
    unit.motion.cmd_throttle = 1.0
    unit.mark(status)

    run(battle, 1, a=Order(throttle=1.0, rudder=1.0, emissions=Emissions.ACTIVE, decoy=True))

    assert (unit.motion.cmd_throttle, unit.motion.cmd_rudder) == (0.0, 0.0)
    assert unit.posture.emissions != Emissions.ACTIVE
    assert unit.stores.decoys == 2


def test_heads_become_orders() -> None:
    battle = arena(ship("a"))

    battle.step({"a": (6, 0, 0, 3, 0, 0, 5)})

    unit = unit_of(battle.battle, "a")
    assert (unit.motion.cmd_throttle, unit.motion.cmd_rudder) == (1.0, -1.0)
    assert (unit.posture.emissions, unit.posture.dc_focus) == (Emissions.ACTIVE, DcFocus.REPAIR)


@pytest.mark.parametrize("action", [(7, 3, 0, 0, 0, 0, 0), (1, 3, 0, 0, 0, -1, 0), (1, 3, 0)])
def test_an_action_out_of_range_is_refused_before_anything_happens(action: tuple[int, ...]) -> None:
    battle = arena(ship("a"), ship("b", y=500.0))
    before = battle.state_hash()

    with pytest.raises(ContractError, match="C002"):
        battle.step({"b": (6, 3, 0, 0, 0, 0, 0), "a": action})

    assert battle.state_hash() == before
    assert not battle.battle.latched


def test_a_decoy_drifts_for_a_minute() -> None:
    battle = arena(ship("a"), area={"currents": {"kind": "uniform", "vector": [1.0, 0.0]}})
    unit = unit_of(battle.battle, "a")

    run(battle, 10, a=Order(throttle=0.0, rudder=0.0, decoy=True))

    (decoy,) = battle.battle.munitions
    assert decoy.kind == MunitionKind.DECOY
    assert decoy.x == pytest.approx(10.0)
    assert (unit.stores.decoys, unit.stores.decoy_ready_at) == (1, 20)
    assert unit.memory.invalid_orders == 9
    run(battle, 55, a=STILL)
    assert not battle.battle.munitions


def test_scuttling_needs_a_wreck_and_twenty_ticks_in_a_row() -> None:
    battle = arena(ship("a"), ship("b", y=2_000.0))
    unit = unit_of(battle.battle, "a")
    sink = Order(throttle=0.0, rudder=0.0, scuttle=True)

    run(battle, 25, a=sink)
    assert unit.is_present
    unit.hull.hp = 100.0
    run(battle, 19, a=sink)
    run(battle, 1, a=STILL)
    run(battle, 19, a=sink)
    assert unit.is_present
    run(battle, 1, a=sink)

    assert unit.has(UnitStatus.SCUTTLED)
    assert len(events_named(battle.battle, "SCUTTLED")) == 1


def test_boarded_ships_may_be_scuttled_whole() -> None:
    battle = arena(ship("a"), ship("c", y=-3_000.0), ship("b", "blue", x=3_000.0))
    attacker = unit_of(battle.battle, "b")
    sink = Order(throttle=0.0, rudder=0.0, scuttle=True)
    for _ in range(20):
        # Held by hand: the boarding itself would break off at this distance.
        attacker.boarding.state, attacker.boarding.target_id = ConnectionState.DOCKED, 1
        run(battle, 1, a=sink)

    assert unit_of(battle.battle, "a").has(UnitStatus.SCUTTLED)


def test_fuel_burns_with_the_cube_of_speed() -> None:
    battle = arena(ship("a"), ship("b", x=-7_000.0, y=500.0, speed=15.0))
    still, fast = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")

    run(battle, 20, a=STILL, b=Order(throttle=1.0, rudder=0.0))

    assert still.spec.fuel_capacity_s - still.stores.fuel == pytest.approx(2.0)
    # The engine needs a few seconds to take over.
    assert 10.0 < fast.spec.fuel_capacity_s - fast.stores.fuel < 20.0


def test_fuel_ends_at_nothing_and_platforms_need_none() -> None:
    battle = arena(ship("a"))
    unit = unit_of(battle.battle, "a")
    unit.stores.fuel = 0.05

    run(battle, 2, a=STILL)

    assert unit.stores.fuel == 0.0
    assert unit_of(battle.battle, "zz-far-rig").stores.fuel == -1.0
