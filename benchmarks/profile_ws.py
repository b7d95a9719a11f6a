"""Which sizes of batches and messages, and how many messages at a time, stream a replay best over a WebSocket.

    python benchmarks/profile_ws.py --json reports/profile_ws.json

Every combination streams the same frames several times. The recommendation goes by frames per second, then by the 95th
percentile of the wait for a message, then by the fewest messages.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from harness.latency import latency_block
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving
from harness.subject import add_subject_options, find_subject
from harness.transport import Streamed, stream

CHOSEN: Final = ("batch_size", "max_chunk_bytes", "yield_every_batches")
BATCH_SIZES: Final = (64, 128, 256, 512)
CHUNK_BYTES: Final = (65_536, 131_072, 262_144, 524_288)
YIELDS: Final = (0, 8)  # messages after which the server lets others have a turn; 0 never does
SMALLEST_REPLAY: Final = 256  # frames


def main() -> int:
    """Profile and report."""
    script = Script("profile_ws", __doc__)
    add_subject_options(script.parser, frames=8192)
    script.parser.add_argument("--repeats", type=positive, default=3)
    script.parser.add_argument("--limit", type=positive, default=5000, help="frames per stream")
    script.parser.add_argument("--batch-sizes", type=positive, nargs="+", default=list(BATCH_SIZES))
    script.parser.add_argument("--chunk-bytes", type=positive, nargs="+", default=list(CHUNK_BYTES))
    script.parser.add_argument("--yield-every-batches", type=int, nargs="+", default=list(YIELDS))
    script.parser.add_argument("--min-frames-per-sec", type=float, help="fail if the best combination is slower")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Stream one replay in every combination."""
    subject = find_subject(options, directory)
    if subject.frames < SMALLEST_REPLAY:
        raise ConfigError(f"the replay has {subject.frames} frames; profiling needs {SMALLEST_REPLAY} or more")
    choices = list(product(options.batch_sizes, options.chunk_bytes, options.yield_every_batches))
    streams: dict[tuple[int, int, int], list[Streamed]] = {choice: [] for choice in choices}
    with serving(subject.run_root, log=directory / "server.log") as server:
        stream(server, subject, limit=options.limit)
        # Rounds, not blocks: a busy moment of the machine then costs every combination the same.
        for _ in range(options.repeats):
            for choice in choices:
                asked = dict(zip(CHOSEN, choice, strict=True))
                streams[choice].append(stream(server, subject, limit=options.limit, **asked))
    rows = [row(choice, streams[choice]) for choice in choices]
    best = recommended(rows)
    return Findings(
        gates=(
            Gate(name="best, frames/s", value=best["frames_per_second"], at_least=options.min_frames_per_sec),
            Gate(name="best batch size, frames", value=best["batch_size"]),
            Gate(name="best message size, bytes", value=best["max_chunk_bytes"]),
            Gate(name="best number of messages before a turn of others", value=best["yield_every_batches"]),
        ),
        sections={"recommendation": best, "rows": rows},
        artifacts=(directory,),
    )


def row(choice: tuple[int, int, int], repeats: Sequence[Streamed]) -> dict[str, float]:
    """Return what the repeats of one combination come to; the prelude counts as no message."""
    waits = latency_block([wait for got in repeats for wait in got.chunk_seconds])
    return {
        **dict(zip(CHOSEN, choice, strict=True)),
        "repeats": len(repeats),
        "frames": repeats[0].frames,
        "messages": repeats[0].messages,
        "frames_per_second": sum(got.frames for got in repeats) / sum(got.seconds for got in repeats),
        "first_frames_ms": 1000.0 * sum(got.first_chunk_seconds for got in repeats) / len(repeats),
        **{f"message_wait_{name}_ms": waits[name] for name in ("min", "max", "mean", "p50", "p95", "p99")},
    }


def recommended(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the best row: most frames per second, then the shortest waits, then the fewest messages."""
    return min(rows, key=lambda each: (-each["frames_per_second"], each["message_wait_p95_ms"], each["messages"]))


if __name__ == "__main__":
    sys.exit(main())
