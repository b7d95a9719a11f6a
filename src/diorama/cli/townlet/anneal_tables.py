"""The result of an anneal schedule as a table for the terminal."""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from rich.box import SIMPLE
from rich.table import Table

from diorama.learn.imitation.anneal import AnnealStatus, StageResult
from diorama.training.callbacks.anneal import RESULT_FILE

_COLORS: Final = {AnnealStatus.PASS: "green", AnnealStatus.HOLD: "yellow", AnnealStatus.FAIL: "red"}


class AnnealReport(BaseModel):
    """What of `anneal_results.json` is shown."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    status: AnnealStatus
    stages: tuple[StageResult, ...]
    policy_hash: str


def read_report(directory: Path) -> AnnealReport | None:
    """Return the result of a run; None where its schedule has not come to an end."""
    path = directory / RESULT_FILE
    return AnnealReport.model_validate_json(path.read_bytes()) if path.exists() else None


def anneal_table(report: AnnealReport) -> Table:
    """Return one line per stage."""
    table = Table(title=f"anneal: [{_COLORS[report.status]}]{report.status.value}[/]", title_justify="left", box=SIMPLE)
    for heading, justify in (
        ("stage", "right"),
        ("mode", "left"),
        ("epochs", "right"),
        ("ratio", "right"),
        ("accuracy", "right"),
        ("reward", "right"),
        ("outcome", "left"),
    ):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    for stage in report.stages:
        reward = None if stage.figures is None else stage.figures.key_figures.get("reward_mean")
        table.add_row(
            str(stage.cycle),
            stage.mode.value,
            str(stage.epochs),
            "-" if stage.ratio is None else f"{stage.ratio:.2f}",
            "-" if stage.accuracy is None else f"{stage.accuracy:.3f}",
            "-" if reward is None else f"{reward:+.5f}",
            _outcome(stage),
        )
    return table


def _outcome(stage: StageResult) -> str:
    if stage.passed is not None:
        return "passed" if stage.passed else f"rolled back: {'; '.join(stage.shortcomings)}"
    words = f"flags: {', '.join(stage.flags)}" if stage.flags else "no flags"
    return f"{words}, ratio frozen" if stage.frozen else words
