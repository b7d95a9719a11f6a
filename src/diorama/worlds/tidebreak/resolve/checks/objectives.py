"""Objectives that must name what exists and carry what their type needs."""

from collections.abc import Iterator

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.objectives import TacticalObjective
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.structure import dotted


def check_objectives(draft: Draft, _content: Content) -> Iterator[Problem]:
    """P040: unknown ships and missing fields."""
    if draft.ship_ids is None:
        return
    known = {ship.ship_id for ship in draft.ship_ids}
    edges_open = draft.map is None or draft.map.edges == "open"
    for index, ship in draft.ships:
        if ship.objective is None:
            continue
        at = ("ships", index, "objective")
        for name in ship.objective.missing_fields(edges_open=edges_open):
            yield Problem("P040", dotted(*at, name), f"is needed by the type {ship.objective.type.name}")
        # With an unreadable ship id nobody can say which ships exist.
        if None in known:
            continue
        for path, ship_id in _references(ship.objective):
            if ship_id not in known:
                yield Problem("P040", dotted(*at, *path), f"there is no ship {ship_id!r}")


def _references(objective: TacticalObjective) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if objective.target is not None:
        yield ("target",), objective.target
    for place, ship_id in enumerate(objective.targets):
        yield ("targets", place), ship_id
    if objective.asset is not None:
        yield ("asset",), objective.asset
    if objective.zone is not None and objective.zone.relative_to is not None:
        yield ("zone", "relative_to"), objective.zone.relative_to
    if objective.destination is not None and objective.destination.ship_id is not None:
        yield ("destination", "ship_id"), objective.destination.ship_id
