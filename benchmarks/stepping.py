"""Steps per second of a world through the Python-facing batch, beside its reference tier and other libraries.

    python benchmarks/stepping.py --json reports/stepping.json

Random valid actions, auto-resets included. Choosing the actions is timed apart: it is the caller's work. Every
measurement is repeated and the best repeat counts, for the tiers and for the peers alike: on a shared machine the
others tell how busy it was. The report holds all repeats.
"""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

import diorama
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts, usable_cores
from diorama.engine.throughput import SteppingThroughput, measure_stepping
from diorama.storage.report_files import write_report
from harness.repeats import REPEATS
from peers.steppers import PeerRate, measure_peers

COPIES = (1, 64, 256, 1024, 4096)
REFERENCE_COPIES = 4
HEADLINE_COPIES = 1024
GOAL_PER_CORE = 1_000_000  # decisions per second on one quiet current server core


def main() -> None:
    """Measure, print the tables and write the report."""
    options = _options()
    cores = usable_cores()
    console = Console()
    cases = [("fast", copies, threads) for threads in range(1, cores + 1) for copies in COPIES]
    cases.append(("reference", REFERENCE_COPIES, 1))
    rows = [
        _row(tier, copies, threads, options.world, options.seconds)
        for tier, copies, threads in track(cases, description="tiers", console=Console(stderr=True))
    ]
    peers = [
        peer
        for copies in track(COPIES, description="peers", console=Console(stderr=True))
        for peer in measure_peers(copies, seconds=options.seconds)
    ]
    headline = _rate(rows, "fast", HEADLINE_COPIES, 1)
    summary = {
        "world": options.world,
        "decisions_per_second_one_core": headline,
        "goal_per_core": GOAL_PER_CORE,
        "pass": headline >= GOAL_PER_CORE,
        "ratio_to_reference_tier": headline / _rate(rows, "reference", REFERENCE_COPIES, 1),
        "ratio_to_peers": {
            peer.name: headline / peer.decisions_per_second
            for peer in peers
            if peer.copies == HEADLINE_COPIES and peer.decisions_per_second
        },
    }
    _print_tables(console, rows, peers, summary)
    if options.json is not None:
        write_report(options.json, _report(options, rows, peers, summary))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="prospector")
    parser.add_argument("--seconds", type=float, default=2.0, help="stepping time of a measurement, all repeats")
    parser.add_argument("--json", type=Path, help="where to write the report")
    return parser.parse_args()


def _row(tier: str, copies: int, threads: int, world: str, seconds: float) -> JsonObject:
    batch = diorama.make(world, copies=copies, seed=1, tier=tier, threads=threads)
    repeats = [measure_stepping(batch, seconds=seconds / REPEATS, seed=1) for _ in range(REPEATS)]
    measured: SteppingThroughput = max(repeats, key=lambda repeat: repeat.decisions_per_second)
    batch.close()
    return {
        "tier": tier,
        "copies": copies,
        "threads": threads,
        "decisions_per_second": measured.decisions_per_second,
        "repeats": [repeat.decisions_per_second for repeat in repeats],
        "ticks_per_second": measured.ticks_per_second,
        "episodes": measured.episodes,
        "sampling_share": measured.sampling_seconds / (measured.sampling_seconds + measured.stepping_seconds),
    }


def _rate(rows: list[JsonObject], tier: str, copies: int, threads: int) -> float:
    for row in rows:
        if (row["tier"], row["copies"], row["threads"]) == (tier, copies, threads):
            rate = row["decisions_per_second"]
            assert isinstance(rate, float)
            return rate
    raise LookupError(f"{tier} with {copies} copies and {threads} threads was not measured")


def _print_tables(console: Console, rows: list[JsonObject], peers: list[PeerRate], summary: JsonObject) -> None:
    table = Table("tier", "copies", "threads", "decisions/s", "ticks/s", title=str(summary["world"]))
    for row in rows:
        numbers = (f"{row[key]:,.0f}" for key in ("decisions_per_second", "ticks_per_second"))
        table.add_row(str(row["tier"]), str(row["copies"]), str(row["threads"]), *numbers)
    console.print(table)
    table = Table("peer", "copies", "decisions/s", "ratio of the fast tier, one thread", title="in the same run")
    for peer in peers:
        if peer.decisions_per_second is None:
            table.add_row(peer.name, str(peer.copies), f"skipped: {peer.skipped}", "")
            continue
        ratio = _rate(rows, "fast", peer.copies, 1) / peer.decisions_per_second
        table.add_row(peer.name, str(peer.copies), f"{peer.decisions_per_second:,.0f}", f"{ratio:.2f}×")
    console.print(table)
    console.print(
        f"{summary['decisions_per_second_one_core']:,.0f} decisions/s on one core with {HEADLINE_COPIES} copies,"
        f" {summary['ratio_to_reference_tier']:,.0f}× the reference tier (goal: {GOAL_PER_CORE:,})"
    )


def _report(
    options: argparse.Namespace, rows: list[JsonObject], peers: list[PeerRate], summary: JsonObject
) -> JsonObject:
    return {
        "generated_at": datetime.now(UTC).isoformat(),
        "config": {"world": options.world, "seconds": options.seconds},
        "summary": summary,
        "rows": rows,
        "peers": [
            {
                "name": peer.name,
                "copies": peer.copies,
                "decisions_per_second": peer.decisions_per_second,
                "skipped": peer.skipped,
            }
            for peer in peers
        ],
        "system": system_facts(),
    }


if __name__ == "__main__":
    main()
