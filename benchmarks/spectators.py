"""How long it takes from a tick of a live town until its spectators see it.

    python benchmarks/spectators.py --json reports/spectators.json

A real live town at its ordinary speed with everything around it, loopback, and ten spectators: some are pages of a real
Chromium, without a screen and without a graphics card, the others sockets that read every message and put the state
together. The time of an update runs from the beginning of the tick until the page's frame with it was shown, or until
the socket's reader knew it; the report tells the parts of it, too. Everybody shares this machine's processors.
Needs the built web client, its Node packages and a Chromium; without them all spectators are sockets, and the report
says so.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final

import msgspec
from websockets.asyncio.client import connect

from diorama.contracts.values import JsonObject
from diorama.telemetry.live.reader import LiveState
from harness.browsers import BrowserFailed, add_browser_option, find_browser
from harness.latency import latency_block
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds
from harness.servers import RunningServer, serving_live
from harness.tick_times import TimedTick, read_ticks

GOAL_MS: Final = 250.0
_HERE: Final = Path(__file__).parent
_PATH: Final = "/ws/v1/worlds/townlet/telemetry?mode=spectator"
_READY_SECONDS: Final = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """An update that somebody saw: of which tick, when its message came and when it was seen, since 1970."""

    tick: int
    received_s: float
    seen_s: float


def main() -> int:
    """Measure and report."""
    script = Script("spectators", __doc__)
    script.parser.add_argument("--spectators", type=positive, default=10)
    script.parser.add_argument("--pages", type=int, default=2, help="how many of them are pages of a browser")
    script.parser.add_argument("--seconds", type=positive_seconds, default=30.0)
    add_browser_option(script.parser)
    script.parser.add_argument("--max-p95-ms", type=float, default=GOAL_MS)
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Let everybody watch for a while."""
    browsing = find_browser(options.chromium)
    pages = 0 if browsing.missing else min(options.pages, options.spectators)
    times = directory / "ticks.txt"
    with serving_live(directory / "town", times, log=directory / "server.log") as server:
        browser = Browser(server, browsing.chromium, pages, options.seconds)
        sockets = Sockets(server, options.spectators - pages)
        browser.wait_until_ready()
        used = server.cpu_seconds()
        read = sockets.watch(options.seconds)
        shown = browser.answer()
        cores = (server.cpu_seconds() - used) / options.seconds
    ticks = read_ticks(times)
    on_screen, known = _latencies(shown, ticks), _latencies(read, ticks)
    return Findings(
        gates=(
            *_gates("all updates", [*on_screen, *known], options.max_p95_ms),
            *_gates("on screen", on_screen, options.max_p95_ms),
            *_gates("read by sockets", known, options.max_p95_ms),
            Gate(name="cores the town used", value=cores),
        ),
        failures=[] if on_screen or not pages else ["the pages showed no update while it was measured"],
        sections={
            "pages": [_parts(updates, ticks) for updates in shown],
            "sockets": [_parts(updates, ticks) for updates in read],
        },
        artifacts=(directory,),
        skipped=[f"no pages: {words}" for words in browsing.missing],
    )


class Browser:
    """Pages of a browser that show the town, in a process of their own."""

    def __init__(self, server: RunningServer, chromium: str, pages: int, seconds: float) -> None:
        """Open them; without pages nothing is started."""
        command = [str(_HERE / "spectators.mjs"), f"{server.base_url}/operate", chromium, str(pages), str(seconds)]
        self._process = None
        if pages:
            self._process = subprocess.Popen(
                ["node", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )

    def wait_until_ready(self) -> None:
        """Wait until all pages show ticks.

        Raises:
            BrowserFailed: They do not.
        """
        if self._process is None:
            return
        assert self._process.stderr is not None
        words: list[str] = []
        for line in self._process.stderr:
            if line.strip() == "ready":
                return
            words.append(line)
        raise BrowserFailed(f"the pages showed no ticks: {''.join(words)[-600:]}")

    def answer(self) -> list[list[Update]]:
        """Wait for the end and say what each page showed."""
        if self._process is None:
            return []
        told, words = self._process.communicate(timeout=_READY_SECONDS)
        if self._process.returncode != 0:
            raise BrowserFailed(f"the browser ended early: {words[-600:]}")
        pages: list[list[list[float | None]]] = json.loads(told)
        return [[_update(item) for item in page if item[1] is not None] for page in pages]


class Sockets:
    """Spectators without a page, all in one event loop of their own thread."""

    def __init__(self, server: RunningServer, count: int) -> None:
        """Connect them with the first `watch`."""
        self._address = f"{server.ws_url}{_PATH}"
        self._count = count

    def watch(self, seconds: float) -> list[list[Update]]:
        """Read for so long, and say what each of them knew when."""
        seen: list[list[Update]] = [[] for _ in range(self._count)]
        thread = Thread(target=lambda: asyncio.run(self._all(seen, seconds)))
        thread.start()
        thread.join()
        return seen

    async def _all(self, seen: list[list[Update]], seconds: float) -> None:
        await asyncio.gather(*(self._one(updates, seconds) for updates in seen))

    async def _one(self, updates: list[Update], seconds: float) -> None:
        state = LiveState()
        async with connect(self._address, proxy=None, max_size=None) as socket:
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                try:
                    message = await asyncio.wait_for(socket.recv(), left)
                except TimeoutError:
                    return
                received = time.time()
                document: Mapping[str, Any] = msgspec.json.decode(message)
                state.apply(document)
                if document["payload_type"] == "diff":  # a newcomer's snapshot tells a tick that was there before
                    updates.append(Update(tick=state.tick, received_s=received, seen_s=time.time()))


def _update(item: list[float | None]) -> Update:
    tick, received_ms, shown_ms = (value or 0.0 for value in item)
    return Update(tick=int(tick), received_s=received_ms / 1000.0, seen_s=shown_ms / 1000.0)


def _latencies(seen: Sequence[Sequence[Update]], ticks: Mapping[int, TimedTick]) -> list[float]:
    return [update.seen_s - ticks[update.tick].begun_s for updates in seen for update in updates]


def _gates(name: str, latencies: Sequence[float], max_p95_ms: float) -> tuple[Gate, ...]:
    if not latencies:
        return ()
    block = latency_block(latencies)
    return (
        Gate(name=f"{name}, p50, ms", value=block["p50"]),
        Gate(name=f"{name}, p95, ms", value=block["p95"], at_most=max_p95_ms),
        Gate(name=f"{name}, max, ms", value=block["max"]),
    )


def _parts(updates: Sequence[Update], ticks: Mapping[int, TimedTick]) -> JsonObject:
    if not updates:
        return {"updates": 0}
    parts = {
        "tick_ms": [ticks[item.tick].told_s - ticks[item.tick].begun_s for item in updates],
        "carried_ms": [item.received_s - ticks[item.tick].told_s for item in updates],
        "shown_ms": [item.seen_s - item.received_s for item in updates],
        "all_ms": [item.seen_s - ticks[item.tick].begun_s for item in updates],
    }
    span = updates[-1].tick - updates[0].tick + 1
    return {
        "updates": len(updates),
        "ticks_meanwhile": span,
        **{name: latency_block(values) for name, values in parts.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
