"""The result of a finished battle."""

from typing import Final

from diorama.contracts.errors import ContractError
from diorama.snapshots import hash_hex
from diorama.worlds.tidebreak.codes import (
    BoardingStatus,
    EndReason,
    Layer,
    ObjectiveStatus,
    ObjectiveType,
    SizeClass,
    System,
    UnitStatus,
    component_status,
)
from diorama.worlds.tidebreak.packages.damage import CompartmentReport, DamageReport, SystemReport
from diorama.worlds.tidebreak.packages.outcomes import (
    BoardingOutcome,
    Casualties,
    Consumption,
    FinalState,
    ObjectiveOutcome,
    ShipOutcome,
)
from diorama.worlds.tidebreak.packages.result import BattleResult, EventSummary, ReplayReference
from diorama.worlds.tidebreak.reference.city_reports import megaship_report
from diorama.worlds.tidebreak.reference.components import NO_OBJECTIVE
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.fates import Fate, final_fate, salvage_value
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle, Unit
from diorama.worlds.tidebreak.reference.team_outcomes import team_outcome
from diorama.worlds.tidebreak.reference.words import state_hash
from diorama.worlds.tidebreak.resolve.siege import DISTRICT_NAMES

_SHORT_OF_ALL: Final = 0.99
_KEY_EVENTS: Final = (EventKind.OBJECTIVE_COMPLETED, EventKind.OBJECTIVE_FAILED)


def battle_result(battle: Battle) -> BattleResult:
    """Write down how a battle ended.

    Raises:
        ContractError: The battle goes on.
    """
    if not battle.outcome.is_over:
        raise ContractError("the battle is not over; only a finished one has a result")
    spec = battle.spec
    units = battle.units[: len(spec.units)]
    fates = {unit.id: final_fate(battle, unit) for unit in units}
    in_package_order = sorted(units, key=lambda unit: unit.spec.package_index)
    winner = battle.outcome.winner
    return BattleResult(
        schema_version=spec.schema_version,
        battle_id=spec.battle_id,
        seed=battle.seed,
        torch_seed=spec.torch_seed,
        content_hash=spec.content_hash,
        winner_team_id=None if winner == NO_WINNER else spec.teams[winner].team_id,
        end_reason=EndReason(battle.outcome.end_reason),
        duration_s=float(battle.tick),
        ships=tuple(_ship(battle, unit, fates[unit.id]) for unit in in_package_order),
        teams=tuple(team_outcome(battle, team, fates) for team in spec.teams),
        event_summary=_summary(units),
        boarding_outcomes=tuple(
            _boarding(battle, unit) for unit in units if unit.boarding.status != BoardingStatus.NONE
        ),
        megaship_reports=tuple(
            megaship_report(battle, unit) for unit in in_package_order if unit.identity.size == SizeClass.XL
        ),
        replay=ReplayReference(
            seed=battle.seed,
            initial_state_hash=hash_hex(battle.initial_hash),
            final_state_hash=hash_hex(state_hash(battle)),
        ),
    )


def _ship(battle: Battle, unit: Unit, fate: Fate) -> ShipOutcome:
    captor = fate.captor_team
    return ShipOutcome(
        ship_id=unit.spec.ship_id,
        fate=fate.fate,
        capture_method=fate.method,
        captor_team_id=None if captor is None else battle.spec.teams[captor].team_id,
        exited=unit.has(UnitStatus.EXITED),
        final_state=FinalState(
            x=unit.x,
            y=unit.y,
            heading=unit.heading,
            speed=unit.speed,
            layer=Layer(unit.layer.layer),
            hp=unit.hull.hp,
            ammo={spec.slot: mount.ammo for spec, mount in zip(unit.spec.mounts, unit.mounts, strict=True)},
        ),
        final_morale=unit.morale.morale,
        consumption=_consumption(unit),
        crew_casualties=Casualties(killed=unit.crew.killed, wounded=unit.crew.wounded),
        damage_report=_damage(unit),
        salvage_value=salvage_value(battle, unit, fate.fate),
        objective_outcome=_objective(battle, unit),
        damage_dealt=unit.tally.damage_dealt,
        damage_taken=unit.tally.damage_taken,
        kills=unit.tally.kills,
    )


