"""What `diorama townlet run` prints."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.result_console import result_console
from diorama.contracts.live.kpis import Band
from diorama.worlds.townlet.affordance_timings import AffordanceTimings
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.contract import TOWN_METRICS
from diorama.worlds.townlet.headless import HeadlessReport
from diorama.worlds.townlet.kpi_targets import KPI_TARGETS
from diorama.worlds.townlet.reference.state.kpis import KpiRow

_COLORS: Final = {Band.GOOD: "default", Band.AMBER: "yellow", Band.RED: "red"}
_NEEDS_RELATIONSHIPS: Final = ("relationship_coverage", "conflict_escalation")


def print_run(report: HeadlessReport, config: SimulationConfig, *, warnings: Sequence[str]) -> None:
    """Print the days, the citizens and what happened."""
    console = result_console()
    for warning in (*warnings, *report.surprises):
        console.print(f"[yellow]note:[/] {warning}")
    console.print(f"{report.effective_id}, seed {report.seed}: {report.ticks} ticks, state {report.state_hash}")
    console.print(kpi_table(report.days, config))
    console.print(_citizens(report))
    console.print(_events(report))
    if report.timings is not None:
        console.print(_timings(report.timings))
    rewards = report.rewards
    console.print(
        f"rewards: mean {rewards.mean:+.5f} per tick, deviation {rewards.deviation:.5f}, "
        f"{rewards.reward_clip_events} clipped, {rewards.death_window_events} near an exit"
    )


def kpi_table(rows: Sequence[KpiRow], config: SimulationConfig) -> Table:
    """Return one line per day; the last one may not be over."""
    labels = {metric.key: metric.label for metric in TOWN_METRICS}
    shown = [
        target for target in KPI_TARGETS if config.features.has_relationships or target.key not in _NEEDS_RELATIONSHIPS
    ]
    table = Table(title="days", box=SIMPLE, title_justify="left")
    table.add_column("day", justify="right")
    for target in shown:
        table.add_column(labels[target.key].lower(), justify="right")
    for row in rows:
        values = asdict(row)
        table.add_row(
            str(row.start_tick // config.world.ticks_per_day),
            *(f"[{_COLORS[target.band(values[target.key])]}]{values[target.key]:.2f}[/]" for target in shown),
        )
    return table


def _citizens(report: HeadlessReport) -> Table:
    table = Table(title="citizens", box=SIMPLE, title_justify="left")
    headings = ("id", "name", "job", "hunger", "hygiene", "energy", "wallet", "wages", "attendance", "days", "reward")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < 3 else "right", no_wrap=True)
    for citizen in report.citizens:
        table.add_row(
            citizen.agent_id,
            citizen.name,
            citizen.job or "-",
            f"{citizen.hunger:.2f}",
            f"{citizen.hygiene:.2f}",
            f"{citizen.energy:.2f}",
            f"{citizen.wallet:.2f}",
            f"{citizen.wages_earned:.2f}",
            f"{citizen.attendance:.2f}",
            f"{citizen.lived_days:.1f}",
            f"{citizen.episode_reward:+.2f}",
        )
    return table


def _events(report: HeadlessReport) -> Table:
    table = Table(title="events", box=SIMPLE, title_justify="left")
    table.add_column("event", no_wrap=True)
    table.add_column("count", justify="right")
    for name, count in sorted(report.events.items(), key=lambda entry: -entry[1]):
        table.add_row(name, str(count))
    return table


def _timings(timings: AffordanceTimings) -> Table:
    table = Table(title="affordances, times in ticks", box=SIMPLE, title_justify="left")
    for heading in ("affordance", "started", "finished", "failed", "mean wait", "busy"):
        table.add_column(heading, justify="left" if heading == "affordance" else "right")
    for name, row in timings.by_id.items():
        table.add_row(
            name, str(row.starts), str(row.finishes), str(row.failures), f"{row.mean_wait:.1f}", str(row.busy)
        )
    return table
