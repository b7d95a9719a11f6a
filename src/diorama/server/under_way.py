"""`UnderWay`: work on the event loop that is finished even if whoever asked for it has gone away."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


class UnderWay:
    """What was begun and has not ended."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._tasks: set[asyncio.Task[object]] = set()

    async def finish(self, work: Coroutine[None, None, T]) -> T:
        """Do the work to its end and return what came of it; cancelling the caller does not cancel it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def wait(self) -> None:
        """Wait until nothing is left; whoever asked has been told how it went."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
