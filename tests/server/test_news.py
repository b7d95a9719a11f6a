"""What pages that follow a run are sent: in pieces, each written once for all who stand at the same place."""

import asyncio
from pathlib import Path

from diorama.runs.layout import run_layout
from diorama.server.following.cursor import Cursor
from diorama.server.following.hub import FollowHub
from diorama.server.following.picture import RunPicture
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import empty_run

ROW = b'{"row": "%s"}' % (b"x" * 1000)


def picture(windows: int) -> RunPicture:
    return RunPicture(
        windows=tuple(((number, 0), ROW) for number in range(windows)),
        checkpoints=((0, b"{}"),),
        replays=(b"{}",),
        status="running",
        state=b"{}",
        is_final=False,
    )


def test_a_long_story_comes_in_pieces_and_nothing_is_left_out() -> None:
    long = picture(500)
    whole = b"".join(told.encode() for told in long.after(Cursor()))

    pieces, cursor = [], Cursor()
    while (news := long.news_after(cursor)).text:
        pieces.append(news.text)
        cursor = news.cursor

    assert b"".join(pieces) == whole
    assert len(pieces) > 5
    assert all(len(piece) < 70_000 for piece in pieces)


def test_pages_that_stand_at_the_same_place_share_what_is_written(tmp_path: Path) -> None:
    empty_run(tmp_path, "run")
    runs = RunShelf(tmp_path)

    async def ask() -> None:
        hub = FollowHub(runs, poll_seconds=60.0)
        async with hub.watch(run_layout(tmp_path, "run")) as one, hub.watch(run_layout(tmp_path, "run")) as other:
            news = one.news(one.picture, Cursor())
            assert news.text
            assert other.news(other.picture, Cursor()) is news
            assert one.news(one.picture, news.cursor).text == b""
            longer = picture(3)
            assert one.news(longer, Cursor()).text == longer.news_after(Cursor()).text

    asyncio.run(ask())
    runs.close()
