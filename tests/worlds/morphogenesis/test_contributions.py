import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contributions.coalitions import (
    Coalition,
    CoalitionTable,
    plan_coalitions,
    write_overrides,
)
from diorama.worlds.morphogenesis.contributions.ledger import InteractionLedger
from diorama.worlds.morphogenesis.contributions.shapley import coalitions_needed, sampled_orders, shapley
from diorama.worlds.morphogenesis.hosting.epochs import validate
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.rewards.hindsight import Boost
from diorama.worlds.morphogenesis.streams import generator
from tests.worlds.morphogenesis.small_hosts import bring_to, shake, small_bed

SLOTS = ("r0c0", "r0c1", "r0c2", "r0c3", "r0c4")
WEIGHTS = dict(zip(SLOTS, (4.0, 8.0, -2.0, 1.0, 16.0), strict=True))


def pairwise_game(coalition: Coalition) -> float:
    """Accuracy with a synergy of 3 points for every pair and a host worth 20."""
    return 20.0 + sum(WEIGHTS[slot_id] for slot_id in coalition) + 3.0 * math.comb(len(coalition), 2)


def measured(slot_ids: Sequence[str], permanent: Coalition = frozenset()) -> CoalitionTable:
    plan = plan_coalitions(slot_ids, permanent)
    return plan.table(pairwise_game(plan.main), [pairwise_game(coalition) for coalition in plan.others])


def test_few_slots_are_measured_in_every_combination_in_binary_order() -> None:
    plan = plan_coalitions(SLOTS[:3], frozenset())

    masks = [result.seed_mask for result in measured(SLOTS[:3]).configs()]

    assert masks == [tuple(bool(number >> bit & 1) for bit in range(3)) for number in range(8)]
    assert plan.strategy == "full_factorial"
    assert len(plan.others) == 7
    assert plan_coalitions((), frozenset()).others == ()


def test_many_slots_are_measured_by_leaving_out_and_switching_on_alone() -> None:
    permanent = frozenset({"r0c0", "r0c1"})
    plan = plan_coalitions(SLOTS, permanent)

    main = frozenset(SLOTS)
    assert plan.strategy == "ablation_only"
    assert plan.coalitions == (
        main,
        *(main - {slot_id} for slot_id in SLOTS),
        *(frozenset({slot_id}) for slot_id in SLOTS),
        frozenset(),
        permanent,
    )
    for redundant in (frozenset(), frozenset({"r0c3"}), main, main - {"r0c0"}):
        assert len(plan_coalitions(SLOTS, redundant).coalitions) == 12
    with pytest.raises(ContractError, match="do not contribute"):
        plan_coalitions(SLOTS[:2], frozenset({"r0c4"}))


def test_a_table_says_what_each_seed_costs_to_remove_and_how_seeds_work_together() -> None:
    table = measured(SLOTS[:3], frozenset({"r0c1"}))

    assert table.contribution("r0c0") == 4.0 + 6.0
    assert table.interaction("r0c0", "r0c2") == 3.0
    assert (table.interaction_sum("r0c0"), table.boost_received("r0c0")) == (6.0, 3.0)
    assert (table.main_accuracy, table.all_off_accuracy, table.total_effect) == (39.0, 20.0, 19.0)
    assert table.committed_accuracy == 28.0
    assert measured(SLOTS[:1]).interaction_sum("r0c0") == 0.0
    assert measured(SLOTS[:1]).committed_accuracy == 20.0


def test_what_was_not_measured_is_none() -> None:
    table = measured(SLOTS, frozenset({"r0c0", "r0c1"}))

    assert table.interactions_of("r0c0") == {"r0c1": 3.0}
    assert table.interaction("r0c2", "r0c3") is None
    assert table.interaction_sum("r0c2") == table.boost_received("r0c2") == 0.0
    assert table.contribution("r0c4") == 16.0 + 12.0
    main_only = CoalitionTable(slot_ids=SLOTS[:2], permanent=frozenset(), accuracies={frozenset(SLOTS[:2]): 50.0})
    assert (main_only.contribution("r0c0"), main_only.total_effect, main_only.committed_accuracy) == (None,) * 3


def test_coalitions_become_amplitudes() -> None:
    overrides = np.zeros(4)

    write_overrides(overrides, frozenset({"r0c1"}), ("r0c0", "r0c1", "r0c3"), SLOTS[:4])

    assert overrides.tolist() == pytest.approx([0.0, math.nan, math.nan, 0.0], nan_ok=True)


def grown_bed(coalition: Coalition) -> GrowingHost:
    """A host with seeds that do something, in the slots of a coalition and nowhere else."""
    growing = small_bed("cnn")
    for slot_id, operator, alpha in (("r0c0", AlphaAlgorithm.ADD, 0.7), ("r0c1", AlphaAlgorithm.MULTIPLY, 1.0)):
        if slot_id in coalition:
            growing.plant(slot_id, BlueprintAction.CONV_LIGHT, operator, 0)
            bring_to(growing, slot_id, SeedStage.BLENDING, alpha)
            shake(growing, slot_id)
    return growing


