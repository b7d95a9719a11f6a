"""What a torpedo or missile homes on: the nearest thing in its field of view, decoys included if they fool it."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import atan2, hyp, wrap
from diorama.worlds.tidebreak.codes import MunitionKind, UnitKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.sensing.targets import Target, munition_target, unit_target
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.missiles import missile_reach_m
from diorama.worlds.tidebreak.reference.systems.torpedoes import is_armed, sediment_at, torpedo_reach_m

NEAR_M: Final = 60.0  # this close, a target need not be in the field of view
SEDUCTION_CHANCE: Final = 0.45
DECOY_SCORE: Final = 0.65
REACH_MAX: Final = 1.5  # no seeker reaches further than this many times its range


@dataclass(frozen=True, slots=True)
class Lock:
    """What is homed on, where it is and how it moves."""

    id: int
    x: float
    y: float
    vx: float
    vy: float
    distance_m: float


def find_lock(battle: Battle, munition: Munition) -> Lock | None:
    """The candidate with the least score: its distance, less for a decoy; ties go to the lower id."""
    if munition.kind == MunitionKind.TORPEDO and not is_armed(munition):
        return None
    candidates = _candidates(battle, munition)
    if not candidates:
        return None
    sediment = sediment_at(battle, munition) if munition.kind == MunitionKind.TORPEDO else 0.0
    best: Lock | None = None
    best_score = 0.0
    for target in candidates:
        distance = hyp(target.x - munition.x, target.y - munition.y)
        if not _sees(battle, munition, target, distance, sediment):
            continue
        score = distance if target.unit is not None else distance * DECOY_SCORE
        if best is None or score < best_score or (score == best_score and target.id < best.id):
            vx, vy = (0.0, 0.0) if target.unit is None else (target.unit.motion.vx, target.unit.motion.vy)
            best, best_score = Lock(target.id, target.x, target.y, vx, vy, distance), score
    return best


def is_seduced(battle: Battle, munition_id: int, decoy_id: int) -> bool:
    """Whether this munition falls for this decoy; the answer never changes for the pair."""
    return uniform(battle, Stream.SEEKER, munition_id, decoy_id, 0, tick=0) < SEDUCTION_CHANCE


def can_be_struck(munition: Munition, unit: Unit) -> bool:
    """Whether a torpedo or missile may home on a unit and strike it: never its own team's, never aircraft."""
    return (
        unit.is_present
        and unit.team != munition.team
        and unit.identity.kind != UnitKind.SQUADRON
        and bool(unit.layers_mask & munition.target_layers)
    )


def enemy_decoys(battle: Battle, munition: Munition) -> list[Munition]:
    """Decoys of other teams in a layer the munition can hit, by id."""
    return [
        decoy
        for decoy in battle.munitions
        if decoy.kind == MunitionKind.DECOY
        and decoy.team != munition.team
        and munition.target_layers >> decoy.launch_layer & 1
    ]


def _candidates(battle: Battle, munition: Munition) -> list[Target]:
    reach_max = battle.spec.weapons[munition.weapon_code].seeker_m * REACH_MAX
    units = [
        unit_target(unit)
        for unit in battle.units
        if can_be_struck(munition, unit) and hyp(unit.x - munition.x, unit.y - munition.y) <= reach_max
    ]
    decoys = [
        munition_target(battle, decoy)
        for decoy in enemy_decoys(battle, munition)
        if is_seduced(battle, munition.id, decoy.id)
    ]
    return [*units, *decoys]


def _sees(battle: Battle, munition: Munition, target: Target, distance: float, sediment: float) -> bool:
    weapon = battle.spec.weapons[munition.weapon_code]
    if munition.kind == MunitionKind.TORPEDO:
        reach_m = torpedo_reach_m(weapon.seeker_m, target.source_db, sediment)
    else:
        reach_m = missile_reach_m(weapon.seeker_m, target.radar_index)
    bearing = wrap(atan2(target.y - munition.y, target.x - munition.x) - munition.heading)
    return distance <= reach_m and (abs(bearing) <= weapon.half_fov_rad or distance < NEAR_M)