def _consumption(unit: Unit) -> Consumption:
    used = {
        spec.slot: spec.ammo - mount.ammo
        for spec, mount in zip(unit.spec.mounts, unit.mounts, strict=True)
        if spec.ammo > mount.ammo
    }
    fuel_used = unit.spec.start.fuel_s - unit.stores.fuel
    return Consumption(
        ammo_used=used,
        fuel_used=fuel_used,
        decoys_used=unit.spec.start.decoys - unit.stores.decoys,
    )


def _damage(unit: Unit) -> DamageReport:
    systems = {
        which: SystemReport(status=component_status(fraction), fraction=fraction)
        for which, fraction in zip(System, unit.hull.systems, strict=True)
    }
    compartments = tuple(
        CompartmentReport(
            id=place,
            integrity=part.integrity,
            breached=part.breached,
            flooded=part.flood > 0.0,
            on_fire=part.fire > 0.0,
            crew=part.crew,
            fire=part.fire,
            flood=part.flood,
        )
        for place, part in enumerate(unit.compartments)
    )
    return DamageReport(
        damage_tier=unit.identity.tier,
        systems=systems,
        compartments=compartments or None,
        fire=unit.hull.fire,
        flood=unit.hull.flood,
    )


def _objective(battle: Battle, unit: Unit) -> ObjectiveOutcome | None:
    objective = unit.objective
    if objective.type == NO_OBJECTIVE:
        return None
    return ObjectiveOutcome(
        type=ObjectiveType(objective.type),
        status=ObjectiveStatus(objective.status),
        progress=objective.progress,
        reward_earned=objective.reward_sum,
        key_events=tuple(event.id for event in battle.log if event.kind in _KEY_EVENTS and event.source == unit.id),
    )


def _summary(units: list[Unit]) -> EventSummary:
    hazard_damage = 0.0
    for unit in units:
        hazard_damage += unit.tally.hazard_damage
    return EventSummary(
        hits=sum(unit.tally.hits for unit in units),
        kills=sum(unit.tally.kills for unit in units),
        surrenders=sum(unit.has(UnitStatus.SURRENDERED) for unit in units),
        transitions=sum(unit.tally.transitions for unit in units),
        hazard_damage=hazard_damage,
        collisions=sum(unit.tally.collisions for unit in units),
        captures=sum(unit.has(UnitStatus.CAPTURED) for unit in units),
    )


def _boarding(battle: Battle, attacker: Unit) -> BoardingOutcome:
    boarding, memory, carried = attacker.boarding, attacker.memory, float(attacker.spec.crew.marines)
    target = battle.unit(boarding.target_id)
    landed = min(boarding.transferred / carried, 1.0) if carried > 0.0 else 0.0
    # Full transfer onto a city means a beachhead, so a failed landing stays short of it.
    is_city_lost = target.identity.size == SizeClass.XL and boarding.status != BoardingStatus.ESTABLISHED
    return BoardingOutcome(
        target_ship_id=target.spec.ship_id,
        attacker_team_id=battle.spec.teams[attacker.team].team_id,
        status=BoardingStatus(boarding.status),
        attached_duration_s=float(boarding.attached_ticks),
        transfer_progress=min(landed, _SHORT_OF_ALL) if is_city_lost else landed,
        troops_inserted=boarding.transferred,
        attacker_casualties=memory.attacker_losses,
        defender_casualties=memory.defender_losses,
        breach_quality=memory.breach_quality,
        entry_point=DISTRICT_NAMES[memory.entry_district] if memory.entry_district >= 0 else None,
    )
