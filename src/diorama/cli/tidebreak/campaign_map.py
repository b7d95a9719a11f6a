"""The strategic map as text: places by their coordinates, fleets beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.campaign import Campaign
    from diorama.worlds.tidebreak.campaign.state import CampaignState, Node

_WIDTH: Final = 106
_HEIGHT: Final = 19
_MARGIN: Final = 32  # columns kept free for the names of places at the right edge
_SIGNS: Final = {"HUB": "@", "SITE": "+", "STRAIT": "#", "SEA": "~", "WRECK": "x"}


def chart(played: Campaign) -> str:
    """Draw the map; @ hub, + site, # strait, ~ open sea, x wreck, dots are lanes."""
    state = played.state
    grid = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    spots = _spots(state)
    for lane in state.lanes:
        _draw_lane(grid, spots[lane.a], spots[lane.b])
    for node in state.nodes:
        column, row = spots[node.id]
        _write(grid, row, column, f"{_SIGNS[node.kind.value]} {_label(state, node)}")
    lines = ["".join(line).rstrip() for line in grid]
    legend = "@ hub  + site  # strait  ~ sea  x wreck  . lane  [F] fleets by owner"
    # Square brackets are markup to rich, so they are escaped.
    return "\n".join([*lines, legend]).replace("[", "\\[")


def _spots(state: CampaignState) -> dict[str, tuple[int, int]]:
    xs, ys = [node.x_km for node in state.nodes], [node.y_km for node in state.nodes]
    wide, high = max(max(xs) - min(xs), 1.0), max(max(ys) - min(ys), 1.0)
    return {
        node.id: (
            int((node.x_km - min(xs)) / wide * (_WIDTH - _MARGIN)),
            int((max(ys) - node.y_km) / high * (_HEIGHT - 1)),
        )
        for node in state.nodes
    }


def _label(state: CampaignState, node: Node) -> str:
    owner = "" if node.owner is None else f" ({node.owner})"
    counts: dict[str, int] = {}
    for fleet in state.fleets_at(node.id):
        counts[fleet.owner] = counts.get(fleet.owner, 0) + 1
    fleets = "".join(f" [{count}{name[0].upper()}]" for name, count in sorted(counts.items()))
    siege = " !siege" if any(siege.hub == node.id for siege in state.sieges) else ""
    return f"{node.name}{owner}{fleets}{siege}"


def _draw_lane(grid: list[list[str]], start: tuple[int, int], end: tuple[int, int]) -> None:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    for step in range(2, steps, 2):
        column = start[0] + (end[0] - start[0]) * step // steps
        row = start[1] + (end[1] - start[1]) * step // steps
        grid[row][column] = "."


def _write(grid: list[list[str]], row: int, column: int, text: str) -> None:
    for offset, letter in enumerate(text):
        if column + offset < _WIDTH:
            grid[row][column + offset] = letter
