"""Gun salvos: rounds that fall around their aim point when their time of flight is over."""

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import UnitKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.draws import Stream, bell
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.fire_conditions import ANTI_AIR_GUNS
from diorama.worlds.tidebreak.reference.systems.hits import strike
from diorama.worlds.tidebreak.reference.systems.spending import spend


def fall(battle: Battle, salvo: Munition, outputs: Outputs) -> bool:
    """Let time pass; when it is over, let every round hit what it falls on. Return whether the salvo ends."""
    salvo.remaining -= battle.rules.dt_s
    if salvo.remaining > 0.0:
        return False
    hits = 0
    for round_number in range(salvo.rounds):
        x, y = fall_point(battle, salvo, round_number)
        target = _unit_under(battle, salvo, x, y)
        if target is not None:
            strike(battle, salvo, target, salvo.damage, (salvo.x, salvo.y), outputs)
            hits += 1
    spend(battle, salvo, has_effect=hits > 0)
    return True


def fall_point(battle: Battle, munition: Munition, round_number: int) -> tuple[float, float]:
    """Where one round or burst of a pattern comes down."""
    east = bell(battle, Stream.DISPERSION, munition.id, round_number, 0)
    north = bell(battle, Stream.DISPERSION, munition.id, round_number, 1)
    return munition.aim_x + munition.spread * east, munition.aim_y + munition.spread * north


def is_exempt(battle: Battle, munition: Munition, unit: Unit) -> bool:
    """Whether what falls from the sky or bursts in the water spares a unit."""
    return unit.id == munition.owner_id or (unit.team == munition.team and not battle.rules.friendly_fire)


def _unit_under(battle: Battle, salvo: Munition, x: float, y: float) -> Unit | None:
    """The unit nearest to the fall point, if the point is on it."""
    nearest: Unit | None = None
    nearest_m = 0.0
    for unit in battle.present_units():
        if is_exempt(battle, salvo, unit) or not _can_fall_on(battle, salvo, unit):
            continue
        distance = hyp(unit.x - x, unit.y - y)
        if nearest is None or distance < nearest_m:
            nearest, nearest_m = unit, distance
    return nearest if nearest is not None and nearest_m < nearest.spec.hull.radius_m else None


def _can_fall_on(battle: Battle, salvo: Munition, unit: Unit) -> bool:
    if unit.identity.kind == UnitKind.SQUADRON:
        return battle.spec.weapons[salvo.weapon_code].weapon_id in ANTI_AIR_GUNS
    return bool(unit.layers_mask & salvo.target_layers)
