"""An encounter as a battle package."""

from typing import Final

from diorama.numerics import PI, atan2, fmax, fmin
from diorama.worlds.tidebreak.campaign.battles.crews import crew_of, days_left
from diorama.worlds.tidebreak.campaign.battles.lineup import Lineup
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant, roster_of
from diorama.worlds.tidebreak.campaign.battles.sea import battle_map
from diorama.worlds.tidebreak.campaign.battles.tasks import objectives_for
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
from diorama.worlds.tidebreak.campaign.draws import Stream, draw
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.map.paths import neighbors
from diorama.worlds.tidebreak.campaign.people import captain_command
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Force, Ship
from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.limits import SEED_MAX
from diorama.worlds.tidebreak.packages import BattlePackage
from diorama.worlds.tidebreak.packages.damage import CompartmentReport, DamageReport, SystemReport
from diorama.worlds.tidebreak.packages.extended import AttackerForce, Leadership, SiegeState, Supply
from diorama.worlds.tidebreak.packages.objectives import TacticalObjective
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot, ShipState
from diorama.worlds.tidebreak.packages.teams import FactionContext, Philosophy, Team

TIME_LIMIT_S: Final = 1_800.0
_SCHEMA: Final = "arena.v3"
_SEED_DRAW: Final = 7
_CONTESTED_FROM: Final = 0.3  # control of a siege from which the engines are fought over
_CONTROLLED_FROM: Final = 0.7
_LEAST_HP: Final = 0.01


def battle_package(state: CampaignState, encounter: Encounter) -> BattlePackage:
    """Write down who fights, where, in what state and for what; the same package every time it is asked for."""
    roster = roster_of(state, encounter)
    seed = 1 + draw(state, Stream.ENCOUNTERS, *encounter.key, _SEED_DRAW) % SEED_MAX
    node = state.node(encounter.node)
    lineup = Lineup(node.style, seed, approach_axis(state, encounter))
    starts = lineup.place(roster.defenders, is_attacker=False) | lineup.place(roster.attackers, is_attacker=True)
    tasks = objectives_for(state, encounter, encounter.attacker, roster.attackers, roster.defenders)
    tasks |= objectives_for(state, encounter, encounter.defender, roster.defenders, roster.attackers)
    flagships = {_flagship(roster.attackers), _flagship(roster.defenders)}
    return BattlePackage(
        schema_version=_SCHEMA,
        battle_id=encounter.battle_id,
        seed=seed,
        time_limit_s=TIME_LIMIT_S,
        teams=tuple(_team(state, force, other) for force, other in _sides(encounter)),
        map=battle_map(state, node),
        ships=tuple(
            _snapshot(state, combatant, starts[combatant.ship.id], tasks.get(combatant.ship.id), flagships)
            for combatant in roster.all
        ),
    )


def approach_axis(state: CampaignState, encounter: Encounter) -> float:
    """Bearing from the attacker to the defender: along the lane that the attacker came by."""
    here = state.node(encounter.node)
    origin = encounter.attacker.origin or encounter.defender.origin
    if origin is None or origin == encounter.node:
        origin = neighbors(state, encounter.node)[0]
    there = state.node(origin)
    bearing = atan2(here.y_km - there.y_km, here.x_km - there.x_km)
    return bearing + PI if encounter.attacker.origin is None and encounter.defender.origin is not None else bearing


def _sides(encounter: Encounter) -> tuple[tuple[Force, Force], tuple[Force, Force]]:
    return (encounter.attacker, encounter.defender), (encounter.defender, encounter.attacker)


def _team(state: CampaignState, force: Force, other: Force) -> Team:
    faction = state.faction(force.faction)
    creed = faction.creed
    return Team(
        team_id=faction.id,
        name=faction.name,
        faction_context=FactionContext(
            faction_id=faction.id,
            philosophy=Philosophy(
                militarism=creed.militarism,
                commercialism=creed.commercialism,
                isolationism=creed.isolationism,
                expansionism=creed.expansionism,
                traditionalism=creed.traditionalism,
            ),
            tech_tags=tuple(faction.tech_tags),
            morale_state=effective_morale(faction),
            at_war_with=(other.faction,),
        ),
    )


def _flagship(side: tuple[Combatant, ...]) -> str | None:
    sailing = [c for c in side if c.fleet is not None and not c.is_freighter]
    best = max(sailing, key=lambda c: (ship_class(c.ship.class_id).cost, -c.ship.number), default=None)
    return None if best is None else best.ship.id


def _snapshot(
    state: CampaignState,
    combatant: Combatant,
    start: ShipState,
    objective: TacticalObjective | None,
    flagships: set[str | None],
) -> ShipSnapshot:
    ship, fleet = combatant.ship, combatant.fleet
    row = ship_class(ship.class_id)
    hub = next((hub for hub in state.hubs if hub.hull == ship.id), None)
    decoys = int(row.stores.decoys * ship.decoy_share)
    return ShipSnapshot(
        ship_id=ship.id,
        team_id=ship.owner,
        class_id=ship.class_id,
        crew=crew_of(state, combatant),
        initial_state=start.model_copy(
            update={"hp": row.hull.hp * fmax(ship.hp_share, _LEAST_HP), "ammo": rounds_of(ship)}
        ),
        objective=objective,
        fleet_id=None if fleet is None else fleet.id,
        is_flagship=ship.id in flagships,
        marines=ship.marines,
        security=None if hub is None else int(hub.security),
        decoys=decoys,
        leadership=Leadership(
            captain_id=None if ship.captain is None else f"person-{ship.captain}",
            command_competence=captain_command(state, ship, fleet),
        ),
        supply=Supply(days_of_supply=fmin(days_left(state, combatant), 999.0)),
        damage_state=_damage(ship),
        siege_state=_siege(state, None if hub is None else hub.id),
    )


def rounds_of(ship: Ship) -> dict[int, int]:
    """Rounds left by slot; mounts without a limit are left out."""
    weapons = shipped_content().weapons
    full = {slot: weapons[mount.weapon].fire.ammo for slot, mount in enumerate(ship_class(ship.class_id).mounts)}
    return {slot: int(ammo * ship.ammo_share) for slot, ammo in full.items() if ammo is not None}


def _damage(ship: Ship) -> DamageReport:
    return DamageReport(
        damage_tier=ship_class(ship.class_id).damage_tier,
        systems={system: SystemReport(fraction=share) for system, share in zip(System, ship.systems, strict=True)},
        compartments=tuple(
            CompartmentReport(id=place, integrity=integrity, breached=integrity == 0.0)
            for place, integrity in enumerate(ship.compartments)
        )
        or None,
    )


def _siege(state: CampaignState, hub_id: str | None) -> SiegeState | None:
    siege = next((siege for siege in state.sieges if siege.hub == hub_id), None)
    if siege is None:
        return None
    controlled = ("engineering",) if siege.control >= _CONTROLLED_FROM else ()
    return SiegeState(
        attacker_forces=(
            AttackerForce(faction_id=siege.attacker, troops=int(siege.troops), controlled_systems=controlled),
        ),
        contested_systems=("engineering", "power") if siege.control >= _CONTESTED_FROM else (),
        breach_quality=siege.breach_quality,
        siege_duration_ticks=86_400 * (state.day - siege.started_day),
    )
