"""The ledger of interactions: which seed made which other one better, and when that was last seen."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.contributions.coalitions import CoalitionTable
from diorama.worlds.morphogenesis.rewards.hindsight import Boost


@dataclass(slots=True)
class InteractionLedger:
    """Latest positive interaction for each ordered pair of source and beneficiary."""

    entries: dict[tuple[str, str], Boost] = field(default_factory=dict)

    def reset(self) -> None:
        """Begin an episode."""
        self.entries.clear()

    def record(self, table: CoalitionTable, epoch: int) -> None:
        """Note every positive interaction of an epoch; what is no longer positive keeps its last entry."""
        for source in table.slot_ids:
            for beneficiary, boost_pp in table.interactions_of(source).items():
                if boost_pp > 0.0:
                    self.entries[source, beneficiary] = Boost(boost_pp, epoch)

    def forget(self, slot_id: str) -> None:
        """Drop every entry of a slot whose seed is gone."""
        for pair in [pair for pair in self.entries if slot_id in pair]:
            del self.entries[pair]

    def towards(self, slot_id: str) -> Iterator[Boost]:
        """Yield the boosts a slot has received, by source in slot id order."""
        for source, beneficiary in sorted(self.entries):
            if beneficiary == slot_id:
                yield self.entries[source, beneficiary]
