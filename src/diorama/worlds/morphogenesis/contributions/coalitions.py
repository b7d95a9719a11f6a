"""Coalitions of contributing slots: which are evaluated in an epoch, and what their accuracies say."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.payloads.analysis import CoalitionResult, CounterfactualStrategy

Coalition = frozenset[str]
"""Slots at their own alpha; all other contributing slots are switched off."""

MAX_FACTORIAL_SLOTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionPlan:
    """What one env evaluates in an epoch. `coalitions` are in the order of the event, the main one among them."""

    slot_ids: tuple[str, ...]
    permanent: Coalition
    coalitions: tuple[Coalition, ...]

    @property
    def main(self) -> Coalition:
        """All contributing slots: the network as it is."""
        return frozenset(self.slot_ids)

    @property
    def others(self) -> tuple[Coalition, ...]:
        """Coalitions beside the main one, each a further validation pass."""
        return tuple(coalition for coalition in self.coalitions if coalition != self.main)

    @property
    def strategy(self) -> CounterfactualStrategy:
        """Label of the plan in the event."""
        return "full_factorial" if len(self.slot_ids) <= MAX_FACTORIAL_SLOTS else "ablation_only"

    def table(self, main_accuracy: float, other_accuracies: Sequence[float]) -> "CoalitionTable":
        """Put the results together; the accuracies of the others come in the order of `others`."""
        results = dict(zip(self.others, other_accuracies, strict=True)) | {self.main: main_accuracy}
        return CoalitionTable(
            slot_ids=self.slot_ids,
            permanent=self.permanent,
            accuracies={coalition: results[coalition] for coalition in self.coalitions},
        )


def plan_coalitions(contributing: Sequence[str], permanent: Coalition) -> CoalitionPlan:
    """Plan the coalitions of an epoch.

    Args:
        contributing: Slots with an alpha above 0, in slot index order.
        permanent: Those of them whose seeds are permanent.
    """
    slot_ids = tuple(contributing)
    main = frozenset(slot_ids)
    if not permanent <= main:
        raise ContractError(f"slots {sorted(permanent - main)} are permanent and do not contribute")
    if len(slot_ids) <= MAX_FACTORIAL_SLOTS:
        subsets = [
            frozenset(slot_id for bit, slot_id in enumerate(slot_ids) if number >> bit & 1)
            for number in range(2 ** len(slot_ids))
        ]
    else:
        without = [main - {slot_id} for slot_id in slot_ids]
        alone = [frozenset({slot_id}) for slot_id in slot_ids]
        # The permanent set comes last and drops out where it is one of the others.
        subsets = list(dict.fromkeys([main, *without, *alone, frozenset(), permanent]))
    return CoalitionPlan(slot_ids=slot_ids, permanent=permanent, coalitions=tuple(subsets))


def write_overrides(
    overrides: NDArray[np.float64], coalition: Coalition, contributing: Sequence[str], slot_ids: Sequence[str]
) -> None:
    """Write the amplitudes of one pass and row: 0 for contributing slots left out, NaN for the alpha in force."""
    overrides[:] = math.nan
    for slot_id in contributing:
        if slot_id not in coalition:
            overrides[slot_ids.index(slot_id)] = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionTable:
    """Accuracies in percent by coalition. What was not evaluated is None, never a number that looks measured."""

    slot_ids: tuple[str, ...]
    permanent: Coalition
    accuracies: Mapping[Coalition, float]

    def accuracy(self, coalition: Coalition) -> float | None:
        """Return the accuracy of a coalition, none where it was not evaluated."""
        return self.accuracies.get(coalition)

    @property
    def main_accuracy(self) -> float:
        """Accuracy of the network as it is."""
        return self.accuracies[frozenset(self.slot_ids)]

    @property
    def all_off_accuracy(self) -> float | None:
        """Accuracy of the host alone."""
        return self.accuracy(frozenset())

    @property
    def committed_accuracy(self) -> float | None:
        """Accuracy with permanent seeds only."""
        return self.accuracy(self.permanent)

    @property
    def total_effect(self) -> float | None:
        """What all seeds together are worth now."""
        alone = self.all_off_accuracy
        return None if alone is None else self.main_accuracy - alone

    def contribution(self, slot_id: str) -> float | None:
        """Return what removing a slot's seed would cost."""
        without = self.accuracy(frozenset(self.slot_ids) - {slot_id})
        return None if without is None else self.main_accuracy - without

    def interaction(self, first: str, second: str) -> float | None:
        """Return what two seeds are worth together beyond what each is worth alone."""
        both, one, other = (self.accuracy(frozenset(pair)) for pair in ((first, second), (first,), (second,)))
        alone = self.all_off_accuracy
        if both is None or one is None or other is None or alone is None:
            return None
        return both - one - other + alone

    def interactions_of(self, slot_id: str) -> dict[str, float]:
        """Return the measured interactions of a slot by the other slot, in slot index order."""
        pairs = ((other, self.interaction(slot_id, other)) for other in self.slot_ids if other != slot_id)
        return {other: value for other, value in pairs if value is not None}

    def interaction_sum(self, slot_id: str) -> float:
        """Return the sum of a slot's measured interactions, 0 without any."""
        return math.fsum(self.interactions_of(slot_id).values())

    def boost_received(self, slot_id: str) -> float:
        """Return the greatest of a slot's measured interactions, 0 without any."""
        return max(self.interactions_of(slot_id).values(), default=0.0)

    def configs(self) -> tuple[CoalitionResult, ...]:
        """Return the rows of the event, in the order of the plan."""
        return tuple(
            CoalitionResult(seed_mask=tuple(slot_id in coalition for slot_id in self.slot_ids), accuracy=accuracy)
            for coalition, accuracy in self.accuracies.items()
        )
