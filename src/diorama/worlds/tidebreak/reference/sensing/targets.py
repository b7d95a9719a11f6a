"""What can be sensed, alike for units, decoys and mines: where it is and how much it shows."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.codes import Emissions, Layer, MunitionKind, UnitKind, UnitStatus
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, NEVER, POPPING_UP, Munition
from diorama.worlds.tidebreak.reference.sensing.acoustics import hull_source_level, speed_share
from diorama.worlds.tidebreak.reference.sensing.constants import (
    POP_UP_DB,
    POP_UP_RADAR_FACTOR,
    SILENT_DB,
    SURFACED_SUBMARINE_DB,
    TRANSIT_DB,
    TRANSIT_INDEX_FACTOR,
)
from diorama.worlds.tidebreak.reference.state import Battle, Unit

SENSED_MUNITIONS: Final = (MunitionKind.DECOY, MunitionKind.MINE)


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that can be sensed.

    Attributes:
        id: Of the unit or munition.
        team: Whose it is.
        x: East.
        y: North.
        layer: Where it is, the origin while in transit.
        layers_mask: Layers it counts as being in.
        radar_index: With the effect of its transit.
        visual_index: With the effect of its transit.
        source_db: Level it radiates.
        target_strength_db: What it returns of a ping.
        unit: The unit itself; None for decoys and mines.
    """

    id: int
    team: int
    x: float
    y: float
    layer: int
    layers_mask: int
    radar_index: float
    visual_index: float
    source_db: float
    target_strength_db: float
    unit: Unit | None

    @property
    def is_munition(self) -> bool:
        """Whether it is a decoy or a mine."""
        return self.unit is None

    @property
    def touches_surface(self) -> bool:
        """Whether it counts as being on SURFACE."""
        return bool(self.layers_mask & 1 << Layer.SURFACE)

    def harmed_at(self, team: int) -> int:
        """Tick at which it last damaged a unit of the team."""
        return NEVER if self.unit is None else self.unit.memory.harmed_at[team]


def source_level(unit: Unit) -> float:
    """Level a unit radiates, in decibels."""
    signature, hull = unit.spec.signature, unit.hull
    level = hull_source_level(signature.sl0_db, signature.slk_db, own_speed_share(unit), hull.flood, hull.fire)
    if unit.spec.hull.is_submarine and unit.layer.layer == Layer.SURFACE:
        level += SURFACED_SUBMARINE_DB
    if unit.layer.mode == IN_TRANSIT:
        level += TRANSIT_DB
    if unit.layer.mode == POPPING_UP:
        level += POP_UP_DB
    if unit.posture.emissions == Emissions.SILENT:
        level -= SILENT_DB
    return level


def own_speed_share(unit: Unit) -> float:
    """Speed as a share of what the hull can do in its layer (the origin while in transit)."""
    return speed_share(unit.speed, unit.spec.hull.speed_ms[unit.layer.layer])


def unit_target(unit: Unit) -> Target:
    """A unit as others sense it."""
    signature = unit.spec.signature
    radar_index, visual_index = signature.radar_index, signature.visual_index
    if unit.layer.mode == IN_TRANSIT:
        radar_index *= TRANSIT_INDEX_FACTOR
        visual_index *= TRANSIT_INDEX_FACTOR
    elif unit.layer.mode == POPPING_UP:
        radar_index *= POP_UP_RADAR_FACTOR
    return Target(
        id=unit.id,
        team=unit.team,
        x=unit.x,
        y=unit.y,
        layer=unit.layer.layer,
        layers_mask=unit.layers_mask,
        radar_index=radar_index,
        visual_index=visual_index,
        source_db=source_level(unit),
        target_strength_db=signature.ts_db,
        unit=unit,
    )


def munition_target(battle: Battle, munition: Munition) -> Target:
    """A decoy or a mine as others sense it."""
    is_decoy = munition.kind == MunitionKind.DECOY
    signature = battle.spec.decoy_signature if is_decoy else battle.spec.mine_signature
    return Target(
        id=munition.id,
        team=munition.team,
        x=munition.x,
        y=munition.y,
        layer=munition.launch_layer,
        layers_mask=1 << munition.launch_layer,
        radar_index=signature.radar_index,
        visual_index=signature.visual_index,
        source_db=signature.sl0_db,
        target_strength_db=signature.ts_db,
        unit=None,
    )


def targets_of(battle: Battle, observer: Unit) -> list[Target]:
    """Everything of other teams that can be sensed, by id."""
    units = [unit_target(unit) for unit in battle.present_units() if unit.team != observer.team]
    munitions = [
        munition_target(battle, munition)
        for munition in battle.munitions
        if munition.kind in SENSED_MUNITIONS and munition.team != observer.team
    ]
    return sorted([*units, *munitions], key=lambda target: target.id)


def find_target(battle: Battle, entity_id: int) -> Target | None:
    """What can be sensed under this id, None if there is nothing any more."""
    unit = battle.find_unit(entity_id)
    if unit is not None:
        return unit_target(unit)
    munition = battle.find_munition(entity_id)
    return None if munition is None else munition_target(battle, munition)


def is_observer(unit: Unit) -> bool:
    """Whether a unit senses for its team: squadrons use their carrier's tracks."""
    is_lost = not unit.is_present or unit.has(UnitStatus.SURRENDERED | UnitStatus.CAPTURED)
    return not is_lost and unit.identity.kind != UnitKind.SQUADRON
