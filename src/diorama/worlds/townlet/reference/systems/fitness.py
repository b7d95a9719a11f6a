"""The agent fitness index: how well a citizen has done over the last day; for people to look at."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import NEED_NAMES
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.town import Town

_FULL_RETURN: Final = 5.0
_MANY_VIOLATIONS: Final = 5.0


def agent_fitness_index(citizen: Citizen) -> float:
    """AFI over the last ten tenths of a day, the open one among them."""
    fitness = citizen.fitness
    returns = deficits = 0.0
    for place in range(BUCKETS):
        returns += fitness.returns[place]
        deficits += fitness.deficits[place]
    ticks, violations = sum(fitness.ticks), sum(fitness.violations)
    mean_deficit = deficits / ticks if ticks else 0.0
    return (
        0.4 * clamp(returns / _FULL_RETURN, -1.0, 1.0)
        + 0.3 * (1.0 - mean_deficit)
        + 0.2 * citizen.shift.attendance_ratio
        - 0.1 * min(1.0, violations / _MANY_VIOLATIONS)
    )


def note_fitness(citizen: Citizen, reward: float) -> None:
    """Count a tick."""
    fitness, last = citizen.fitness, BUCKETS - 1
    deficit = 0.0
    for need in citizen.needs:
        deficit += 1.0 - need
    fitness.returns[last] += reward
    fitness.deficits[last] += deficit / len(NEED_NAMES)
    fitness.ticks[last] += 1


def closes_bucket(town: Town) -> bool:
    """Whether a tenth of a day ends with this tick."""
    length = max(town.ticks_per_day // BUCKETS, 1)
    return (town.tick + 1) % length == 0


def turn_fitness(town: Town) -> None:
    """Open the next tenth of a day when one has ended; the very end of stage 5."""
    if not closes_bucket(town):
        return
    for citizen in town.living():
        fitness = citizen.fitness
        fitness.returns = [*fitness.returns[1:], 0.0]
        fitness.deficits = [*fitness.deficits[1:], 0.0]
        fitness.ticks = [*fitness.ticks[1:], 0]
        fitness.violations = [*fitness.violations[1:], 0]
