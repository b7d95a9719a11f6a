"""Where things of one town's tables stand in those of another, by name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.town_tables import TownTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumbering:
    """New numbers by old ones, -1 for what is gone."""

    after: TownTables
    objects: tuple[int, ...]
    types: tuple[int, ...]
    affordances: tuple[int, ...]
    items: tuple[int, ...]
    perturbations: tuple[int, ...]
    buckets: tuple[int, ...]

    @classmethod
    def between(cls, before: TownTables, after: TownTables) -> Self:
        """Look every name up."""
        return cls(
            after=after,
            objects=_places((row.id for row in before.objects), [row.id for row in after.objects]),
            types=_places(before.types, after.types),
            affordances=_places((row.id for row in before.affordances), [row.id for row in after.affordances]),
            items=_places(before.items, after.items),
            perturbations=_places(
                (row.name for row in before.perturbations), [row.name for row in after.perturbations]
            ),
            buckets=_places(before.buckets, after.buckets),
        )

    def counts(self, counts: Sequence[int]) -> list[int]:
        """A count for every item of the new tables; 0 of those that were not there."""
        carried = [0] * len(self.after.items)
        for place, count in zip(self.items, counts, strict=True):
            if place != NOTHING:
                carried[place] = count
        return carried

    def row(self, row: AffordanceRow) -> AffordanceRow:
        """A row that something runs by, with the numbers of the new tables."""
        return replace(
            row,
            index=_place(row.id, [known.id for known in self.after.affordances]),
            type=NOTHING if row.type == NOTHING else self.types[row.type],
            stock_costs=tuple(self.counts(row.stock_costs)),
            inventory_costs=tuple(self.counts(row.inventory_costs)),
            inventory_yields=tuple(self.counts(row.inventory_yields)),
            stock_yields=tuple(self.counts(row.stock_yields)),
            linked_yields=tuple(self.counts(row.linked_yields)),
        )


def _places(before: Iterable[str], after: Sequence[str]) -> tuple[int, ...]:
    return tuple(_place(name, after) for name in before)


def _place(wanted: str, names: Sequence[str]) -> int:
    return names.index(wanted) if wanted in names else NOTHING
