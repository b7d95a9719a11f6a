"""What pages that follow a run are sent: in pieces, each written once for all who stand at the same place."""

import asyncio
import threading
from pathlib import Path

import pytest

from diorama.runs.layout import RunLayout, run_layout
from diorama.server.following.cursor import Cursor
from diorama.server.following.files import FollowedFiles
from diorama.server.following.hub import FollowHub
from diorama.server.following.picture import News, RunPicture
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import empty_run, recorded


def written(layout: RunLayout, windows: int) -> RunPicture:
    """Write rows of a thousand bytes, and look."""
    row = b'{"window_id": %d, "env_steps_total": 0, "row": "' + b"x" * 1000 + b'"}\n'
    layout.windows.parent.mkdir(exist_ok=True)
    layout.windows.write_bytes(b"".join(row % number for number in range(windows)))
    return FollowedFiles(RunShelf(layout.directory.parent), layout).look()


def test_a_long_story_comes_in_pieces_and_nothing_is_left_out(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "run")
    recorded(layout, bot="idle", max_steps=3)
    long = written(layout, 500)
    whole = b"".join(told.encode() for told in long.after(Cursor()))

    pieces, cursor = [], Cursor()
    while (news := long.news_after(cursor)).text:
        pieces.append(news.text)
        cursor = news.cursor

    assert b"".join(pieces) == whole
    assert [whole.count(b"event: %s\n" % name) for name in (b"window", b"replay", b"status")] == [500, 1, 1]
    assert len(pieces) > 5
    assert all(len(piece) < 70_000 for piece in pieces)


def test_pages_that_stand_at_the_same_place_share_what_is_written(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "run")
    runs = RunShelf(tmp_path)

    async def ask() -> None:
        hub = FollowHub(runs, poll_seconds=60.0)
        async with hub.watch(run_layout(tmp_path, "run")) as one, hub.watch(run_layout(tmp_path, "run")) as other:
            news = await one.news(one.picture, Cursor())
            assert news.text
            assert await other.news(other.picture, Cursor()) is news
            assert (await one.news(one.picture, news.cursor)).text == b""
            longer = written(layout, 3)
            assert (await one.news(longer, Cursor())).text == longer.news_after(Cursor()).text

    asyncio.run(ask())
    runs.close()


def test_a_page_that_leaves_takes_nothing_from_those_who_wait_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = empty_run(tmp_path, "run")
    runs = RunShelf(tmp_path)
    is_asked, may_answer = threading.Event(), threading.Event()

    def slowly(picture: RunPicture, told: Cursor) -> News:
        is_asked.set()
        assert may_answer.wait(20)
        return News(b"news", told)

    async def ask() -> bytes:
        hub = FollowHub(runs, poll_seconds=60.0)
        async with hub.watch(layout) as watcher:
            leaving, staying = (asyncio.create_task(watcher.news(watcher.picture, Cursor())) for _ in range(2))
            await asyncio.to_thread(is_asked.wait, 20)
            leaving.cancel()
            await asyncio.wait({leaving})
            may_answer.set()
            return (await staying).text

    monkeypatch.setattr(RunPicture, "news_after", slowly)
    assert asyncio.run(ask()) == b"news"
    runs.close()
