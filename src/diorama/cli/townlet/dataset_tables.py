"""Datasets and clones as tables for the terminal."""

from rich.table import Table

from diorama.learn.cloning.datasets.documents import Manifest
from diorama.learn.cloning.judging import Agreement
from diorama.learn.settings.cloning import GateSettings


def dataset_table(manifest: Manifest) -> Table:
    """How often every option was chosen where there was a choice."""
    table = Table(
        title=f"{manifest.name}: {len(manifest.samples)} citizens, {manifest.frames:,} ticks, "
        f"{manifest.decisions:,} decisions"
    )
    table.add_column("option")
    table.add_column("decisions", justify="right")
    table.add_column("share", justify="right")
    for option, count in manifest.action_counts.items():
        table.add_row(option, f"{count:,}", f"{count / max(1, manifest.decisions):.1%}")
    return table


def agreement_table(agreement: Agreement, gate: GateSettings) -> Table:
    """How a clone compares with its teacher where it was not taught."""
    table = Table(title=f"held out: {agreement.decisions:,} decisions")
    table.add_column("measure")
    table.add_column("clone", justify="right")
    table.add_column("asked for", justify="right")
    table.add_row("accuracy", f"{agreement.accuracy:.3f}", f">= {gate.accuracy:g}")
    for option, frames in agreement.frames.items():
        if frames:
            asked = f">= {gate.recall:g}" if frames >= gate.recall_decisions else "-"
            table.add_row(f"recall of {option} ({frames:,})", f"{agreement.recalls[option]:.3f}", asked)
    table.add_row("error of values / variance", f"{agreement.value_error:.3f}", f"<= {gate.value_error:g}")
    return table
