"""`diorama bench`: how fast a world steps on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from diorama.cli.options import ConfigOption, ReportOption, TierOption, WorldArgument, parse_counts, parse_settings

if TYPE_CHECKING:
    from diorama.contracts.values import JsonObject
    from diorama.engine.batch import Batch
    from diorama.engine.throughput import SteppingThroughput

USUAL_COPIES: Final = "1,64,1024"
COPIES_OF: Final = {"morphogenesis": "1,8,32"}
"""Batch sizes of worlds whose steps are long: a copy that trains a network takes its time for every decision."""


def bench(
    world: WorldArgument,
    copies: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Batch sizes.",
            show_default="; ".join((USUAL_COPIES, *(f"{sizes} for {name}" for name, sizes in COPIES_OF.items()))),
        ),
    ] = None,
    threads: Annotated[str, typer.Option(metavar="LIST", help="Thread counts.")] = "1",
    seconds: Annotated[float, typer.Option(help="Stepping time of each measurement.")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the worlds and of the actions.")] = 0,
    tier: TierOption = "auto",
    config: ConfigOption = None,
    json: ReportOption = None,
) -> None:
    """Measure decisions per second of random valid actions through the Python-facing batch.

    Only stepping is counted; the share of time it takes to choose the actions is shown beside it.
    """
    from diorama.engine.make import make
    from diorama.engine.throughput import measure_stepping
    from diorama.storage.report_files import write_report

    wanted = COPIES_OF.get(world, USUAL_COPIES) if copies is None else copies
    sizes, thread_counts = parse_counts("--copies", wanted), parse_counts("--threads", threads)
    settings = parse_settings(config)
    rows: list[JsonObject] = []
    header = f"{'tier':9}  {'copies':>7}  {'threads':>7}  {'decisions/s':>12}  {'ticks/s':>13}  {'choosing':>8}"
    for size, count in ((size, count) for size in sizes for count in thread_counts):
        batch = make(world, copies=size, config=settings, seed=seed, tier=tier, threads=count)
        measured = measure_stepping(batch, seconds=seconds, seed=seed)
        typer.echo(_line(batch, measured) if rows else f"{header}\n{_line(batch, measured)}")
        rows.append(_row(batch, measured))
        batch.close()
    if json is not None:
        write_report(json, _report(batch, rows, seconds=seconds))


def _line(batch: Batch, measured: SteppingThroughput) -> str:
    choosing = measured.sampling_seconds / (measured.sampling_seconds + measured.stepping_seconds)
    return (
        f"{batch.tier_selected.value:9}  {batch.copies:>7}  {batch.facts.threads:>7}  "
        f"{measured.decisions_per_second:>12,.0f}  {measured.ticks_per_second:>13,.0f}  {choosing:>8.0%}"
    )


def _row(batch: Batch, measured: SteppingThroughput) -> JsonObject:
    return {
        "tier": batch.tier_selected.value,
        "tier_fallback_reason": batch.tier_fallback_reason,
        "copies": batch.copies,
        "threads": batch.facts.threads,
        "decisions_per_second": measured.decisions_per_second,
        "ticks_per_second": measured.ticks_per_second,
        "decisions": measured.decisions,
        "ticks": measured.ticks,
        "episodes": measured.episodes,
        "stepping_seconds": measured.stepping_seconds,
        "sampling_seconds": measured.sampling_seconds,
    }


def _report(batch: Batch, rows: list[JsonObject], *, seconds: float) -> JsonObject:
    from diorama.engine.system_facts import system_facts

    return {
        "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "world": batch.spec.world,
        "interface_version": batch.spec.interface_version,
        "config": batch.config.model_dump(mode="json"),
        "config_hash": batch.config_hash,
        "seed": batch.facts.seed,
        "seconds": seconds,
        "measurements": rows,
        "system": system_facts(),
    }
