"""What a town had begun when its configuration changed: a snapshot holds no rules but those of the new one."""

from dataclasses import dataclass
from typing import Self

from diorama.contracts.errors import SnapshotError
from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.renumbering import Renumbering
from diorama.worlds.townlet.tables.town_tables import TownTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """Affordances that somebody is doing by rules that are no more.

    Attributes:
        seed: Of the episode.
        objects: Where, as rows of the new tables.
        until_tick: When the last of them is done.
    """

    seed: int
    objects: frozenset[int]
    until_tick: int

    @classmethod
    def after_reload(cls, town: Town, before: TownTables, earlier: Self | None = None) -> Self | None:
        """Look at a town whose configuration has just changed; None where everything can be written down.

        Args:
            town: Under its new tables.
            before: The tables it had.
            earlier: What it had not finished under those; nothing counts of an episode before this one.
        """
        rules = Renumbering.between(before, town.tables)
        changed = {
            place
            for row, place in zip(before.affordances, rules.affordances, strict=True)
            if place == NOTHING or rules.row(row) != town.tables.affordances[place]
        }
        if earlier is not None and earlier.seed != town.seed:
            earlier = None
        older = set() if earlier is None else {rules.objects[index] for index in earlier.objects}
        open_ends = {
            index: state.remaining
            for index, state in enumerate(town.objects)
            if state.remaining > 0 and (state.running in changed or index in older)
        }
        if not open_ends:
            return None
        return cls(seed=town.seed, objects=frozenset(open_ends), until_tick=town.tick + max(open_ends.values()))

    def check(self, town: Town) -> None:
        """Refuse to write a town down in which any of them may still run.

        Raises:
            SnapshotError: One may.
        """
        is_same = town.seed == self.seed and town.tick < self.until_tick
        if is_same and any(town.objects[index].remaining > 0 for index in self.objects):
            raise SnapshotError(
                "somebody is doing something by rules from before the reload, which a snapshot cannot hold; it is over"
                f" at tick {self.until_tick} at the latest, and this is tick {town.tick}"
            )
