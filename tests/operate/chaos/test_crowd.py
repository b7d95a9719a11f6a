"""A thousand spectators at once: all of them are served, and the world goes on."""

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from diorama.telemetry.live.reader import LiveState
from tests.server.live.stage import Stage, on_stage

CROWD = 1000
AT_ONCE = 50
TICKS = 5


async def _watch(address: str, door: asyncio.Semaphore, is_full: asyncio.Event, inside: list[ClientConnection]) -> None:
    state, last_tick = LiveState(), None
    async with door:
        socket = await connect(address, proxy=None, max_size=None, open_timeout=120)
    async with socket:
        await socket.send(json.dumps({"type": "subscribe", "blocks": ["utilities"]}))
        inside.append(socket)
        if len(inside) == CROWD:
            is_full.set()
        async for message in socket:
            assert state.apply(json.loads(message)), "no message may be sent that does not fit"
            if is_full.is_set():
                last_tick = last_tick or state.tick + TICKS
                if state.tick >= last_tick:
                    return
    raise AssertionError("a spectator was let go before the end")


async def _come_together(address: str) -> None:
    door, is_full, inside = asyncio.Semaphore(AT_ONCE), asyncio.Event(), list[ClientConnection]()
    visits: list[Coroutine[Any, Any, None]] = [_watch(address, door, is_full, inside) for _ in range(CROWD)]
    await asyncio.gather(*visits)


def _address(stage: Stage) -> str:
    return f"{stage.base_url.replace('http', 'ws', 1)}/ws/v1/worlds/townlet/telemetry"


@pytest.mark.slow
def test_a_thousand_spectators_are_served_while_the_town_goes_on(tmp_path: Path) -> None:
    with on_stage(tmp_path, speed="1x", world={"population": 3}) as stage:
        asyncio.run(_come_together(_address(stage)))

        assert stage.runtime.is_running
