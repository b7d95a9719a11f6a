"""Situations as curiosity tells them apart, and the words in which copies carry how often each was met."""

from collections.abc import Mapping
from typing import Final, NamedTuple, Self

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import U64
from diorama.snapshots import LARGEST_NUMBER, WordReader, WordWriter
from diorama.worlds.townlet.codes import Option

NEED_BUCKETS: Final = 5
DAY_PARTS: Final = 10

Visits = dict[int, int]


class Situation(NamedTuple):
    """Where a citizen is, what it is about, how it feels, and what time it is.

    Attributes:
        zone: -1 outside of all.
        option: Of the scripted primitives; always the first where primitives are chosen.
        hunger: Fifth of the need, 0 to 4; `hygiene` and `energy` likewise.
        day_part: Tenth of the day.
    """

    zone: int
    option: int
    hunger: int
    hygiene: int
    energy: int
    day_part: int

    @property
    def number(self) -> int:
        """The number by which it is counted."""
        feeling = (self.hunger * NEED_BUCKETS + self.hygiene) * NEED_BUCKETS + self.energy
        place = (self.zone + 1) * len(Option) + self.option
        return (place * NEED_BUCKETS**3 + feeling) * DAY_PARTS + self.day_part

    @classmethod
    def of_number(cls, number: int) -> Self:
        """Tell a number apart again."""
        rest, day_part = divmod(number, DAY_PARTS)
        rest, energy = divmod(rest, NEED_BUCKETS)
        rest, hygiene = divmod(rest, NEED_BUCKETS)
        rest, hunger = divmod(rest, NEED_BUCKETS)
        zone, option = divmod(rest, len(Option))
        return cls(zone - 1, option, hunger, hygiene, energy, day_part)


def situation_count(zones: int) -> int:
    """How many situations there are in a town of so many zones."""
    return (zones + 1) * len(Option) * NEED_BUCKETS**3 * DAY_PARTS


def visit_words(visits: Mapping[int, int]) -> U64:
    """What `Batch.carry` takes: how often each situation was met, by its number."""
    words = WordWriter()
    write_visits(words, visits)
    return words.words()


def visits_of(words: U64, zones: int) -> Visits:
    """How often each situation was met, from what `Batch.carried` returns in a town of so many zones.

    Raises:
        SnapshotError: A situation cannot be, comes twice, or was never met.
    """
    reader = WordReader(words)
    visits = read_visits(reader, zones)
    reader.finish()
    return visits


def write_visits(words: WordWriter, visits: Mapping[int, int]) -> None:
    """Append a count and the situations with how often they were met, ascending."""
    words.add_int(len(visits))
    for situation, count in sorted(visits.items()):
        words.add_ints([situation, count])


def read_visits(words: WordReader, zones: int) -> Visits:
    """Take what `write_visits` has written.

    Raises:
        SnapshotError: A situation cannot be, comes twice, or was never met.
    """
    visits: Visits = {}
    last, situations = -1, situation_count(zones)
    for _ in range(words.read_entries()):
        situation, count = words.read_ints(2)
        if not last < situation < situations or not 1 <= count <= LARGEST_NUMBER:
            raise SnapshotError(f"situation {situation} cannot have been met {count} times here")
        visits[situation] = count
        last = situation
    return visits
