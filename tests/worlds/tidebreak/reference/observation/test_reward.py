import pytest

from diorama.worlds.tidebreak.codes import EndReason, UnitStatus
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.contract import METRICS
from diorama.worlds.tidebreak.reference.metrics import unit_metrics
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.reward import (
    ending_flags,
    reward_components,
    shaping,
    team_means,
    weigh,
)
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.tick import advance, look_around_first
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.reward_weights import Component, RewardPreset
from diorama.worlds.tidebreak.scenarios import random_battle
from tests.worlds.tidebreak.reference.sensing.arenas import open_water, ship

PLACE = {component: place for place, component in enumerate(Component)}


def escort() -> Battle:
    """A corvette (70) and a freighter (60) against a corvette and a cutter (40)."""
    return open_water(
        ship("a", "corvette", 0.0, ship_id="a1"),
        ship("a", "freighter", 500.0, ship_id="a2"),
        ship("b", "corvette", 9_000.0, ship_id="b1"),
        ship("b", "cutter", 9_500.0, ship_id="b2"),
    )


def part(battle: Battle, component: Component, unit_id: int = 1) -> float:
    return reward_components(battle, battle.unit(unit_id))[PLACE[component]]


def test_a_quiet_tick_costs_only_time() -> None:
    battle = escort()

    components = reward_components(battle, battle.unit(1))

    assert [component for component, value in zip(Component, components, strict=True) if value] == [Component.TIME]
    assert part(battle, Component.TIME) == -1.0


def test_damage_kills_and_mishaps_are_paid_as_written() -> None:
    battle = escort()
    scratch = battle.unit(1).scratch
    scratch.dealt, scratch.dealt_own, scratch.credited_cost = 11.0, 5.5, 70.0
    scratch.effective_taken, scratch.wasted, scratch.raised = 90.0, 3, 2
    scratch.mishaps, scratch.hazard_damage, scratch.objective_delta = 1, 36.0, 0.25

    assert part(battle, Component.DEALT) == pytest.approx(11.0 / 110.0 - 2.0 * 5.5 / 110.0)
    assert part(battle, Component.KILL) == pytest.approx(70.0 / 110.0)
    assert part(battle, Component.TAKEN) == -0.25
    assert part(battle, Component.WASTE) == -3.0
    assert part(battle, Component.CONTACT) == 2.0
    assert part(battle, Component.HAZARD_AND_COLLISION) == pytest.approx(-1.1)
    assert part(battle, Component.OBJECTIVE_PROGRESS) == 0.25


def test_losses_are_paid_once_by_the_ship_and_by_its_mates() -> None:
    battle = escort()
    battle.unit(2).mark(UnitStatus.DESTROYED)

    assert part(battle, Component.OWN_LOSS, 2) == -1.0
    assert part(battle, Component.TEAM_LOSS, 1) == pytest.approx(-60.0 / 130.0)
    assert part(battle, Component.TEAM_LOSS, 2) == 0.0
    assert part(battle, Component.TEAM_LOSS, 3) == 0.0
    battle.unit(2).memory.was_effective = False
    assert part(battle, Component.OWN_LOSS, 2) == part(battle, Component.TEAM_LOSS, 1) == 0.0


def test_leaving_the_map_is_no_loss() -> None:
    battle = escort()
    battle.unit(2).mark(UnitStatus.EXITED)

    assert part(battle, Component.OWN_LOSS, 2) == part(battle, Component.TEAM_LOSS, 1) == 0.0


@pytest.mark.parametrize(
    ("result", "out", "worth"), [(1, False, 1.2), (1, True, 1.0), (-1, False, -0.5), (0, True, 0.0)]
)
def test_an_objective_pays_at_its_end(result: int, out: bool, worth: float) -> None:
    battle = escort()
    battle.unit(1).scratch.objective_result = result
    if out:
        battle.unit(1).mark(UnitStatus.DISABLED)

    assert part(battle, Component.OBJECTIVE_RESULT) == worth


