"""How long it takes to list thousands of runs.

    python benchmarks/run_listing.py --json reports/run_listing.json

The first listing reads every run and fills the catalogue; later ones look for changes. Between two of the timed
listings the catalogue's look at the disk is allowed to expire, so that they are not answered from memory alone.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from diorama.runs.metadata import RunMetadata
from diorama.runs.run import open_run
from harness.latency import latency_block
from harness.long_replay import make_long_replay
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving
from harness.transport import PageReader

_HOLDS_SECONDS: Final = 1.05  # a look of the catalogue holds for a second


def main() -> int:
    """Measure and report."""
    script = Script("run_listing", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--runs", type=positive, default=5000)
    script.parser.add_argument("--limit", type=positive, default=50, help="runs per listing")
    script.parser.add_argument("--samples", type=positive, default=20, help="listings of each kind")
    script.parser.add_argument("--max-listing-p95-ms", type=float, default=500.0, help="of a listing that looks")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """List one root."""
    make_long_replay(directory, "original", options.world, frames=64)
    original = open_run(directory, "original").metadata()
    for place in range(options.runs - 1):
        _copy(directory, original, f"copy-{place:06d}")
    with serving(directory, log=directory / "server.log") as server:
        lists = PageReader(server, "/api/runs")
        first, _ = lists.read(0, options.limit)
        looking, held = [], []
        for _ in range(options.samples):
            time.sleep(_HOLDS_SECONDS)
            looking.append(lists.read(0, options.limit)[0])
            held.append(lists.read(0, options.limit)[0])
        lists.close()
    block = latency_block(looking)
    return Findings(
        gates=(
            Gate(
                name="listing that looks at the disk, p95, ms", value=block["p95"], at_most=options.max_listing_p95_ms
            ),
            Gate(name="listing within a second of another, p95, ms", value=latency_block(held)["p95"]),
            Gate(name="first listing of all, ms", value=first * 1000.0),
        ),
        sections={"looking_ms": block, "held_ms": latency_block(held), "first_ms": first * 1000.0},
        artifacts=(directory,),
    )


def _copy(root: Path, original: RunMetadata, run_id: str) -> None:
    # Written plainly: thousands of files need no care for power cuts.
    directory = root / run_id
    directory.mkdir()
    metadata = msgspec.structs.replace(original, run_id=run_id)
    (directory / "run_metadata.json").write_bytes(msgspec.json.encode(metadata))


if __name__ == "__main__":
    sys.exit(main())
