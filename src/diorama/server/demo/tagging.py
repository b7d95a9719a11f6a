"""Marks replays as demo data."""

from typing import Final

from diorama.runs.clock import Clock
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import add_to_index

DEMO: Final = "demo"


def tag_demo(layout: RunLayout, entry: ReplayEntry, clock: Clock, *more: str) -> ReplayEntry:
    """Add the tag `demo`, and more, to an entry of the index and return it.

    Raises:
        StorageError: The disk refuses.
    """
    tags = (*entry.tags, DEMO, *more)
    return add_to_index(layout, entry, lambda *_: tags, clock)
