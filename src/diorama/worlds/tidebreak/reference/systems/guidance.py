"""Where a torpedo or missile turns: toward its lock, else toward its aim point, else in circles."""

from typing import Final

from diorama.numerics import atan2, fmin, hyp
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.outputs import Emit, Steer
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.seekers import find_lock
from diorama.worlds.tidebreak.reference.systems.steering import circle_left, steer

LEAD_MAX_S: Final = 8.0
SEARCH_FROM_SEEKER_SHARE: Final = 0.3  # this near to the aim point there should have been something to see


def guide(battle: Battle, munition: Munition, emit: Emit) -> None:
    """Decide lock and heading from the state at the start of the substep."""
    weapon = battle.spec.weapons[munition.weapon_code]
    turn_max = weapon.turn_rate * battle.rules.dt_s
    lock = find_lock(battle, munition)
    if lock is not None:
        lead_s = fmin(lock.distance_m / munition.speed, LEAD_MAX_S)
        toward = atan2(lock.y + lock.vy * lead_s - munition.y, lock.x + lock.vx * lead_s - munition.x)
        emit(Steer(munition.id, lock.id, steer(munition.heading, toward, turn_max), munition.search))
        return
    to_aim_x, to_aim_y = munition.aim_x - munition.x, munition.aim_y - munition.y
    if not munition.search and hyp(to_aim_x, to_aim_y) > SEARCH_FROM_SEEKER_SHARE * weapon.seeker_m:
        emit(Steer(munition.id, 0, steer(munition.heading, atan2(to_aim_y, to_aim_x), turn_max), False))
    else:
        emit(Steer(munition.id, 0, circle_left(munition.heading, turn_max), True))
