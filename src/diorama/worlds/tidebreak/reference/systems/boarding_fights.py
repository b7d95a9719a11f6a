"""Boarding, the fight: marines against the people aboard, by the target's boarding tier."""

from typing import Final

from diorama.numerics import atan2, clamp, fmax, fmin, wrap
from diorama.worlds.tidebreak.codes import BoardingStatus, CaptureMethod, ConnectionState, System, UnitStatus
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.casualties import lose_crew
from diorama.worlds.tidebreak.reference.systems.compartments import struck_compartment, usable

ROUND_TICKS: Final = 20
LOSS_SHARE: Final = 0.15
CREW_FIGHTS: Final = 0.25  # share of the crew that takes up arms
BULKHEAD_HELPS: Final = 0.3
HALVED_ABOVE: Final = 0.5  # fire or flood in a compartment
SCUTTLE_MORALE: Final = 0.6
SCUTTLE_HP: Final = 0.3  # of hp_max
SCUTTLE_DRAW: Final = 0.9
TAKING_RATE: Final = 0.01
TAKING_FROM: Final = 0.4
BRIDGE, CIC, ENGINEERING = 0, 1, 2
BEACHHEAD_LEAST: Final = 200.0
BEACHHEAD_SHARE: Final = 0.02  # of the people who live there
SIEGE_TICKS: Final = 120.0


def fight_aboard(battle: Battle, attacker: Unit, target: Unit) -> None:
    """One tick of the fight, once marines are crossing."""
    match target.spec.hull.boarding_tier:
        case 0:
            _fight_for_ship(battle, attacker, target)
        case 1:
            _fight_for_stations(battle, attacker, target)
        case _:
            _hold_beachhead(battle, attacker, target)


def odds(attacker: Unit, target: Unit) -> float:
    """Share of the strength aboard that is the attackers'."""
    attack = attacker.boarding.transferred * (0.6 + 0.8 * attacker.morale.morale)
    people = CREW_FIGHTS * float(target.crew.alive) + target.crew.security
    defense = people * (0.6 + 0.8 * target.morale.morale) * (1.0 + BULKHEAD_HELPS * target.spec.hull.bulkhead)
    defense *= _able_share(target)
    return attack / (attack + defense) if attack + defense > 0.0 else 0.0


def capture(battle: Battle, attacker: Unit, target: Unit, method: CaptureMethod) -> None:
    """Haul down the target's flag."""
    target.mark(UnitStatus.CAPTURED)
    target.memory.capture_method, target.memory.captor_team = int(method), attacker.team
    attacker.boarding.status = BoardingStatus.ESTABLISHED
    battle.record(EventKind.CAPTURED, attacker.id, target.id, f0=attacker.boarding.transferred, i0=method)
    attacker.scratch.captured_cost += target.spec.hull.cost
    if not target.memory.is_loss_paid:
        target.memory.is_loss_paid = True
        attacker.scratch.credited_cost += target.spec.hull.cost
    _let_go(battle, attacker)


def beachhead_marines(target: Unit) -> float:
    """Marines it takes to hold a place in a city."""
    return fmax(BEACHHEAD_LEAST, BEACHHEAD_SHARE * float(target.spec.crew.crew_start))


