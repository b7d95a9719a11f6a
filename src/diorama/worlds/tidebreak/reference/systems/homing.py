"""The run of a torpedo or missile through one substep, and what it meets on the way."""

from typing import Final

from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.outputs import Outputs, Steer
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems import missiles, torpedoes
from diorama.worlds.tidebreak.reference.systems.hits import stamp_underwater, strike
from diorama.worlds.tidebreak.reference.systems.seekers import can_be_struck, enemy_decoys
from diorama.worlds.tidebreak.reference.systems.spending import spend
from diorama.worlds.tidebreak.reference.systems.steering import advance, path_distance

DECOY_ABSORBS_M: Final = 10.0
DECOY_DIES_CHANCE: Final = 0.5

_Point = tuple[float, float]


def run_and_strike(battle: Battle, munition: Munition, steer: Steer, outputs: Outputs) -> bool:
    """Move along the decided heading and go off on what the path comes near; return whether the munition ends."""
    is_torpedo = munition.kind == MunitionKind.TORPEDO
    munition.remaining -= battle.rules.dt_s
    if munition.remaining <= 0.0:
        spend(battle, munition, has_effect=False)
        return True
    start = (munition.x, munition.y)
    _move(battle, munition, steer)
    end = (munition.x, munition.y)
    if not is_torpedo or torpedoes.is_armed(munition):
        target = _struck_unit(battle, munition, start, end)
        if target is not None:
            strike(battle, munition, target, munition.damage, start, outputs)
            if is_torpedo:
                stamp_underwater(munition, munition.x, munition.y, outputs)
            spend(battle, munition, has_effect=True)
            return True
        if _is_absorbed(battle, munition, start, end):
            spend(battle, munition, has_effect=False)
            return True
    if is_torpedo and torpedoes.is_stopped_by_ground(battle, munition):
        spend(battle, munition, has_effect=False)
        return True
    return False


def _move(battle: Battle, munition: Munition, steer: Steer) -> None:
    munition.lock_id, munition.heading, munition.search = steer.lock_id, steer.heading, steer.is_searching
    step_m = munition.speed * battle.rules.dt_s
    munition.x, munition.y = advance(munition.x, munition.y, munition.heading, step_m)
    munition.run += step_m


def _struck_unit(battle: Battle, munition: Munition, start: _Point, end: _Point) -> Unit | None:
    fuze_m = torpedoes.FUZE_M if munition.kind == MunitionKind.TORPEDO else missiles.FUZE_M
    struck: Unit | None = None
    struck_m = 0.0
    for unit in battle.units:
        if not can_be_struck(munition, unit):
            continue
        distance = path_distance(start, end, (unit.x, unit.y))
        if distance < unit.spec.hull.radius_m + fuze_m and (struck is None or distance < struck_m):
            struck, struck_m = unit, distance
    return struck


def _is_absorbed(battle: Battle, munition: Munition, start: _Point, end: _Point) -> bool:
    passes = [
        (path_distance(start, end, (decoy.x, decoy.y)), decoy.id, decoy) for decoy in enemy_decoys(battle, munition)
    ]
    near = [entry for entry in passes if entry[0] <= DECOY_ABSORBS_M]
    if not near:
        return False
    _, decoy_id, decoy = min(near, key=lambda entry: entry[:2])
    if uniform(battle, Stream.SEEKER, munition.id, decoy_id, 1) < DECOY_DIES_CHANCE:
        spend(battle, decoy, has_effect=True, cause=munition.fired_event)
        battle.munitions.remove(decoy)
    return True
