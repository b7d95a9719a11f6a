"""The shelf of frames and its threads."""

from pathlib import Path
from threading import enumerate as running_threads

from diorama.runs.replays.index import read_index
from diorama.server.reading.frames import FrameShelf
from diorama.server.reading.shelf import RunShelf
from tests.server.conftest import LONG


def test_a_shelf_that_is_closed_leaves_no_thread(run_root: Path) -> None:
    before = set(running_threads())
    runs = RunShelf(run_root)
    shelf = FrameShelf(runs, cache_bytes=0)
    replay_id = read_index(runs.find(LONG)).entries[0].replay_id
    page = shelf.page(shelf.open(LONG, replay_id).reader, 0, 600)
    unpacking = {thread for thread in set(running_threads()) - before if thread.name.startswith("unpack")}

    shelf.close()
    runs.close()

    assert (len(page.lines), bool(unpacking)) == (600, True)
    assert not unpacking & set(running_threads())
