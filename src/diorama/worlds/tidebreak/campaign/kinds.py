"""Names of the campaign: they are stored in saves and shown to players, so a member's value is its name."""

from enum import StrEnum


class Resource(StrEnum):
    """What is made, shipped and used up; there is no money."""

    WATER = "WATER"
    FOOD = "FOOD"
    FUEL = "FUEL"
    MATERIALS = "MATERIALS"
    SALVAGE = "SALVAGE"
    LUXURIES = "LUXURIES"


NEEDS = (Resource.WATER, Resource.FOOD, Resource.FUEL, Resource.LUXURIES)
FLEET_NEEDS = (Resource.WATER, Resource.FOOD, Resource.FUEL)


class Chain(StrEnum):
    """Production chains in the order they are worked through."""

    DESAL = "DESAL"
    KELP = "KELP"
    AQUA = "AQUA"
    WELL = "WELL"
    REFINE = "REFINE"
    MINE = "MINE"
    SALVAGE_OP = "SALVAGE_OP"
    PROCESS = "PROCESS"
    RECYCLE = "RECYCLE"
    CRAFT = "CRAFT"


class Flow(StrEnum):
    """Why a stock changed; the first three add, the others take away."""

    FOUNDED = "FOUNDED"
    PRODUCED = "PRODUCED"
    FOUND = "FOUND"
    PROCESSED = "PROCESSED"
    CONSUMED = "CONSUMED"
    DECAYED = "DECAYED"
    SPENT = "SPENT"
    LOST = "LOST"


GAINS = (Flow.FOUNDED, Flow.PRODUCED, Flow.FOUND)


class Supply(StrEnum):
    """Days of supply in words, from the best to the worst."""

    COMFORTABLE = "COMFORTABLE"
    ADEQUATE = "ADEQUATE"
    RATIONING = "RATIONING"
    CRITICAL = "CRITICAL"
    EXHAUSTED = "EXHAUSTED"


class NodeKind(StrEnum):
    """What is at a place of the map."""

    HUB = "HUB"
    SITE = "SITE"
    STRAIT = "STRAIT"
    SEA = "SEA"
    WRECK = "WRECK"


class MapStyle(StrEnum):
    """Sea bed of battles at a place."""

    OPEN = "open"
    SHELF = "shelf"
    ARCHIPELAGO = "archipelago"
    STRAIT = "strait"


class HubKind(StrEnum):
    """What people live on."""

    ARCOLOGY = "ARCOLOGY"
    LAND_BASE = "LAND_BASE"
    PORT = "PORT"


class Stance(StrEnum):
    """What a fleet means to do where it is."""

    PATROL = "PATROL"
    ESCORT = "ESCORT"
    BLOCKADE = "BLOCKADE"
    RAID = "RAID"
    HOLD = "HOLD"
    RETURN = "RETURN"


class RouteKind(StrEnum):
    """Who carries the goods."""

    CONVOY = "CONVOY"
    MERCHANT = "MERCHANT"
    SMUGGLING = "SMUGGLING"


class RouteStatus(StrEnum):
    """How freely goods pass."""

    OPEN = "OPEN"
    CONTESTED = "CONTESTED"
    BLOCKADED = "BLOCKADED"
    CLOSED = "CLOSED"


class GovernmentKind(StrEnum):
    """Forms of government; ANARCHY is the time between two of them."""

    AUTOCRACY = "AUTOCRACY"
    MILITARY_JUNTA = "MILITARY_JUNTA"
    CORPORATE_MERITOCRACY = "CORPORATE_MERITOCRACY"
    DIRECT_DEMOCRACY = "DIRECT_DEMOCRACY"
    REPRESENTATIVE_DEMOCRACY = "REPRESENTATIVE_DEMOCRACY"
    TECHNOCRACY = "TECHNOCRACY"
    ANARCHY = "ANARCHY"


class Bloc(StrEnum):
    """Currents of opinion inside a hub."""

    MILITARISTS = "MILITARISTS"
    TRADERS = "TRADERS"
    TECHNOCRATS = "TECHNOCRATS"
    POPULISTS = "POPULISTS"
    TRADITIONALISTS = "TRADITIONALISTS"


class Vocation(StrEnum):
    """Parts of the workforce that can strike."""

    ENGINEERING = "ENGINEERING"
    LIFE_SUPPORT = "LIFE_SUPPORT"
    DOCKS = "DOCKS"
    AGRICULTURE = "AGRICULTURE"
    SECURITY = "SECURITY"
    ADMINISTRATION = "ADMINISTRATION"


