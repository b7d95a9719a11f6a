"""Replays as tables and words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UnsetType
from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.counting import counted
from diorama.cli.narration import payload_words
from diorama.runs.replays.captions import action_words, reward_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diorama.contracts.spec import WorldSpec
    from diorama.runs.replays.entry import ReplayEntry
    from diorama.runs.replays.frames import Frame
    from diorama.runs.replays.sidecar import Sidecar


def replay_table(entries: Sequence[ReplayEntry], *, total: int) -> Table:
    """Return one line per replay."""
    shown = f"{len(entries)} of {total} replays" if len(entries) < total else counted(total, "replay")
    table = Table(title=f"{entries[0].run_id}: {shown}", box=SIMPLE)
    headline = list(entries[0].headline)
    table.add_column("replay", no_wrap=True)
    for heading in ("window", "steps", "ticks", "return", *headline):
        table.add_column(heading, justify="right")
    table.add_column("end")
    table.add_column("tags", overflow="fold")
    for entry in entries:
        table.add_row(
            entry.replay_id,
            str(entry.window_id),
            f"{entry.steps:,}",
            f"{entry.ticks:,}",
            f"{entry.return_total:,.2f}",
            *(f"{entry.headline.get(name, float('nan')):,.2f}" for name in headline),
            end_words(entry),
            ", ".join(entry.tags),
        )
    return table


def replay_words(entry: ReplayEntry, sidecar: Sidecar) -> str:
    """Describe a replay in a few lines."""
    players = " | ".join(f"{player.name} ({player.kind.value})" for player in sidecar.players)
    lines = [
        f"{entry.replay_id}: window {entry.window_id} of {entry.run_id}",
        f"{sidecar.interface_version}, seed {entry.seed}, configuration {sidecar.config_hash[:12]}",
        f"played by {players}",
        f"{counted(entry.steps, 'decision')}, {counted(entry.ticks, 'tick')}, {end_words(entry)}; "
        f"return {entry.return_total:,.4f}",
        "  ".join(f"{name} {value:,.2f}" for name, value in entry.headline.items()),
        f"tags: {', '.join(entry.tags)}",
    ]
    if entry.forked_from is not None:
        lines.append(f"continues {entry.forked_from.replay_id} after its frame {entry.forked_from.frame}")
    return "\n".join(lines)


def frame_table(spec: WorldSpec, frames: Sequence[Frame], frame_count: int) -> Table:
    """Return one line per frame."""
    table = Table(title=f"frames {frames[0].frame_index}..{frames[-1].frame_index} of {frame_count}", box=SIMPLE)
    for heading in ("frame", "tick", "dt"):
        table.add_column(heading, justify="right")
    table.add_column("action", no_wrap=True)
    table.add_column("reward", justify="right")
    table.add_column("events", overflow="fold")
    for frame in frames:
        table.add_row(
            str(frame.frame_index),
            str(frame.t),
            str(frame.dt),
            action_words(spec, frame),
            reward_words(frame.reward),
            _events(frame),
        )
    return table


def end_words(entry: ReplayEntry) -> str:
    """Say how the episode ended."""
    if entry.end_reason is not None:
        return entry.end_reason
    return "terminated" if entry.terminated else "truncated" if entry.truncated else "cut off"


def _events(frame: Frame) -> str:
    payloads = {} if isinstance(frame.event_data, UnsetType) else frame.event_data
    # Square brackets would be taken for markup.
    words = [f"{name} ({payload_words(payloads[name])})" if name in payloads else name for name in frame.events]
    return ", ".join(words).replace("[", r"\[")
