"""What a server keeps of many requests: growth of its heap, and of its memory in RAM.

    python benchmarks/memory_soak.py --json reports/memory_soak.json

The same pages are asked for twice; the first round fills the caches, which are limited, and the second must not grow
anything. The heap is traced in one server process, memory in RAM is looked at in another, which is not traced.
"""

import argparse
import sys
from pathlib import Path

from harness.memory_growth import heap_growth, page_offsets, resident_growth
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.subject import add_subject_options, find_subject


def main() -> int:
    """Soak and report."""
    script = Script("memory_soak", __doc__)
    add_subject_options(script.parser, frames=50_000)
    script.parser.add_argument("--requests", type=positive, default=400)
    script.parser.add_argument("--limit", type=positive, default=256, help="frames per page")
    script.parser.add_argument("--seed", type=int, default=0, help="of the offsets")
    script.parser.add_argument("--max-memory-final-growth-mb", type=float, default=16.0, help="of the heap")
    script.parser.add_argument("--max-resident-growth-mb", type=float, default=64.0)
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Soak one replay."""
    subject = find_subject(options, directory)
    offsets = page_offsets(subject, requests=options.requests, limit=options.limit, seed=options.seed)
    log = directory / "server.log"
    heap = heap_growth(subject, offsets, limit=options.limit, log=log)
    resident = resident_growth(subject, offsets, limit=options.limit, log=log)
    return Findings(
        gates=(
            Gate(name="heap growth, MiB", value=heap.final_mib, at_most=options.max_memory_final_growth_mb),
            Gate(name="growth in RAM, MiB", value=resident.final_mib, at_most=options.max_resident_growth_mb),
        ),
        sections={"heap": heap.to_json(), "resident": resident.to_json()},
        artifacts=(directory,),
    )


if __name__ == "__main__":
    sys.exit(main())
