"""Datasets and clones as tables for the terminal."""

from typing import Final

from rich.box import SIMPLE
from rich.table import Table

from diorama.learn.imitation.dataset_files import Manifest
from diorama.learn.imitation.validation import Agreement
from diorama.learn.settings.imitation import GateSettings

_NOTHING: Final = "-"


def dataset_table(manifest: Manifest) -> Table:
    """How often every option was chosen where there was a choice."""
    table = Table(
        box=SIMPLE,
        title=f"{manifest.name}: {len(manifest.samples)} citizens, {manifest.frames:,} ticks, "
        f"{manifest.decisions:,} decisions",
    )
    table.add_column("option")
    table.add_column("decisions", justify="right")
    table.add_column("share", justify="right")
    for option, count in manifest.action_counts.items():
        table.add_row(option, f"{count:,}", f"{count / max(1, manifest.decisions):.1%}")
    return table


def agreement_table(agreement: Agreement, gate: GateSettings | None) -> Table:
    """How a clone compares with its teacher where it was not taught; without a gate nothing is asked for."""
    table = Table(title=f"held out: {agreement.decisions:,} decisions", box=SIMPLE)
    table.add_column("measure")
    table.add_column("clone", justify="right")
    table.add_column("asked for", justify="right")
    table.add_row("accuracy", f"{agreement.accuracy:.3f}", _NOTHING if gate is None else f">= {gate.accuracy:g}")
    for option, frames in agreement.frames.items():
        if frames:
            asked = _NOTHING if gate is None or frames < gate.recall_decisions else f">= {gate.recall:g}"
            table.add_row(f"recall of {option} ({frames:,})", f"{agreement.recalls[option]:.3f}", asked)
    bound = _NOTHING if gate is None else f"<= {gate.value_error:g}"
    table.add_row("error of values / variance", f"{agreement.value_error:.3f}", bound)
    return table
