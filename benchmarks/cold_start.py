"""How long `diorama serve` takes from the start of its process until it answers.

    python benchmarks/cold_start.py --json reports/cold_start.json

Measured on a root with a few runs; the first start of all may find nothing in the disk's cache and is told apart.
"""

import argparse
import sys
from pathlib import Path

from harness.latency import latency_block
from harness.long_replay import make_long_replay
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving


def main() -> int:
    """Measure and report."""
    script = Script("cold_start", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--repeats", type=positive, default=5)
    script.parser.add_argument("--runs", type=positive, default=3, help="runs in the root")
    script.parser.add_argument("--max-cold-start-p50-ms", type=float, help="fail above this")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Start servers one after another."""
    for place in range(options.runs):
        make_long_replay(directory, f"run-{place}", options.world, frames=64)
    listening, healthy = [], []
    for _ in range(1 + options.repeats):
        with serving(directory, log=directory / "server.log") as server:
            listening.append(server.listening_seconds)
            healthy.append(server.healthy_seconds)
    block = latency_block(healthy[1:])
    return Findings(
        gates=(Gate(name="until /health answers, p50, ms", value=block["p50"], at_most=options.max_cold_start_p50_ms),),
        sections={
            "first_start_ms": healthy[0] * 1000.0,
            "healthy_ms": block,
            "listening_ms": latency_block(listening[1:]),
        },
        artifacts=(directory,),
    )


if __name__ == "__main__":
    sys.exit(main())
