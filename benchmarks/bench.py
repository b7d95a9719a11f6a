"""The benchmark harness: a short training run, the latency of the frames endpoint, and a memory soak.

    python benchmarks/bench.py --json reports/bench.json --max-replay-latency-p95-ms 20

Training is deterministic, with one evaluation replay per window. Frames come from a real server process.
"""

import argparse
import random
import sys
from pathlib import Path

from harness.latency import latency_block
from harness.memory_growth import heap_growth, page_offsets, resident_growth
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving
from harness.short_training import train_shortly
from harness.stopwatch import Stopwatch
from harness.subject import Subject, add_subject_options, find_subject
from harness.transport import PageReader

_TRAINING = "training"


def main() -> int:
    """Measure and report."""
    script = Script("bench", __doc__)
    add_subject_options(script.parser, frames=4096)
    script.parser.add_argument("--backend", default="ppo", help="ppo or random")
    script.parser.add_argument("--windows", type=positive, default=8, help="windows of the training run")
    script.parser.add_argument("--seed", type=int, default=0)
    script.parser.add_argument("--samples", type=positive, default=30, help="pages that are timed")
    script.parser.add_argument("--warm-ups", type=positive, default=3, help="pages before that")
    script.parser.add_argument("--limit", type=positive, default=128, help="frames per page")
    script.parser.add_argument("--soak-requests", type=positive, default=400)
    script.parser.add_argument("--min-trainer-steps-per-sec", type=float, help="fail below this")
    script.parser.add_argument("--max-replay-latency-p95-ms", type=float, help="fail above this")
    script.parser.add_argument("--max-memory-final-growth-mb", type=float, default=16.0, help="of the heap")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Take the three measurements one after another."""
    trained = _train(options, directory)
    subject = find_subject(options, directory)
    log = directory / "server.log"
    latency = _latency(subject, options, log)
    offsets = page_offsets(subject, requests=options.soak_requests, limit=options.limit, seed=options.seed)
    heap = heap_growth(subject, offsets, limit=options.limit, log=log)
    resident = resident_growth(subject, offsets, limit=options.limit, log=log)
    rate = trained["steps_per_sec"]
    return Findings(
        gates=(
            Gate(name="training, steps/s", value=rate, at_least=options.min_trainer_steps_per_sec),
            Gate(name="frames endpoint, p95, ms", value=latency["p95"], at_most=options.max_replay_latency_p95_ms),
            Gate(name="heap growth, MiB", value=heap.final_mib, at_most=options.max_memory_final_growth_mb),
            Gate(name="growth in RAM, MiB", value=resident.final_mib),
        ),
        sections={
            "trainer": trained,
            "replay_latency_ms": latency,
            "memory": {"requests": options.soak_requests, "heap": heap.to_json(), "resident": resident.to_json()},
        },
        artifacts=(directory,),
    )


def _train(options: argparse.Namespace, directory: Path) -> dict[str, float]:
    watch = Stopwatch()
    outcome = train_shortly(
        directory,
        _TRAINING,
        options.world,
        backend=options.backend,
        windows=options.windows,
        seed=options.seed,
        progress=watch,
    )
    return {
        "env_steps_total": outcome.env_steps_total,
        "timed_env_steps": watch.env_steps,
        "wall_seconds": watch.wall_seconds,
        "cpu_seconds": watch.cpu_seconds,
        "steps_per_sec": watch.steps_per_second,
    }


def _latency(subject: Subject, options: argparse.Namespace, log: Path) -> dict[str, float]:
    draws = random.Random(options.seed)
    with serving(subject.run_root, log=log) as server:
        reader = PageReader(server, subject.frames_path)
        most = max(0, subject.frames - options.limit)
        seconds = [
            reader.read(draws.randint(0, most), options.limit)[0] for _ in range(options.warm_ups + options.samples)
        ]
        reader.close()
    return latency_block(seconds[options.warm_ups :])


if __name__ == "__main__":
    sys.exit(main())
