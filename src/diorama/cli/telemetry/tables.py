"""What `diorama telemetry` prints."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.counting import counted
from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.drift import FieldDrift
from diorama.telemetry.ppo.summary import LogSummary
from diorama.telemetry.ppo.validation import Finding, LogReport

_MOST_FINDINGS: Final = 20
_WATCHED: Final = ("epoch", "steps", "loss_total", "kl_divergence", "clip_fraction", "grad_norm", "loss_entropy", "lr")
_COLUMNS: Final = ("first", "last", "min", "max", "mean")


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a line per finding, and how many were left out where there are too many to read."""
    for finding in findings[:_MOST_FINDINGS]:
        yield f"{finding.severity.value}: {finding.place}: {finding.message}"
    if len(findings) > _MOST_FINDINGS:
        yield f"and {len(findings) - _MOST_FINDINGS} more"


def verdict_line(report: LogReport) -> str:
    """Return the result of a validation in one line."""
    warnings = len(report.findings) - len(report.errors)
    verdict = "valid" if report.is_valid else f"INVALID, {counted(len(report.errors), 'error')}"
    read = f"{counted(len(report.records), 'record')} in {counted(len(report.files), 'file')}"
    return f"{report.base}: {read}: {verdict}, {counted(warnings, 'warning')}"


def drift_table(name: str, drifts: Sequence[FieldDrift], *, is_relative: bool, threshold: float | None) -> Table:
    """Return one line per compared field of the named log; what is beyond the threshold is marked."""
    table = Table(title=f"{name}: {'relative ' if is_relative else ''}drift from the baseline", box=SIMPLE)
    table.add_column("field", no_wrap=True)
    for heading in ("log mean", "baseline mean", "worst difference", "at record"):
        table.add_column(heading, justify="right")
    for drift in drifts:
        is_beyond = threshold is not None and abs(drift.worst) > threshold
        worst = f"[red]{drift.worst:+.6g} beyond[/]" if is_beyond else f"{drift.worst:+.6g}"
        table.add_row(drift.field, _number(drift.log_mean), _number(drift.baseline_mean), worst, str(drift.worst_at))
    return table


def watch_heading() -> str:
    """Return the names above the lines of a watch."""
    return "  ".join(f"{field:>13}" for field in _WATCHED)


def watch_line(record: Mapping[str, JsonValue]) -> str:
    """Return the numbers of a record that people look at."""
    return "  ".join(f"{_cell(record.get(field)):>13}" for field in _WATCHED)


def summary_heading(summary: LogSummary) -> str:
    """Return what a log is as a whole, in one line."""
    versions = ", ".join(str(version) for version in summary.versions)
    return (
        f"{summary.records:,} records (version {versions}), {summary.updates:,} mini-batch updates, "
        f"{summary.transitions:,} transitions, {summary.steps:,} steps in total, {summary.duration_sec:,.1f} s"
    )


def summary_table(summary: LogSummary) -> Table:
    """Return one line per field."""
    table = Table(box=SIMPLE)
    table.add_column("field", no_wrap=True)
    for heading in _COLUMNS:
        table.add_column(heading, justify="right")
    for name, cells in _summary_rows(summary):
        table.add_row(name, *cells)
    return table


def summary_markdown(summary: LogSummary) -> str:
    """Return the same table for a document."""
    head = f"| field | {' | '.join(_COLUMNS)} |\n|---|{'---:|' * len(_COLUMNS)}"
    rows = (f"| `{name}` | {' | '.join(cells)} |" for name, cells in _summary_rows(summary))
    return "\n".join((f"{summary_heading(summary)}\n", head, *rows))


def _summary_rows(summary: LogSummary) -> Iterator[tuple[str, tuple[str, ...]]]:
    for item in summary.fields:
        values = (item.first, item.last, item.lowest, item.highest, item.mean)
        yield item.field, tuple(_number(value) for value in values)


def _cell(value: JsonValue) -> str:
    return _number(value) if isinstance(value, int | float) else "-"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
