"""What a player is told before a battle."""

from collections import Counter

from diorama.worlds.tidebreak.campaign.battles.roster import roster_of
from diorama.worlds.tidebreak.campaign.battles.tasks import mission_kind
from diorama.worlds.tidebreak.campaign.kinds import Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Force
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.packages import BattlePackage
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot


def briefing(state: CampaignState, encounter: Encounter, package: BattlePackage) -> str:
    """Tell place, weather, forces and tasks in a few lines."""
    node = state.node(encounter.node)
    sky = package.map.weather
    rain = sky.precipitation.name.lower().replace("_", " ")
    water = "open water" if node.style == "open" else f"{node.style} waters"
    lines = [
        f"Battle {package.battle_id} at {node.name}, {water}.",
        f"Sea state {sky.sea_state:.1f}, visibility {sky.visibility_km:.0f} km, precipitation {rain}.",
        *(_side(state, encounter, force, package) for force in (encounter.attacker, encounter.defender)),
    ]
    if encounter.receiver is not None:
        units = total(encounter.cargo[resource] for resource in Resource)
        lines.append(f"The freighters carry {units:,.0f} units for {state.hub(encounter.receiver).name}.")
    reserves = roster_of(state, encounter).reserves
    if reserves:
        lines.append(f"{reserves} ships wait in reserve: a battle has room for 64.")
    return "\n".join(lines)


def _side(state: CampaignState, encounter: Encounter, force: Force, package: BattlePackage) -> str:
    ships = [ship for ship in package.ships if ship.team_id == force.faction]
    kind = mission_kind(state, encounter, force)
    task = "" if kind is None else f", task: {kind.lower()}"
    return f"{state.faction(force.faction).name}: {ship_words(ships)}{task}."


def ship_words(ships: list[ShipSnapshot]) -> str:
    """Count ships by class, such as `2 corvettes, 1 frigate`."""
    counts = Counter(str(ship.class_id) for ship in ships)
    return ", ".join(f"{n} {name.replace('_', ' ')}{'s' if n > 1 else ''}" for name, n in counts.items())
