"""Objectives with unit ids, ticks and absolute places."""

from collections.abc import Mapping

from diorama.numerics import ceil
from diorama.worlds.tidebreak.packages.objectives import ObjectiveZone, TacticalObjective
from diorama.worlds.tidebreak.resolve.records import UNLIMITED, ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import circle, polygon, rectangle_corners
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedObjective


def resolve_objective(objective: TacticalObjective, ids: Mapping[str, int]) -> ResolvedObjective:
    """Look up the ships it names.

    Args:
        objective: As the package has it.
        ids: Unit id by ship id.
    """
    zone, destination = objective.zone, objective.destination
    position = destination.position if destination is not None else None
    return ResolvedObjective(
        objective_id=objective.objective_id,
        type=int(objective.type),
        priority=objective.priority,
        target_id=_id(objective.target, ids),
        target_ids=tuple(sorted({ids[name] for name in named_targets(objective)})),
        asset_id=_id(objective.asset, ids),
        zone=None if zone is None else _shape(zone),
        zone_relative_id=_id(zone.relative_to, ids) if zone is not None else 0,
        destination_id=_id(destination.ship_id, ids) if destination is not None else 0,
        destination_x=None if position is None else position[0],
        destination_y=None if position is None else position[1],
        duration_ticks=0 if objective.duration_s is None else int(ceil(objective.duration_s)),
        deadline_ticks=UNLIMITED if objective.deadline_s is None else int(ceil(objective.deadline_s)),
        cargo=objective.cargo,
    )


def named_targets(objective: TacticalObjective) -> tuple[str, ...]:
    """Ship ids of the single target and of the list."""
    return objective.targets if objective.target is None else (objective.target, *objective.targets)


def _id(ship_id: str | None, ids: Mapping[str, int]) -> int:
    return 0 if ship_id is None else ids[ship_id]


def _shape(zone: ObjectiveZone) -> ResolvedShape:
    center = zone.center or (0.0, 0.0)
    if zone.vertices is not None and zone.shape == "polygon":
        return polygon(center, zone.vertices)
    if zone.size is not None and zone.shape == "rectangle":
        return polygon(center, rectangle_corners(zone.size))
    return circle(center, zone.radius or 0.0)
