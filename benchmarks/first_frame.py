"""How long it takes from opening a replay in a real browser until its first picture is on the screen.

    python benchmarks/first_frame.py --json reports/first_frame.json

A real server, loopback, and a real Chromium without a screen and without a graphics card. The first picture of a linked
replay is drawn by the server and stands until the client has drawn its own, which is measured beside it: with the
processor in place of a card that takes far longer than with one. The report says how long each part of a load took.
Needs the built web client, its Node packages and a Chromium; where one is missing nothing is measured, and the report
says which.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from diorama.runs.run import open_run
from harness.browsers import BrowserFailed, add_browser_option, find_browser
from harness.latency import latency_block
from harness.long_replay import make_long_replay
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving

GOAL_MS: Final = 300.0
_TIMEOUT_SECONDS: Final = 300
_HERE: Final = Path(__file__).parent
_RUN_ID: Final = "long"


def main() -> int:
    """Measure and report."""
    script = Script("first_frame", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--frames", type=positive, default=5000, help="length of the replay")
    script.parser.add_argument("--repeats", type=positive, default=10)
    add_browser_option(script.parser)
    script.parser.add_argument("--max-first-frame-p50-ms", type=float, default=GOAL_MS)
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Open one replay several times."""
    browsing = find_browser(options.chromium)
    if browsing.missing:
        return Findings(skipped=browsing.missing)
    make_long_replay(directory, _RUN_ID, options.world, frames=options.frames)
    replays = [entry.replay_id for entry in open_run(directory, _RUN_ID).replay_index().entries]
    other, page = (f"/watch/{_RUN_ID}/{replay_id}" for replay_id in replays)
    screenshot = directory / "first_frame.png"
    with serving(directory, log=directory / "server.log") as server:
        seen = _open(f"{server.base_url}{page}", other, browsing.chromium, options.repeats, screenshot)
    cover, shown, switched = (_block(seen["again"], key) for key in ("coverMs", "shownMs", "switchedMs"))
    return Findings(
        gates=(
            Gate(name="first picture, p50, ms", value=cover["p50"], at_most=options.max_first_frame_p50_ms),
            Gate(name="first picture, p95, ms", value=cover["p95"]),
            Gate(name="first picture of a fresh browser, ms", value=seen["first"]["coverMs"]),
            Gate(name="drawn by the client, p50, ms", value=shown["p50"]),
            Gate(name="drawn by the client in a fresh browser, ms", value=seen["first"]["shownMs"]),
            Gate(name="first picture of another replay in an open page, p50, ms", value=switched["p50"]),
        ),
        sections={
            "cover_ms": cover,
            "shown_ms": shown,
            "switched_ms": switched,
            "first_load": seen["first"],
            "loads": seen["again"],
        },
        artifacts=(directory, screenshot),
    )


def _block(loads: list[dict[str, float]], key: str) -> dict[str, float]:
    return latency_block([load[key] / 1000.0 for load in loads])


def _open(address: str, other: str, chromium: str, repeats: int, screenshot: Path) -> dict[str, Any]:
    command = ["node", str(_HERE / "first_frame.mjs"), address, other, chromium, str(repeats), str(screenshot)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    if ended.returncode != 0:
        raise BrowserFailed(f"{address} showed no picture: {ended.stderr[-600:]}")
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


if __name__ == "__main__":
    sys.exit(main())