class DecisionKind(StrEnum):
    """What a government can be asked to decide."""

    MOBILISE = "MOBILISE"
    RATION = "RATION"
    WELFARE = "WELFARE"
    OPEN_TRADE = "OPEN_TRADE"
    EMBARGO = "EMBARGO"
    DECLARE_WAR = "DECLARE_WAR"
    OFFER_PEACE = "OFFER_PEACE"
    BUILD = "BUILD"
    INVEST = "INVEST"
    SECURITY_SWEEP = "SECURITY_SWEEP"
    CONCESSION = "CONCESSION"
    REFORM = "REFORM"


class CrisisKind(StrEnum):
    """What goes wrong in a strained hub."""

    STRIKE = "STRIKE"
    RIOT = "RIOT"
    EPIDEMIC = "EPIDEMIC"


class ActionKind(StrEnum):
    """What a faction spends action points on, in the order that breaks ties."""

    LAUNCH_INVASION = "LAUNCH_INVASION"
    REINFORCE = "REINFORCE"
    DIPLOMACY = "DIPLOMACY"
    MISSION = "MISSION"
    INVEST = "INVEST"
    COVERT = "COVERT"


class GoalKind(StrEnum):
    """What a faction strives for."""

    EXPAND = "EXPAND"
    DEFEND = "DEFEND"
    TRADE = "TRADE"
    WEAKEN = "WEAKEN"
    SURVIVE = "SURVIVE"


class TreatyKind(StrEnum):
    """What two factions can agree on."""

    NON_AGGRESSION = "NON_AGGRESSION"
    TRADE = "TRADE"
    MUTUAL_DEFENSE = "MUTUAL_DEFENSE"
    CEASEFIRE = "CEASEFIRE"
    VASSALAGE = "VASSALAGE"


class MissionKind(StrEnum):
    """What fleets are sent out for."""

    ESCORT = "ESCORT"
    PATROL = "PATROL"
    STRIKE = "STRIKE"
    BLOCKADE = "BLOCKADE"
    RAID = "RAID"
    SALVAGE = "SALVAGE"
    RECON = "RECON"
    DELIVERY = "DELIVERY"
    INVASION = "INVASION"


class MissionStatus(StrEnum):
    """How a mission stands."""

    OPEN = "OPEN"
    ASSIGNED = "ASSIGNED"
    DONE = "DONE"
    FAILED = "FAILED"
    EXPIRED = "EXPIRED"


class SiegeAction(StrEnum):
    """What the two sides of a siege can do; the first five are the defender's."""

    QUARANTINE = "QUARANTINE"
    PURGE = "PURGE"
    PROPAGANDA = "PROPAGANDA"
    NEGOTIATE = "NEGOTIATE"
    SCUTTLE_SYSTEMS = "SCUTTLE_SYSTEMS"
    REINFORCE = "REINFORCE"
    EXPAND = "EXPAND"
    SUBVERT = "SUBVERT"
    ISOLATE = "ISOLATE"


DEFENDER_ACTIONS = tuple(SiegeAction)[:5]
ATTACKER_ACTIONS = tuple(SiegeAction)[5:]


class ConquestState(StrEnum):
    """How firmly a conquered hub is held."""

    OCCUPIED = "OCCUPIED"
    CONTESTED = "CONTESTED"
    PACIFIED = "PACIFIED"
    CONDOMINIUM = "CONDOMINIUM"
    INTEGRATED = "INTEGRATED"


class Role(StrEnum):
    """Offices that named people hold."""

    LEADER = "LEADER"
    GOVERNOR = "GOVERNOR"
    COMMANDER = "COMMANDER"
    CAPTAIN = "CAPTAIN"
    NONE = "NONE"


class Trait(StrEnum):
    """What people are like."""

    CAUTIOUS = "cautious"
    RECKLESS = "reckless"
    RUTHLESS = "ruthless"
    COMPASSIONATE = "compassionate"
    METICULOUS = "meticulous"
    IMPROVISER = "improviser"
    CHARISMATIC = "charismatic"
    INTIMIDATING = "intimidating"
    PARANOID = "paranoid"
    AMBITIOUS = "ambitious"


class EncounterKind(StrEnum):
    """How a battle comes about."""

    FLEETS = "FLEETS"
    CONVOY = "CONVOY"
    ASSAULT = "ASSAULT"
