"""Storms wander and, past their time, die down."""

from typing import Final

from diorama.numerics import fmax
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle

FADE_PER_TICK: Final = 0.02


def resolve_environment(battle: Battle, _outputs: Outputs) -> None:
    """Move every live storm by one second of its velocity."""
    for storm in battle.storms:
        if storm.intensity > 0.0:
            storm.x += storm.vx
            storm.y += storm.vy
            if battle.tick > storm.ends_at_tick:
                storm.intensity = fmax(storm.intensity - FADE_PER_TICK, 0.0)