def test_coalitions_by_override_equal_hosts_without_the_seeds() -> None:
    draws = generator(11)
    images = torch.from_numpy(draws.standard_normal((120, 2, 6, 6))).float()
    labels = torch.from_numpy(draws.integers(0, 5, 120))
    slot_ids = ("r0c0", "r0c1")
    growing = grown_bed(frozenset(slot_ids))

    def evaluate(coalition: Coalition) -> float:
        overrides = np.zeros(2)
        write_overrides(overrides, coalition, slot_ids, slot_ids)
        amplitudes = {slot: amplitude for slot, amplitude in zip(slot_ids, overrides, strict=True) if amplitude == 0.0}
        return validate(growing, images, labels, amplitudes).accuracy_pct

    plan = plan_coalitions(slot_ids, frozenset({"r0c1"}))
    table = plan.table(evaluate(plan.main), [evaluate(coalition) for coalition in plan.others])

    assert dict(table.accuracies) == {
        coalition: validate(grown_bed(coalition), images, labels).accuracy_pct for coalition in plan.coalitions
    }
    assert len(set(table.accuracies.values())) > 2
    total = sum(value.mean for value in shapley(table, generator(1), evaluate).values())
    assert total == pytest.approx(table.total_effect)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_shapley_values_share_out_the_whole_effect(slots: int, key: int) -> None:
    worth: dict[Coalition, float] = {}
    draws = generator(key)

    def game(coalition: Coalition) -> float:
        return worth.setdefault(coalition, float(draws.uniform(0.0, 100.0)))

    plan = plan_coalitions(SLOTS[:slots], frozenset())
    table = plan.table(game(plan.main), [game(coalition) for coalition in plan.others])

    values = shapley(table, generator(key + 1), game)

    assert list(values) == list(SLOTS[:slots])
    assert sum(value.mean for value in values.values()) == pytest.approx(table.total_effect, abs=1e-9)


def test_shapley_values_are_right_where_they_are_known() -> None:
    values = shapley(measured(SLOTS[:3]), generator(0), pairwise_game)
    many = shapley(measured(SLOTS), generator(7), pairwise_game)

    assert [values[slot_id].mean for slot_id in SLOTS[:3]] == pytest.approx([7.0, 11.0, 1.0])
    assert values["r0c0"].std == pytest.approx(math.sqrt(6.0))
    # An order and its reverse cancel a pairwise synergy exactly.
    assert [many[slot_id].mean for slot_id in SLOTS] == pytest.approx([WEIGHTS[slot_id] + 6.0 for slot_id in SLOTS])


def test_a_sample_is_twenty_orders_in_pairs_and_measures_nothing_twice() -> None:
    asked: list[Coalition] = []

    def game(coalition: Coalition) -> float:
        asked.append(coalition)
        return pairwise_game(coalition)

    table, orders = measured(SLOTS), sampled_orders(SLOTS, generator(3))
    shapley(table, generator(3), game)

    assert len(orders) == 20
    assert all(orders[place + 1] == orders[place][::-1] for place in range(0, 20, 2))
    assert len(asked) == len(set(asked))
    assert tuple(asked) == coalitions_needed(orders, table.accuracies)
    assert not set(asked) & set(table.accuracies)


def test_the_ledger_keeps_the_latest_boost_of_each_pair_until_a_seed_is_gone() -> None:
    ledger = InteractionLedger()

    ledger.record(measured(SLOTS[:3]), epoch=4)
    ledger.record(measured(SLOTS[:2]), epoch=9)

    assert list(ledger.towards("r0c0")) == [Boost(3.0, 9), Boost(3.0, 4)]
    assert len(ledger.entries) == 6
    ledger.forget("r0c1")
    assert list(ledger.towards("r0c0")) == [Boost(3.0, 4)]
    assert set(ledger.entries) == {("r0c0", "r0c2"), ("r0c2", "r0c0")}
    ledger.reset()
    assert list(ledger.towards("r0c0")) == []


def test_only_positive_interactions_enter_the_ledger() -> None:
    rival = CoalitionTable(
        slot_ids=SLOTS[:2],
        permanent=frozenset(),
        accuracies={
            frozenset(): 20.0,
            frozenset({"r0c0"}): 30.0,
            frozenset({"r0c1"}): 30.0,
            frozenset(SLOTS[:2]): 35.0,
        },
    )
    ledger = InteractionLedger()

    ledger.record(rival, epoch=1)

    assert ledger.entries == {}
    assert rival.boost_received("r0c0") == -5.0
