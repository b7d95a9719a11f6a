"""Runs a ROM to a place and shows what it executes there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import typer

from diorama.worlds.gameboy.harness.actions import parse_source
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.harness.tail import trace_line
from diorama.worlds.gameboy.stops import open_stoppable

if TYPE_CHECKING:
    from diorama._native import GameboyLanes

MOST_FRAMES: Final = 3600
NOT_REACHED: Final = 1
_TRAPS: Final = {1: "illegal opcode", 2: "instruction budget spent", 3: "stopped"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """Where a run is to stop."""

    break_at: int | None = None
    watch_write: int | None = None
    max_instr: int | None = None

    @property
    def is_any(self) -> bool:
        """Whether there is one."""
        return any(stop is not None for stop in (self.break_at, self.watch_write, self.max_instr))


def show_trace(rom: RomUnderTest, *, stops: Stops, count: int, frames: int, actions: str) -> int:
    """Run, print the trace, and return the exit code."""
    source = parse_source(actions)
    lanes = open_stoppable(rom.image, boot=rom.boot)
    if stops.is_any:
        lanes.set_stops(break_at=stops.break_at, watch_write=stops.watch_write, max_instr=stops.max_instr)
    limit = frames or (MOST_FRAMES if stops.is_any else 0)
    for frame in range(limit):
        lanes.step(source.actions(frame, 1), 1, 1)
        if _trap(lanes):
            break
    trap = _trap(lanes)
    if trap:
        where = int(lanes.field("trap_pc")[0])
        typer.echo(f"{_TRAPS[trap]} at ${where:04X} after {int(lanes.field('instr_count')[0]):,} instructions")
    elif stops.is_any:
        typer.echo(f"no stop was reached in {limit:,} frames", err=True)
        return NOT_REACHED
    lanes.set_stops()
    for row in lanes.trace(0, count):
        typer.echo(trace_line(row, rom))
    return 0


def _trap(lanes: "GameboyLanes") -> int:
    return int(lanes.field("trap_kind")[0])