@pytest.mark.parametrize(
    ("reason", "winner", "worth"),
    [
        pytest.param(EndReason.ELIMINATION, 0, (1.0, -1.0), id="win"),
        pytest.param(EndReason.ALL_OUT, -1, (-0.2, -0.2), id="all-out"),
        pytest.param(EndReason.TIME_LIMIT, -1, (-0.2, -0.2), id="timeout"),
        pytest.param(EndReason.TIME_LIMIT, 1, (-1.0, 1.0), id="margin"),
    ],
)
def test_the_end_pays_every_unit_of_a_team(reason: EndReason, winner: int, worth: tuple[float, float]) -> None:
    battle = escort()
    battle.outcome.end_reason, battle.outcome.winner = reason, winner

    assert [part(battle, Component.TERMINAL, unit_id) for unit_id in (1, 2, 3, 4)] == [
        worth[0],
        worth[0],
        worth[1],
        worth[1],
    ]


def test_weights_follow_the_preset_and_what_overrides_it() -> None:
    sparse = TidebreakConfig(reward=RewardPreset.SPARSE).weights
    duel = TidebreakConfig(reward_weights={Component.TIME: 0.25}).weights

    assert sparse == (0.0,) * 11 + (1.0,)
    assert duel == (2.0, 0.5, 1.0, 0.5, 0.3, 0.5, 1.0, 0.02, 0.002, 0.05, 0.25, 1.0)


def test_a_team_shares_its_mean() -> None:
    battle = escort()

    means = team_means(battle, {1: 1.0, 2: 0.0, 3: -1.0, 4: 3.0})

    assert means == {0: pytest.approx(0.5), 1: pytest.approx(1.0)}


def test_components_add_up_to_the_reward() -> None:
    weights = TidebreakConfig().weights
    battle = open_battle(resolve(random_battle(3)))
    look_around_first(battle)
    for _ in range(20):
        advance(battle)
        for unit in battle.units[: len(battle.spec.units)]:
            components = reward_components(battle, unit)
            assert weigh(components, weights) == pytest.approx(
                sum(weight * value for weight, value in zip(weights, components, strict=True))
            )


def test_shaping_pays_the_change_of_the_margin_and_telescopes() -> None:
    battle = escort()
    battle.unit(4).mark(UnitStatus.DESTROYED)

    assert shaping(battle, 0, 1.0) == pytest.approx(40.0 / 110.0)
    assert shaping(battle, 1, 1.0) == pytest.approx(-40.0 / 110.0)
    battle.outcome.end_reason = EndReason.ELIMINATION
    assert shaping(battle, 0, 0.99) == 0.0


@pytest.mark.parametrize(
    ("reason", "is_out", "credit_dead", "flags"),
    [
        pytest.param(-1, False, True, (False, False), id="running"),
        pytest.param(-1, True, True, (False, False), id="out-and-waiting"),
        pytest.param(-1, True, False, (True, False), id="out"),
        pytest.param(EndReason.ELIMINATION, False, True, (True, False), id="decided"),
        pytest.param(EndReason.OBJECTIVE, False, True, (True, False), id="objective"),
        pytest.param(EndReason.TIME_LIMIT, False, True, (False, True), id="time"),
        pytest.param(EndReason.TIME_LIMIT, True, True, (True, False), id="time-while-out"),
    ],
)
def test_an_episode_ends_by_the_rules_or_is_cut_off(
    reason: int, is_out: bool, credit_dead: bool, flags: tuple[bool, bool]
) -> None:
    battle = escort()
    battle.outcome.end_reason = reason
    if is_out:
        battle.unit(1).mark(UnitStatus.DESTROYED)

    assert ending_flags(battle, battle.unit(1), credit_dead=credit_dead) == flags


def test_metrics_come_in_the_order_of_their_table() -> None:
    battle = escort()
    unit = battle.unit(1)
    battle.tick = 50
    unit.tally.shots, unit.tally.hits, unit.tally.kills = [4, 1, 0, 2, 0, 0], 3, 1
    unit.tally.damage_dealt, unit.tally.damage_taken = 120.0, 30.0
    unit.memory.contacts_sum, unit.memory.invalid_orders = 25, 6
    battle.unit(4).mark(UnitStatus.DESTROYED)
    battle.outcome.end_reason, battle.outcome.winner = EndReason.ELIMINATION, 0

    values = dict(zip((metric.key for metric in METRICS), unit_metrics(battle, unit), strict=True))

    assert values == {
        "win": 1.0,
        "survival": 1.0,
        "cost_margin": pytest.approx(40.0 / 110.0),
        "damage_dealt": 120.0,
        "damage_taken": 30.0,
        "kills": 1.0,
        "shots": 7.0,
        "hits": 3.0,
        "contacts_held": 0.5,
        "invalid_actions": 6.0,
        "battle_ticks": 50.0,
    }
