"""Whether runs, replays and the server stay right over several cycles of training and hundreds of requests.

    python benchmarks/stability.py --cycles 3 --json reports/stability.json

Each cycle trains a fresh run with a replay per window and checks its index and every frame. Then the catalogue, pages
of frames and the index are asked for again and again: nothing may drift, be empty or make the heap grow.
"""

import argparse
import sys
from pathlib import Path

from diorama.contracts.values import JsonObject
from diorama.runs.run import Run, open_run
from harness.hammer import Question, hammer
from harness.index_checks import index_problems
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import TracedServer, serving_traced
from harness.short_training import train_shortly

_MIB = 1 << 20


def main() -> int:
    """Check and report."""
    script = Script("stability", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--cycles", type=positive, default=3)
    script.parser.add_argument("--backend", default="ppo", help="ppo or random")
    script.parser.add_argument("--windows", type=positive, default=4, help="windows per run")
    script.parser.add_argument("--seed", type=int, default=0, help="of the first cycle")
    script.parser.add_argument("--catalogue-requests", type=positive, default=200)
    script.parser.add_argument("--frames-requests", type=positive, default=800)
    script.parser.add_argument("--frames-limit", type=positive, default=128)
    script.parser.add_argument("--index-requests", type=positive, default=400)
    script.parser.add_argument("--max-memory-final-growth-mb", type=float, default=24.0, help="of the heap, per cycle")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Go through the cycles; all of them, whatever the first ones show."""
    failures: list[str] = []
    growth: list[float] = []
    cycles: list[JsonObject] = []
    for cycle in range(options.cycles):
        run_id = f"cycle-{cycle:03d}"
        train_shortly(
            directory,
            run_id,
            options.world,
            backend=options.backend,
            windows=options.windows,
            seed=options.seed + cycle,
        )
        run = open_run(directory, run_id)
        problems = index_problems(run, windows=options.windows)
        with serving_traced(directory, log=directory / "server.log") as server:
            questions = _questions(run, options)
            for question in questions:
                problems += hammer(server.running, question)
            growth.append(_growth_mib(server, questions))
        failures += problems
        cycles.append({"run_id": run_id, "problems": problems, "heap_growth_mib": growth[-1]})
    return Findings(
        gates=(
            Gate(name="cycles", value=options.cycles),
            Gate(name="most heap growth, MiB", value=max(growth), at_most=options.max_memory_final_growth_mb),
        ),
        failures=failures,
        sections={"cycles": cycles},
        artifacts=(directory,),
    )


def _questions(run: Run, options: argparse.Namespace) -> list[Question]:
    replay_id = run.replay_index().entries[-1].replay_id
    replays = f"/api/runs/{run.run_id}/replays"
    return [
        Question(name="catalogue", path="/api/runs", key="total", times=options.catalogue_requests),
        Question(
            name="frames",
            path=f"{replays}/{replay_id}/frames?limit={options.frames_limit}",
            key="count",
            times=options.frames_requests,
        ),
        Question(name="index", path=replays, key="count", times=options.index_requests),
    ]


def _growth_mib(server: TracedServer, questions: list[Question]) -> float:
    # Everything was asked before, so that caches are full and code is loaded.
    before = server.heap_bytes()
    for question in questions:
        hammer(server.running, question)
    return (server.heap_bytes() - before) / _MIB


if __name__ == "__main__":
    sys.exit(main())
