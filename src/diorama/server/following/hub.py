"""`FollowHub`: one watcher per followed run, shared by all its pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from diorama.contracts.errors import DioramaError
from diorama.runs.layout import RunLayout
from diorama.server.following.cursor import Cursor
from diorama.server.following.files import FollowedFiles
from diorama.server.following.picture import News, RunPicture
from diorama.server.reading.shelf import RunShelf


class Watcher:
    """Looks at one run again and again; pages wait for what it sees.

    Attributes:
        picture: What it saw last.
        pages: How many wait.
        is_over: There is nothing more to see: the run is gone.
    """

    def __init__(self, files: FollowedFiles, first: RunPicture, poll_seconds: float) -> None:
        """Begin with a first picture."""
        self.picture = first
        self.pages = 0
        self.is_over = False
        self._files = files
        self._poll_seconds = poll_seconds
        self._changed = asyncio.Event()
        self._last_news: tuple[RunPicture, Cursor, asyncio.Task[News]] | None = None
        self._task = asyncio.create_task(self._watch())

    async def newer(self, known: RunPicture) -> RunPicture | None:
        """Wait for another picture than the one that is known; None when there will be none."""
        while self.picture is known and not self.is_over:
            await self._changed.wait()
        return None if self.picture is known else self.picture

    async def news(self, picture: RunPicture, told: Cursor) -> News:
        """Return what a page that was told so much has yet to be told of a picture.

        Pages that keep up stand at the same place: for them it is read and written down once.
        """
        last = self._last_news
        if last is None or last[0] is not picture or last[1] != told:
            reading = asyncio.create_task(asyncio.to_thread(picture.news_after, told))
            last = self._last_news = picture, told, reading
        return await asyncio.shield(last[2])  # others may wait for it when this page leaves

    async def stop(self) -> None:
        """Look no more."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _watch(self) -> None:
        while not self.is_over:
            await asyncio.sleep(self._poll_seconds)
            try:
                picture = await asyncio.to_thread(self._files.look)
            except DioramaError:
                self.is_over = True
            else:
                if picture is self.picture:
                    continue
                self.picture = picture
            self._changed.set()
            self._changed = asyncio.Event()


class FollowHub:
    """Starts a watcher with the first page of a run and stops it with the last."""

    def __init__(self, runs: RunShelf, *, poll_seconds: float) -> None:
        """Watch nothing yet."""
        self._runs = runs
        self._poll_seconds = poll_seconds
        self._watchers: dict[str, Watcher] = {}
        self._starting = asyncio.Lock()

    @property
    def watched(self) -> dict[str, int]:
        """The runs that are watched, and how many pages follow each."""
        return {run_id: watcher.pages for run_id, watcher in self._watchers.items()}

    @asynccontextmanager
    async def watch(self, layout: RunLayout) -> AsyncIterator[Watcher]:
        """Give the watcher of a run for as long as the block runs.

        Raises:
            UnknownName: The run is gone.
            DocumentError: Its metadata or index is broken.
        """
        watcher = await self._join(layout)
        try:
            yield watcher
        finally:
            watcher.pages -= 1
            if watcher.pages == 0:
                if self._watchers.get(layout.run_id) is watcher:
                    del self._watchers[layout.run_id]
                await watcher.stop()

    async def close(self) -> None:
        """Stop all watchers."""
        for watcher in list(self._watchers.values()):
            await watcher.stop()
        self._watchers.clear()

    async def _join(self, layout: RunLayout) -> Watcher:
        async with self._starting:
            watcher = self._watchers.get(layout.run_id)
            if watcher is None or watcher.is_over:
                files = FollowedFiles(self._runs, layout)
                first = await asyncio.to_thread(files.look)
                watcher = self._watchers[layout.run_id] = Watcher(files, first, self._poll_seconds)
            watcher.pages += 1
            return watcher
