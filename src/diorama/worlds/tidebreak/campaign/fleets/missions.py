"""Missions: how they are made, given, fulfilled and paid."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.economy.stocks import hub_gain, move
from diorama.worlds.tidebreak.campaign.fleets.strength import marines_aboard
from diorama.worlds.tidebreak.campaign.fleets.upkeep import FREIGHTER_UNITS
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Flow, MissionKind, MissionStatus, Resource, Stance
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Mission
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

MISSION_DAYS: Final = 30
INVASION_DAYS: Final = 60
GATHER_DAYS: Final = 15  # then an invasion sails on with those who have come
REPUTATION: Final = 0.05
VISIBILITY: Final = {
    MissionKind.ESCORT: 0.0,
    MissionKind.PATROL: 0.0,
    MissionKind.SALVAGE: 0.0,
    MissionKind.DELIVERY: 0.3,
    MissionKind.RECON: 0.3,
    MissionKind.RAID: 0.6,
    MissionKind.BLOCKADE: 0.6,
    MissionKind.STRIKE: 0.6,
    MissionKind.INVASION: 0.8,
}
REWARD: Final = {
    MissionKind.ESCORT: 60.0,
    MissionKind.PATROL: 40.0,
    MissionKind.SALVAGE: 20.0,
    MissionKind.DELIVERY: 60.0,
    MissionKind.RECON: 20.0,
    MissionKind.RAID: 80.0,
    MissionKind.BLOCKADE: 80.0,
    MissionKind.STRIKE: 120.0,
    MissionKind.INVASION: 300.0,
}
STANCES: Final = {
    MissionKind.ESCORT: Stance.ESCORT,
    MissionKind.PATROL: Stance.PATROL,
    MissionKind.STRIKE: Stance.PATROL,
    MissionKind.BLOCKADE: Stance.BLOCKADE,
    MissionKind.RAID: Stance.RAID,
    MissionKind.SALVAGE: Stance.HOLD,
    MissionKind.RECON: Stance.PATROL,
    MissionKind.DELIVERY: Stance.ESCORT,
    MissionKind.INVASION: Stance.BLOCKADE,
}
STAY_DAYS: Final = {
    MissionKind.ESCORT: 10,
    MissionKind.PATROL: 10,
    MissionKind.BLOCKADE: 15,
    MissionKind.RAID: 10,
    MissionKind.SALVAGE: 5,
    MissionKind.RECON: 1,
}
SALVAGE_FOUND: Final = 80.0
KEPT_DAYS: Final = 60  # closed missions are forgotten after that
_KEPT_BY_GIVER_DAYS: Final = 20.0  # of what it sends
OPEN: Final = (MissionStatus.OPEN, MissionStatus.ASSIGNED)


def new_mission(state: CampaignState, issuer: str, kind: MissionKind, target: str, node: str, *, days: int) -> Mission:
    """Write a mission out."""
    mission = Mission(
        number=state.next_number("mission"),
        kind=kind,
        issuer=issuer,
        target=target,
        node=node,
        created_day=state.day,
        deadline_day=state.day + days,
        reward={Resource.MATERIALS: REWARD[kind]},
        reputation=REPUTATION,
        visibility=VISIBILITY[kind],
    )
    state.missions.append(mission)
    text = f"the {state.faction(issuer).name} plans: {mission_words(state, mission)}"
    mission.news = report(state, "mission", text, factions=[issuer], node=node)
    return mission


def mission_words(state: CampaignState, mission: Mission) -> str:
    """Name a mission for people."""
    place = state.node(mission.node).name
    match mission.kind:
        case MissionKind.STRIKE:
            fleet = state.find_fleet(mission.target)
            return f"strike {'a fleet' if fleet is None else fleet.name} at {place}"
        case MissionKind.ESCORT:
            return f"escort shipments at {place}"
        case MissionKind.DELIVERY:
            return f"deliver goods to {place}"
        case MissionKind.INVASION:
            return f"invade {place}"
        case _:
            return f"{mission.kind.lower()} {place}"


def open_missions(state: CampaignState) -> list[Mission]:
    """Return missions that are not closed."""
    return [mission for mission in state.missions if mission.status in OPEN]


def assign(state: CampaignState, mission: Mission, fleets: list[Fleet]) -> None:
    """Send fleets on a mission, the first as leader."""
    mission.status = MissionStatus.ASSIGNED
    for fleet in fleets:
        mission.fleets.append(fleet.id)
        fleet.mission = mission.number


def load_delivery(state: CampaignState, mission: Mission, fleet: Fleet) -> None:
    """Load what the receiver lacks most from the hub the fleet lies in, else from the capital."""
    receiver = state.hub(mission.node)
    giver = state.find_hub(fleet.node) or state.hub(state.faction(mission.issuer).capital)
    scarcest = min(NEEDS, key=lambda resource: (receiver.days[resource], list(NEEDS).index(resource)))
    freighters = sum(ship.class_id == "freighter" for ship in state.ships_of(fleet))
    spare = giver.stock[scarcest] - _KEPT_BY_GIVER_DAYS * daily_need(giver, scarcest)
    move(giver.stock, fleet.cargo, scarcest, min(FREIGHTER_UNITS * freighters, spare))


def close(state: CampaignState, mission: Mission, status: MissionStatus) -> None:
    """End a mission and set its fleets free; success is paid and told."""
    mission.status = status
    fleets = [fleet for fleet in (state.find_fleet(name) for name in mission.fleets) if fleet is not None]
    for fleet in fleets:
        if fleet.mission == mission.number:
            fleet.mission = None
    doer = fleets[0].owner if fleets else None
    if status is MissionStatus.DONE and doer is not None:
        _pay(state, mission, doer)
    if doer is not None and doer != mission.issuer and doer == state.player:
        issuer = state.faction(mission.issuer)
        change = mission.reputation if status is MissionStatus.DONE else -mission.reputation
        issuer.reputation = clamp(issuer.reputation + change, 0.0, 1.0)
    if mission.fleets:
        verdict = {MissionStatus.DONE: "succeeds", MissionStatus.FAILED: "fails"}.get(status, "runs out of time")
        text = f"the mission of the {state.faction(mission.issuer).name} {verdict}: {mission_words(state, mission)}"
        report(state, "mission", text, factions=[mission.issuer], node=mission.node, cause=mission.news)


def follow_missions(state: CampaignState) -> None:
    """See how far every mission has come; forget what ended long ago."""
    for mission in open_missions(state):
        alive = [name for name in mission.fleets if _serves(state, name, mission)]
        if mission.status is MissionStatus.ASSIGNED and not alive:
            close(state, mission, MissionStatus.FAILED)
        elif _is_fulfilled(state, mission):
            close(state, mission, MissionStatus.DONE)
        elif mission.kind is MissionKind.INVASION and not _has_marines(state, mission):
            close(state, mission, MissionStatus.FAILED)
        elif state.day >= mission.deadline_day:
            expired = mission.status is MissionStatus.OPEN
            close(state, mission, MissionStatus.EXPIRED if expired else MissionStatus.FAILED)
    state.missions = [m for m in state.missions if m.status in OPEN or state.day - m.created_day < KEPT_DAYS]


def gather_invasions(state: CampaignState) -> None:
    """Let invasions sail on whose fleets have met, or have waited long enough."""
    for mission in open_missions(state):
        if mission.kind is not MissionKind.INVASION or mission.is_gathered:
            continue
        fleets = [fleet for fleet in state.fleets if fleet.mission == mission.number]
        is_late = state.day - mission.created_day > GATHER_DAYS
        mission.is_gathered = is_late or all(fleet.node == mission.rendezvous for fleet in fleets)


def _serves(state: CampaignState, fleet_id: str, mission: Mission) -> bool:
    fleet = state.find_fleet(fleet_id)
    return fleet is not None and fleet.mission == mission.number


def _has_marines(state: CampaignState, mission: Mission) -> bool:
    fleets = [fleet for fleet in state.fleets if fleet.mission == mission.number]
    return any(marines_aboard(state.ships_of(fleet)) > 0 for fleet in fleets)


def _is_fulfilled(state: CampaignState, mission: Mission) -> bool:
    present = [fleet for fleet in state.fleets_at(mission.node) if fleet.mission == mission.number]
    match mission.kind:
        case MissionKind.STRIKE:
            return mission.status is MissionStatus.ASSIGNED and state.find_fleet(mission.target) is None
        case MissionKind.INVASION:
            is_owner = state.hub(mission.target).owner == mission.issuer
            return is_owner or any(s.hub == mission.target and s.attacker == mission.issuer for s in state.sieges)
        case MissionKind.DELIVERY:
            return bool(present) and _unload(state, mission, present)
        case _:
            mission.stay_days += 1 if present else 0
            return mission.stay_days >= STAY_DAYS[mission.kind]


def _unload(state: CampaignState, mission: Mission, fleets: list[Fleet]) -> bool:
    hub = state.find_hub(mission.node)
    for fleet in fleets:
        for resource in Resource:
            if hub is not None:
                move(fleet.cargo, hub.stock, resource, fleet.cargo[resource])
    return hub is not None


def _pay(state: CampaignState, mission: Mission, doer: str) -> None:
    payer, earner = state.hub(state.faction(mission.issuer).capital), state.hub(state.faction(doer).capital)
    if payer is not earner:
        for resource in Resource:
            move(payer.stock, earner.stock, resource, mission.reward.get(resource, 0.0))
    if mission.kind is MissionKind.SALVAGE:
        hub_gain(state, earner, Resource.SALVAGE, SALVAGE_FOUND, Flow.FOUND)
