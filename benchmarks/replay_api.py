"""How fast any page of a long replay comes, and how fast all of it streams.

    python benchmarks/replay_api.py --json reports/replay_api.json

A real server process answers over loopback. Pages are asked for at random offsets over one open connection, plain and
packed the way browsers ask; a page is timed to its last byte, and not decoded. The whole replay is then streamed over a
WebSocket and paged through over HTTP.
"""

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from harness.latency import latency_block
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import RunningServer, serving
from harness.subject import Subject, add_subject_options, find_subject
from harness.transport import BadAnswer, PageReader, frames_in, next_offset, stream

GOAL_P95_MS: Final = 20.0
_MIB: Final = 1 << 20
_STREAM_LIMIT: Final = 50_000  # the most one stream gives


def main() -> int:
    """Measure and report."""
    script = Script("replay_api", __doc__)
    add_subject_options(script.parser, frames=50_000)
    script.parser.add_argument("--limit", type=positive, default=256, help="frames per page")
    script.parser.add_argument("--samples", type=positive, default=200, help="pages of each kind that are timed")
    script.parser.add_argument("--warm-ups", type=positive, default=3, help="pages before that")
    script.parser.add_argument("--seed", type=int, default=0, help="of the offsets")
    script.parser.add_argument("--max-replay-latency-p95-ms", type=float, default=GOAL_P95_MS)
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Measure pages and streams of one replay."""
    subject = find_subject(options, directory)
    if subject.frames < options.limit:
        raise ConfigError(f"the replay has {subject.frames} frames; a page of {options.limit} needs as many")
    log = directory / "server.log"
    with serving(subject.run_root, log=log) as server:
        plain, packed = (_pages(server, subject, options, packed=packed) for packed in (False, True))
        again = _pages(server, subject, options, packed=False, places=1)
        streamed = _stream(server, subject)
        paged = _page_through(server, subject)
    limit = options.max_replay_latency_p95_ms
    return Findings(
        gates=(
            Gate(name="page p95, plain, ms", value=plain["latency_ms"]["p95"], at_most=limit),
            Gate(name="page p95, packed, ms", value=packed["latency_ms"]["p95"], at_most=limit),
            Gate(name="page p95, the same page again, ms", value=again["latency_ms"]["p95"]),
            Gate(name="WebSocket, frames/s", value=streamed["frames_per_second"]),
            Gate(name="HTTP, frames/s", value=paged["frames_per_second"]),
        ),
        sections={
            "replay": {"run_id": subject.run_id, "replay_id": subject.replay_id, "frames": subject.frames},
            "pages": {"plain": plain, "packed": packed, "again": again},
            "streaming": {"websocket": streamed, "http": paged},
        },
        artifacts=(directory,),
    )


def _pages(
    server: RunningServer, subject: Subject, options: argparse.Namespace, *, packed: bool, places: int | None = None
) -> dict[str, dict[str, float]]:
    draws = random.Random(options.seed)
    offsets = [draws.randint(0, subject.frames - options.limit) for _ in range(options.warm_ups + options.samples)]
    if places is not None:
        offsets = [offsets[place % places] for place in range(len(offsets))]
    reader = PageReader(server, subject.frames_path, packed=packed)
    answers = [reader.read(offset, options.limit) for offset in offsets]
    reader.close()
    timed = answers[options.warm_ups :]
    if not packed and any(frames_in(body) != options.limit for _, body in timed):
        raise BadAnswer(f"a page of {subject.frames_path} has another number of frames than {options.limit}")
    sizes = [len(body) for _, body in timed]
    return {
        "latency_ms": latency_block([seconds for seconds, _ in timed]),
        "body_bytes": {"min": min(sizes), "max": max(sizes), "mean": sum(sizes) / len(sizes)},
    }


def _stream(server: RunningServer, subject: Subject) -> dict[str, float]:
    got = stream(server, subject, limit=min(subject.frames, _STREAM_LIMIT))
    return {
        "frames": got.frames,
        "messages": got.messages,
        "seconds": got.seconds,
        "frames_per_second": got.frames / got.seconds,
        "mib_per_second": got.frame_bytes / _MIB / got.seconds,
        "prelude_ms": got.prelude_seconds * 1000.0,
        "first_frames_ms": got.first_chunk_seconds * 1000.0,
        "message_wait_p95_ms": latency_block(got.chunk_seconds)["p95"],
    }


def _page_through(server: RunningServer, subject: Subject) -> dict[str, float]:
    reader = PageReader(server, subject.frames_path)
    size, frames, body_bytes = 5000, 0, 0
    began = time.perf_counter()
    while frames < subject.frames:
        _, body = reader.read(frames, size)
        body_bytes += len(body)
        frames = next_offset(body)
    seconds = time.perf_counter() - began
    reader.close()
    return {
        "frames": frames,
        "page_frames": size,
        "seconds": seconds,
        "frames_per_second": frames / seconds,
        "mib_per_second": body_bytes / _MIB / seconds,
    }


if __name__ == "__main__":
    sys.exit(main())
