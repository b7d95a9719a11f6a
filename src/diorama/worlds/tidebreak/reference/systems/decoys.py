"""Decoys afloat: they drift with the water and pretend to be a ship until their time is over."""

from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.currents import current_at
from diorama.worlds.tidebreak.reference.systems.spending import spend


def drift_decoy(battle: Battle, decoy: Munition) -> bool:
    """Let the current carry it; return whether its time is over.

    `remaining` keeps the life it was launched with: counted in whole ticks, the end does not depend on rounding.
    """
    if battle.tick >= decoy.armed_at + int(decoy.remaining):
        spend(battle, decoy, has_effect=True)
        return True
    current_x, current_y = current_at(battle, decoy.launch_layer, decoy.x, decoy.y)
    decoy.x += current_x * battle.rules.dt_s
    decoy.y += current_y * battle.rules.dt_s
    return False
