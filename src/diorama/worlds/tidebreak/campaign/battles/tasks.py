"""What every ship is told to do, from the missions of its side."""

from collections.abc import Sequence
from typing import Final

from diorama.worlds.tidebreak.campaign.battles.roster import Combatant
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_cost
from diorama.worlds.tidebreak.campaign.kinds import EncounterKind, MissionKind, Stance
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Force
from diorama.worlds.tidebreak.codes import ObjectiveType
from diorama.worlds.tidebreak.packages.objectives import ObjectiveZone, TacticalObjective

_SCREEN_M: Final = 3_000.0
_TARGETS_MAX: Final = 16
_SCOUTED_M: Final = 6_000.0
_BY_STANCE: Final = {
    Stance.ESCORT: MissionKind.ESCORT,
    Stance.BLOCKADE: MissionKind.BLOCKADE,
    Stance.PATROL: MissionKind.PATROL,
    Stance.RAID: MissionKind.RAID,
}


def objectives_for(
    state: CampaignState, encounter: Encounter, force: Force, own: Sequence[Combatant], enemies: Sequence[Combatant]
) -> dict[str, TacticalObjective]:
    """Return an objective for every ship of a side that gets one, by ship id."""
    objectives: dict[str, TacticalObjective] = {}
    kind = mission_kind(state, encounter, force)
    freighters = [c for c in own if c.is_freighter]
    warships = [c for c in own if not c.is_freighter and not c.is_fixed]
    for combatant in freighters:
        objectives[combatant.ship.id] = _objective(combatant, ObjectiveType.EVADE)
    if kind is None:
        return objectives
    if kind is MissionKind.ESCORT and freighters:
        objectives.update(_escort(warships, _costliest(freighters)))
        return objectives
    for combatant in warships:
        task = _task(kind, combatant, encounter, enemies)
        if task is not None:
            objectives[combatant.ship.id] = task
    return objectives


def mission_kind(state: CampaignState, encounter: Encounter, force: Force) -> MissionKind | None:
    """What a side is here for: its mission, else its stance, else to leave or to fight as its captains please."""
    if force.fleets and all(state.fleet(name).stance is Stance.RETURN for name in force.fleets):
        return MissionKind.DELIVERY  # whoever is on the way home means to leave
    if force.merchants:
        return MissionKind.ESCORT
    for name in force.fleets:
        fleet = state.fleet(name)
        mission = state.find_mission(fleet.mission)
        if mission is not None:
            return mission.kind
        if encounter.kind is EncounterKind.CONVOY:
            return MissionKind.RAID
        if fleet.stance in _BY_STANCE:
            return _BY_STANCE[fleet.stance]
    return None


def _task(
    kind: MissionKind, combatant: Combatant, encounter: Encounter, enemies: Sequence[Combatant]
) -> TacticalObjective | None:
    targets = _nearest_by_cost(combatant, enemies)
    match kind:
        case MissionKind.STRIKE:
            return _objective(combatant, ObjectiveType.DESTROY, target=targets[0])
        case MissionKind.BLOCKADE | MissionKind.PATROL | MissionKind.ESCORT:
            return _objective(combatant, ObjectiveType.INTERCEPT, targets=tuple(targets[:_TARGETS_MAX]))
        case MissionKind.RAID:
            return _objective(combatant, ObjectiveType.RAID)
        case MissionKind.RECON:
            zone = ObjectiveZone(shape="circle", center=(0.0, 0.0), radius=_SCOUTED_M)
            return _objective(combatant, ObjectiveType.SCOUT, zone=zone)
        case MissionKind.DELIVERY | MissionKind.SALVAGE:
            return _objective(combatant, ObjectiveType.EVADE)
        case MissionKind.INVASION:
            is_landing = combatant.ship.class_id == "assault_transport"
            prize = next((c.ship.id for c in enemies if c.is_fixed), targets[0])
            if is_landing:
                return _objective(combatant, ObjectiveType.CAPTURE, target=prize)
            return _objective(combatant, ObjectiveType.DESTROY, target=targets[0])


def _escort(warships: Sequence[Combatant], asset: Combatant) -> dict[str, TacticalObjective]:
    """Flagship and half of the escorts stay with the largest freighter, the others screen it."""
    ranked = sorted(warships, key=lambda c: (-ship_cost(c.ship), c.ship.number))
    close = (len(ranked) + 1) // 2
    zone = ObjectiveZone(shape="circle", relative_to=asset.ship.id, radius=_SCREEN_M)
    tasks = {c.ship.id: _objective(c, ObjectiveType.PROTECT, asset=asset.ship.id) for c in ranked[:close]}
    tasks |= {c.ship.id: _objective(c, ObjectiveType.SCREEN, asset=asset.ship.id, zone=zone) for c in ranked[close:]}
    return tasks


def _objective(
    combatant: Combatant,
    kind: ObjectiveType,
    *,
    target: str | None = None,
    targets: tuple[str, ...] = (),
    asset: str | None = None,
    zone: ObjectiveZone | None = None,
) -> TacticalObjective:
    name = f"{combatant.ship.id}:{kind.name.lower()}"
    return TacticalObjective(objective_id=name, type=kind, target=target, targets=targets, asset=asset, zone=zone)


def _costliest(combatants: Sequence[Combatant]) -> Combatant:
    return max(combatants, key=lambda c: (ship_cost(c.ship), -c.ship.number))


def _nearest_by_cost(combatant: Combatant, enemies: Sequence[Combatant]) -> list[str]:
    """Enemies whose cost is nearest to the ship's own first: equals fight equals."""
    cost = ship_cost(combatant.ship)
    return [c.ship.id for c in sorted(enemies, key=lambda c: (abs(ship_cost(c.ship) - cost), c.ship.number))]
