"""Each tick aboard: what burns and floods eats the hull, and damage control works against it."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import fmax, fmin
from diorama.worlds.tidebreak.codes import DamageType, DcFocus, System, UnitKind
from diorama.worlds.tidebreak.reference.outputs import Component, Damage, Emit, Modify, Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.breakage import modify_hull
from diorama.worlds.tidebreak.reference.systems.casualties import alive_share
from diorama.worlds.tidebreak.reference.systems.compartments import average_over_compartments, spread_fire_and_flood

BURNS: Final = 0.002  # of hp_max per tick, as the next
DROWNS: Final = 0.0015
FIRE_RATE: Final = 0.004
FLOOD_RATE: Final = 0.002
REPAIR_RATE: Final = 0.001
FOCUSED: Final = 3.0
NEGLECTED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Rates:
    """What damage control does in one tick."""

    fire: float
    flood: float
    repair: float


def damage_control(_battle: Battle, unit: Unit, emit: Emit) -> None:
    """Burning and flooding eat hit points, past any armor."""
    hull = unit.hull
    burning, drowning = BURNS * hull.fire, DROWNS * hull.flood
    if burning + drowning > 0.0:
        emit(
            Damage(
                source=unit.id,
                target=unit.id,
                amount=unit.spec.hull.hp_max * (burning + drowning),
                type=DamageType.UNDERWATER if drowning > burning else DamageType.THERMAL,
                direction=unit.heading,
                ignores_armour=True,
                can_crit=False,
            )
        )


def resolve_sustain(battle: Battle, outputs: Outputs) -> None:
    """Carry out changes of hulls that others ask for, then let fire and water spread and crews fight them."""
    for change in outputs.of(Modify):
        if change.component is Component.HULL:
            modify_hull(battle, battle.unit(change.target), change)
    for unit in battle.present_units():
        if unit.identity.kind != UnitKind.SQUADRON:
            _sustain(unit)


def strength(unit: Unit) -> float:
    """How well the crew does damage control; 1 for an average crew that is whole and rested."""
    return (0.5 + unit.crew.engineering) * alive_share(unit) * (1.0 - 0.3 * unit.crew.fatigue)


def rates(focus: int, dc: float) -> Rates:
    """Work per tick of a crew of this strength."""
    fire, flood, repair = (_factor(focus, own) for own in (DcFocus.FIRE, DcFocus.FLOOD, DcFocus.REPAIR))
    return Rates(FIRE_RATE * fire * dc, FLOOD_RATE * flood * dc, REPAIR_RATE * repair * dc)


def _factor(focus: int, own: DcFocus) -> float:
    if focus == DcFocus.BALANCED:
        return 1.0
    return FOCUSED if focus == own else NEGLECTED


def _sustain(unit: Unit) -> None:
    work = rates(unit.posture.dc_focus, strength(unit))
    if unit.compartments:
        spread_fire_and_flood(unit)
        _fight_fires(unit, work.fire)
        _pump(unit, work.flood)
        average_over_compartments(unit)
    else:
        unit.hull.fire = fmax(0.0, unit.hull.fire - work.fire)
        unit.hull.flood = fmax(0.0, unit.hull.flood - work.flood)
    _repair(unit, work.repair)


def _fight_fires(unit: Unit, rate: float) -> None:
    """Spend the whole hull's budget on the compartment that burns most, then on the next."""
    budget = rate * float(len(unit.compartments))
    for compartment in sorted(unit.compartments, key=lambda compartment: -compartment.fire):
        spent = fmin(budget, compartment.fire)
        compartment.fire -= spent
        budget -= spent


def _pump(unit: Unit, rate: float) -> None:
    """The same for water; a breach is stopped once its compartment is dry."""
    budget = rate * float(len(unit.compartments))
    for compartment in sorted(unit.compartments, key=lambda compartment: -compartment.flood):
        spent = fmin(budget, compartment.flood)
        compartment.flood -= spent
        budget -= spent
        if compartment.breached and spent > 0.0 and compartment.flood == 0.0:
            compartment.breached = False


def _repair(unit: Unit, rate: float) -> None:
    hull = unit.hull
    for system in System:
        if hull.systems[system] < hull.ceilings[system]:
            hull.systems[system] = fmin(hull.ceilings[system], hull.systems[system] + rate)
