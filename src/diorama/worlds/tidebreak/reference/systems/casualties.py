"""People lost to hits and to boarders."""

from typing import Final

from diorama.numerics import floor, fmin
from diorama.worlds.tidebreak.reference.state import Unit

LOSS_PER_HULL: Final = 0.4  # share of the crew that a hull's worth of damage costs
KILLED_SHARE: Final = 0.4
WOUNDED_SHARE: Final = 0.6


def crew_loss(crew_start: int, effective: float, hp_max: float) -> float:
    """People that a hit costs, as a real number."""
    return float(crew_start) * LOSS_PER_HULL * effective / hp_max


def lose_crew(unit: Unit, loss: float) -> None:
    """Add to the running loss, which never exceeds the crew, and count heads anew."""
    crew, start = unit.crew, unit.spec.crew.crew_start
    crew.running_loss = fmin(crew.running_loss + loss, float(start))
    crew.alive = start - int(floor(crew.running_loss))
    crew.killed = int(floor(KILLED_SHARE * crew.running_loss))
    crew.wounded = int(floor(WOUNDED_SHARE * crew.running_loss))


def alive_share(unit: Unit) -> float:
    """Share of the first crew that is fit for duty."""
    return float(unit.crew.alive) / float(unit.spec.crew.crew_start)
