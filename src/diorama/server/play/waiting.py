"""Waits for whichever of several things happens first."""

import asyncio


async def wait_any(timeout_seconds: float | None, *events: asyncio.Event) -> None:
    """Return when one of the events is set, or the time is over; None waits forever."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=timeout_seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
