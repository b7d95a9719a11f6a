"""`UnderWay`: what was begun on the event loop comes to an end of its own, whether its client is still there or not."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

T = TypeVar("T")


class UnderWay:
    """What was begun and has not ended."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._tasks: set[asyncio.Task[object]] = set()

    async def finish(self, begun: Coroutine[None, None, T], on_left: Callable[[], None] = lambda: None) -> T:
        """Return what came of something that cancelling the caller does not cancel; `on_left` is called instead."""
        task = asyncio.create_task(begun)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            on_left()
            raise

    async def wait(self) -> None:
        """Wait until nothing is left; whoever asked has been told how it went."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _forget(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a client that has left does not read it