def _fight_for_ship(battle: Battle, attacker: Unit, target: Unit) -> None:
    boarding = attacker.boarding
    if boarding.timer % ROUND_TICKS != 0:
        return
    share = odds(attacker, target)
    u = uniform(battle, Stream.BOARDING, attacker.id, target.id, boarding.timer // ROUND_TICKS)
    is_desperate = target.morale.morale > SCUTTLE_MORALE and target.hull.hp < SCUTTLE_HP * target.spec.hull.hp_max
    if u < clamp((share - 0.35) / 0.4, 0.0, 1.0):
        capture(battle, attacker, target, CaptureMethod.BOARDED)
    elif is_desperate and u > SCUTTLE_DRAW:
        _scuttle_under_boarders(battle, attacker, target)
    else:
        _take_losses(battle, attacker, target, share)


def _fight_for_stations(battle: Battle, attacker: Unit, target: Unit) -> None:
    boarding = attacker.boarding
    share = odds(attacker, target)
    station = next(index for index, held in enumerate(boarding.progress) if held < 1.0)
    boarding.progress[station] = clamp(boarding.progress[station] + TAKING_RATE * (share - TAKING_FROM), 0.0, 1.0)
    if boarding.progress[station] == 1.0:
        _take_station(battle, attacker, target, station)
    if boarding.state == ConnectionState.TRANSFERRING and boarding.timer % ROUND_TICKS == 0:
        _take_losses(battle, attacker, target, share)


def _take_station(battle: Battle, attacker: Unit, target: Unit, station: int) -> None:
    if station == CIC:
        for system in (System.WEAPONS, System.SENSORS):
            # The ceiling falls with the fraction: what the boarders hold is not repaired behind their backs.
            target.hull.systems[system] *= 0.5
            target.hull.ceilings[system] *= 0.5
    elif station == ENGINEERING:
        target.motion.throttle = target.motion.cmd_throttle = 0.0
        capture(battle, attacker, target, CaptureMethod.BOARDED)


def _hold_beachhead(battle: Battle, attacker: Unit, target: Unit) -> None:
    """A city cannot be taken in a battle: enough marines of one side make it besieged."""
    boarding, needed = attacker.boarding, beachhead_marines(target)
    ashore = 0.0
    for other in battle.units:
        if other.team == attacker.team and other.boarding.target_id == target.id:
            ashore += other.boarding.transferred
    if ashore < needed:
        return
    bearing = atan2(attacker.y - target.y, attacker.x - target.x)
    attacker.memory.entry_district = struck_compartment(wrap(bearing - target.heading))
    attacker.memory.breach_quality = (
        0.4 * fmin(1.0, ashore / (2.0 * needed))
        + 0.3 * (1.0 - usable(target, System.WEAPONS))
        + 0.3 * fmin(1.0, float(boarding.attached_ticks) / SIEGE_TICKS)
    )
    boarding.status = BoardingStatus.ESTABLISHED
    battle.record(
        EventKind.BEACHHEAD,
        attacker.id,
        target.id,
        f0=attacker.memory.breach_quality,
        f1=ashore,
        i0=attacker.memory.entry_district,
    )
    _let_go(battle, attacker)


def _take_losses(battle: Battle, attacker: Unit, target: Unit, share: float) -> None:
    boarding = attacker.boarding
    marines_lost = boarding.transferred * (LOSS_SHARE * (1.0 - share))
    guards_lost = target.crew.security * (LOSS_SHARE * share)
    crew_lost = float(target.crew.alive) * (LOSS_SHARE * share)
    boarding.transferred -= marines_lost
    target.crew.security -= guards_lost
    lose_crew(target, crew_lost)
    attacker.memory.attacker_losses += marines_lost
    attacker.memory.defender_losses += guards_lost + crew_lost
    if boarding.transferred < 1.0:
        attacker.memory.attacker_losses += boarding.transferred
        boarding.transferred = 0.0
        boarding.status = BoardingStatus.REPULSED
        battle.record(EventKind.REPULSED, attacker.id, target.id)
        _let_go(battle, attacker)


def _scuttle_under_boarders(battle: Battle, attacker: Unit, target: Unit) -> None:
    target.mark(UnitStatus.SCUTTLED)
    battle.record(EventKind.SCUTTLED, target.id, attacker.id)
    attacker.memory.attacker_losses += attacker.boarding.transferred
    attacker.boarding.transferred = 0.0
    _let_go(battle, attacker)


def _able_share(target: Unit) -> float:
    """Share of the defenders who can fight: half of those in a compartment that burns or floods badly."""
    if not target.compartments:
        return 1.0
    total = 0.0
    for compartment in target.compartments:
        is_halved = compartment.fire > HALVED_ABOVE or compartment.flood > HALVED_ABOVE
        total += 0.5 if is_halved else 1.0
    return total / float(len(target.compartments))


def _let_go(battle: Battle, attacker: Unit) -> None:
    attacker.boarding.state = ConnectionState.NONE
    attacker.boarding.timer = 0
    battle.record(EventKind.BOARDING_STATE, attacker.id, attacker.boarding.target_id, i0=ConnectionState.NONE)
