"""Shapley values: each slot's share of the total effect, exact for few slots and sampled for many."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from statistics import fmean, pstdev
from typing import Final

from numpy.random import Generator

from diorama.worlds.morphogenesis.contracts.payloads.analysis import ShapleyEstimate
from diorama.worlds.morphogenesis.contributions.coalitions import MAX_FACTORIAL_SLOTS, Coalition, CoalitionTable

SAMPLED_PAIRS: Final = 10

Evaluate = Callable[[Coalition], float]
"""Measures the accuracy of a coalition, in percent."""


def exact_shapley(table: CoalitionTable) -> dict[str, ShapleyEstimate]:
    """Return the values of a full table; the spread is that of a slot's effect over all orders."""
    return _over_orders(permutations(table.slot_ids), table.slot_ids, table.accuracies)


def sampled_orders(slot_ids: Sequence[str], draws: Generator) -> tuple[tuple[str, ...], ...]:
    """Draw the orders of a sample: each is followed by its reverse, which halves the noise."""
    orders = []
    for _ in range(SAMPLED_PAIRS):
        order = tuple(slot_ids[place] for place in draws.permutation(len(slot_ids)))
        orders += [order, order[::-1]]
    return tuple(orders)


def coalitions_needed(orders: Iterable[Sequence[str]], known: Iterable[Coalition]) -> tuple[Coalition, ...]:
    """Return the coalitions that orders pass through and that are not known yet, each once and in order."""
    measured = set(known)
    passed = (frozenset(order[:length]) for order in orders for length in range(len(order) + 1))
    return tuple(dict.fromkeys(coalition for coalition in passed if coalition not in measured))


def sampled_shapley(table: CoalitionTable, draws: Generator, evaluate: Evaluate) -> dict[str, ShapleyEstimate]:
    """Return the values of many slots from a sample of orders; no coalition is measured twice."""
    orders = sampled_orders(table.slot_ids, draws)
    missing = coalitions_needed(orders, table.accuracies)
    accuracies = {**table.accuracies, **{coalition: evaluate(coalition) for coalition in missing}}
    return _over_orders(orders, table.slot_ids, accuracies)


def shapley(table: CoalitionTable, draws: Generator, evaluate: Evaluate) -> dict[str, ShapleyEstimate]:
    """Return the values of an episode's last table; few slots draw and measure nothing."""
    if len(table.slot_ids) <= MAX_FACTORIAL_SLOTS:
        return exact_shapley(table)
    return sampled_shapley(table, draws, evaluate)


def _over_orders(
    orders: Iterable[Sequence[str]], slot_ids: Sequence[str], accuracies: Mapping[Coalition, float]
) -> dict[str, ShapleyEstimate]:
    effects: dict[str, list[float]] = {slot_id: [] for slot_id in slot_ids}
    for order in orders:
        for place, slot_id in enumerate(order):
            before, after = frozenset(order[:place]), frozenset(order[: place + 1])
            effects[slot_id].append(accuracies[after] - accuracies[before])
    return {slot_id: ShapleyEstimate(mean=fmean(found), std=pstdev(found)) for slot_id, found in effects.items()}
