"""What bursts in the water: patterns of depth charges when their time is over, mines when an enemy comes near."""

from typing import Final

from diorama.numerics import fmax, hyp
from diorama.worlds.tidebreak.codes import UnitKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.hits import stamp_underwater, strike
from diorama.worlds.tidebreak.reference.systems.salvos import fall_point, is_exempt
from diorama.worlds.tidebreak.reference.systems.spending import spend

CHARGE_BLAST_M: Final = 60.0
MINE_BLAST_M: Final = 80.0
BLAST_PER_HULL_RADIUS: Final = 0.5
BLAST_LEAST_SHARE: Final = 0.2


def burst_charge(battle: Battle, charge: Munition, outputs: Outputs) -> bool:
    """Let time pass; when it is over, let every charge of the pattern burst. Return whether it ends."""
    charge.remaining -= battle.rules.dt_s
    if charge.remaining > 0.0:
        return False
    hits = 0
    for burst in range(charge.rounds):
        x, y = fall_point(battle, charge, burst)
        hits += _blast(battle, charge, (x, y), CHARGE_BLAST_M, outputs)
    spend(battle, charge, has_effect=hits > 0)
    return True


def trigger_mine(battle: Battle, mine: Munition, outputs: Outputs) -> bool:
    """Go off when it is armed and an enemy is near; return whether it did."""
    if battle.tick < mine.armed_at or not any(_triggers(battle, mine, unit) for unit in battle.units):
        return False
    hits = _blast(battle, mine, (mine.x, mine.y), MINE_BLAST_M, outputs)
    spend(battle, mine, has_effect=hits > 0)
    return True


def blast_share(distance_m: float, blast_m: float) -> float:
    """Share of the damage that reaches a hull this far from a burst, inside the blast."""
    return fmax(BLAST_LEAST_SHARE, 1.0 - distance_m / blast_m)


def _triggers(battle: Battle, mine: Munition, unit: Unit) -> bool:
    return (
        battle.are_enemies(mine.team, unit.team)
        and _is_in_the_water(mine, unit)
        and hyp(unit.x - mine.x, unit.y - mine.y) <= battle.spec.weapons[mine.weapon_code].trigger_m
    )


def _blast(battle: Battle, munition: Munition, at: tuple[float, float], blast_m: float, outputs: Outputs) -> int:
    """Damage everything near; return how many hulls felt it."""
    stamp_underwater(munition, at[0], at[1], outputs)
    hits = 0
    for unit in battle.units:
        if is_exempt(battle, munition, unit) or not _is_in_the_water(munition, unit):
            continue
        distance = hyp(unit.x - at[0], unit.y - at[1])
        reach_m = blast_m + BLAST_PER_HULL_RADIUS * unit.spec.hull.radius_m
        if distance < reach_m:
            strike(battle, munition, unit, munition.damage * blast_share(distance, reach_m), at, outputs)
            hits += 1
    return hits


def _is_in_the_water(munition: Munition, unit: Unit) -> bool:
    in_layer = bool(unit.layers_mask & munition.target_layers)
    return unit.is_present and in_layer and unit.identity.kind != UnitKind.SQUADRON
