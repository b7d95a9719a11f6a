"""The contract `prospector-v1`: what a pilot sees, what it can do, what is counted and what can happen.

Every index of a layout is written here and nowhere else.
"""

from enum import StrEnum
from typing import Final

from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Aggregate,
    Better,
    EventKind,
    Hotkey,
    Metric,
    ObservationField,
    WorldSpec,
)
from diorama.worlds.prospector.config import ProspectorConfig

WORLD_ID: Final = "prospector"
INTERFACE_VERSION: Final = "prospector-v1"

COMMODITIES: Final = ("iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles")
NODE_TYPES: Final = ("station", "cluster", "hazard")
N_COMMODITIES: Final = len(COMMODITIES)
MAX_NODES: Final = 32
MAX_NEIGHBORS: Final = 6
MAX_ASTEROIDS: Final = 16


class Obs:
    """Index of each observation entry, or of the first entry of a block."""

    FUEL_FRAC: Final = 0
    HULL_FRAC: Final = 1
    HEAT_FRAC: Final = 2
    TOOL_FRAC: Final = 3
    CARGO_LOAD_FRAC: Final = 4
    ALERT_FRAC: Final = 5
    TIME_FRAC: Final = 6
    CREDITS_LOG_NORM: Final = 7
    CARGO_BY_COMMODITY_FRAC: Final = 8
    REPAIR_KITS_NORM: Final = 14
    STABILIZERS_NORM: Final = 15
    DECOYS_NORM: Final = 16
    AT_STATION_FLAG: Final = 17
    MINING_ACTIVE_FLAG: Final = 18
    CURRENT_NODE_TYPE_ONEHOT: Final = 19
    CURRENT_NODE_INDEX_NORM: Final = 22
    STEPS_TO_STATION_NORM: Final = 23
    NEIGHBORS: Final = 24
    RESERVED: Final = 66
    ASTEROIDS: Final = 68
    PRICE_NORM: Final = 244
    PRICE_DELTA_NORM: Final = 250
    STATION_INVENTORY_NORM: Final = 256
    SIZE: Final = 260


class NeighborObs:
    """Offset of each entry inside the block of one neighbor slot."""

    VALID: Final = 0
    TYPE_ONEHOT: Final = 1
    TRAVEL_TIME_NORM: Final = 4
    TRAVEL_FUEL_COST_NORM: Final = 5
    THREAT_NORM: Final = 6
    SIZE: Final = 7


class AsteroidObs:
    """Offset of each entry inside the block of one asteroid slot."""

    VALID: Final = 0
    COMP_EST: Final = 1
    STABILITY_EST: Final = 7
    DEPLETION_FRAC: Final = 8
    SCAN_CONF: Final = 9
    SELECTED_FLAG: Final = 10
    SIZE: Final = 11


STOCK_SHOWN: Final = (0, 2, 3, 4)  # commodities whose station inventory is observed


class Act:
    """Index of each action, or of the first action of a block."""

    TRAVEL_NEIGHBOR: Final = 0
    HOLD_DRIFT: Final = 6
    EMERGENCY_BURN: Final = 7
    WIDE_SCAN: Final = 8
    FOCUSED_SCAN_SELECTED: Final = 9
    DEEP_SCAN_SELECTED: Final = 10
    PASSIVE_THREAT_LISTEN: Final = 11
    SELECT_ASTEROID: Final = 12
    MINE_CONSERVATIVE_SELECTED: Final = 28
    MINE_STANDARD_SELECTED: Final = 29
    MINE_AGGRESSIVE_SELECTED: Final = 30
    STABILIZE_SELECTED: Final = 31
    REFINE_ONBOARD: Final = 32
    ACTIVE_COOLDOWN: Final = 33
    TOOL_MAINTENANCE: Final = 34
    HULL_PATCH: Final = 35
    JETTISON_COMMODITY: Final = 36
    DOCK: Final = 42
    SELL_COMMODITY: Final = 43
    BUY_FUEL_SMALL: Final = 61
    BUY_FUEL_MED: Final = 62
    BUY_FUEL_LARGE: Final = 63
    BUY_REPAIR_KIT: Final = 64
    BUY_STABILIZER: Final = 65
    BUY_DECOY: Final = 66
    FULL_REPAIR_OVERHAUL: Final = 67
    CASH_OUT_END_EPISODE: Final = 68


N_ACTIONS: Final = 69
SELL_PERCENTS: Final = (25, 50, 100)  # commodity c in portion p is action SELL_COMMODITY + 3 c + p

ACTION_NAMES: Final = (
    *(f"TRAVEL_NEIGHBOR_{slot}" for slot in range(MAX_NEIGHBORS)),
    "HOLD_DRIFT",
    "EMERGENCY_BURN",
    "WIDE_SCAN",
    "FOCUSED_SCAN_SELECTED",
    "DEEP_SCAN_SELECTED",
    "PASSIVE_THREAT_LISTEN",
    *(f"SELECT_ASTEROID_{slot}" for slot in range(MAX_ASTEROIDS)),
    "MINE_CONSERVATIVE_SELECTED",
    "MINE_STANDARD_SELECTED",
    "MINE_AGGRESSIVE_SELECTED",
    "STABILIZE_SELECTED",
    "REFINE_ONBOARD",
    "ACTIVE_COOLDOWN",
    "TOOL_MAINTENANCE",
    "HULL_PATCH",
    *(f"JETTISON_COMMODITY_{commodity}" for commodity in range(N_COMMODITIES)),
    "DOCK",
    *(f"SELL_COMMODITY_{commodity}_{percent}PCT" for commodity in range(N_COMMODITIES) for percent in SELL_PERCENTS),
    "BUY_FUEL_SMALL",
    "BUY_FUEL_MED",
    "BUY_FUEL_LARGE",
    "BUY_REPAIR_KIT",
    "BUY_STABILIZER",
    "BUY_DECOY",
    "FULL_REPAIR_OVERHAUL",
    "CASH_OUT_END_EPISODE",
)

ACTION_GROUPS: Final = (
    ActionGroup(
        id="navigation",
        title="Navigation",
        description="Travel along an edge, drift, or burn hard to shake off pursuers.",
        actions=tuple(range(Act.TRAVEL_NEIGHBOR, Act.WIDE_SCAN)),
    ),
    ActionGroup(
        id="scan_and_target",
        title="Scan and target",
        description="Learn what the rocks are made of and how firm they are, and pick one.",
        actions=tuple(range(Act.WIDE_SCAN, Act.MINE_CONSERVATIVE_SELECTED)),
    ),
    ActionGroup(
        id="mining_and_processing",
        title="Mining and processing",
        description="Dig the selected rock, steady it, or refine metal into rare isotopes.",
        actions=tuple(range(Act.MINE_CONSERVATIVE_SELECTED, Act.ACTIVE_COOLDOWN)),
    ),
    ActionGroup(
        id="survival_and_maintenance",
        title="Survival and maintenance",
        description="Cool down, repair with kits, or throw cargo overboard.",
        actions=tuple(range(Act.ACTIVE_COOLDOWN, Act.DOCK)),
    ),
    ActionGroup(
        id="dock_and_trade",
        title="Dock and trade",
        description="At the station: sell, restock, overhaul, or bank the profit and stop.",
        actions=tuple(range(Act.DOCK, N_ACTIONS)),
    ),
)

HOTKEYS: Final = (
    Hotkey(key="1", action=Act.TRAVEL_NEIGHBOR, hint="travel to neighbor 0"),
    Hotkey(key="2", action=Act.TRAVEL_NEIGHBOR + 1, hint="travel to neighbor 1"),
    Hotkey(key="3", action=Act.TRAVEL_NEIGHBOR + 2, hint="travel to neighbor 2"),
    Hotkey(key="q", action=Act.WIDE_SCAN, hint="wide scan"),
    Hotkey(key="e", action=Act.FOCUSED_SCAN_SELECTED, hint="focused scan"),
    Hotkey(key="m", action=Act.MINE_STANDARD_SELECTED, hint="mine, standard"),
    Hotkey(key="r", action=Act.REFINE_ONBOARD, hint="refine"),
    Hotkey(key="h", action=Act.HOLD_DRIFT, hint="hold"),
    Hotkey(key="d", action=Act.DOCK, hint="dock"),
)

METRICS: Final = (
    Metric(key="credits", label="Credits", unit="credits", better=Better.HIGHER),
    Metric(key="net_profit", label="Net profit", unit="credits", better=Better.HIGHER),
    Metric(key="profit_per_tick", label="Profit per tick", unit="credits/tick", better=Better.HIGHER),
    Metric(key="survival", label="Survival", better=Better.HIGHER, aggregate=Aggregate.EPISODE_FINAL_RATE),
    Metric(key="overheat_ticks", label="Overheat ticks", unit="ticks", better=Better.LOWER),
    Metric(key="pirate_encounters", label="Pirate encounters", better=Better.LOWER),
    Metric(key="value_lost_to_pirates", label="Value lost to pirates", unit="credits", better=Better.LOWER),
    Metric(key="fuel_used", label="Fuel used", unit="fuel"),
    Metric(key="hull_damage", label="Hull damage", unit="hull", better=Better.LOWER),
    Metric(key="tool_wear", label="Tool wear", unit="tool", better=Better.LOWER),
    Metric(key="scan_count", label="Scans"),
    Metric(key="mining_ticks", label="Mining ticks", unit="ticks"),
    Metric(key="cargo_utilization_avg", label="Cargo utilization", unit="share", better=Better.HIGHER),
)


class Event(StrEnum):
    """What can happen in a step, in bit order."""

    INVALID_ACTION = "invalid_action"
    TRAVEL = "travel"
    EMERGENCY_BURN = "emergency_burn"
    SCAN = "scan"
    THREAT_LISTEN = "threat_listen"
    SELECT = "select"
    MINE = "mine"
    FRACTURE = "fracture"
    ASTEROID_DEPLETED = "asteroid_depleted"
    STABILIZE = "stabilize"
    REFINE = "refine"
    COOLDOWN = "cooldown"
    REPAIR = "repair"
    JETTISON = "jettison"
    DOCK = "dock"
    SELL = "sell"
    BUY = "buy"
    OVERHAUL = "overhaul"
    PIRATE_ENCOUNTER = "pirate_encounter"
    OVERHEAT_TICK = "overheat_tick"
    CASH_OUT = "cash_out"
    DESTROYED = "destroyed"
    STRANDED = "stranded"
    TERMINATED = "terminated"
    TRUNCATED = "truncated"


EVENT_PAYLOADS: Final[dict[Event, tuple[str, ...]]] = {
    Event.INVALID_ACTION: ("received",),
    Event.TRAVEL: ("from", "to", "slot", "fuel"),
    Event.SCAN: ("mode", "asteroids"),
    Event.SELECT: ("asteroid",),
    Event.MINE: ("mode", "units", "total"),
    Event.FRACTURE: ("asteroid", "hull"),
    Event.ASTEROID_DEPLETED: ("asteroid",),
    Event.STABILIZE: ("asteroid",),
    Event.REFINE: ("input", "output"),
    Event.REPAIR: ("what", "amount"),
    Event.JETTISON: ("commodity", "units"),
    Event.SELL: ("commodity", "units", "price", "slippage", "revenue"),
    Event.BUY: ("item", "quantity", "cost"),
    Event.OVERHAUL: ("cost",),
    Event.PIRATE_ENCOUNTER: ("count", "loss_frac", "value_lost", "hull", "decoy_used"),
    Event.OVERHEAT_TICK: ("overflow", "hull"),
    Event.CASH_OUT: ("credits",),
    Event.DESTROYED: ("cause",),
    Event.STRANDED: ("node",),
}

# Unset shapes are single entries; bounds are 0..1 unless a field says otherwise.
OBSERVATION: Final = (
    ObservationField(name="fuel_frac", start=Obs.FUEL_FRAC, meaning="fuel / 1000"),
    ObservationField(name="hull_frac", start=Obs.HULL_FRAC, meaning="hull / 100"),
    ObservationField(name="heat_frac", start=Obs.HEAT_FRAC, meaning="heat / 100"),
    ObservationField(name="tool_frac", start=Obs.TOOL_FRAC, meaning="tool condition / 100"),
    ObservationField(name="cargo_load_frac", start=Obs.CARGO_LOAD_FRAC, meaning="units in the hold / 200"),
    ObservationField(name="alert_frac", start=Obs.ALERT_FRAC, meaning="alert / 100"),
    ObservationField(name="time_frac", start=Obs.TIME_FRAC, meaning="ticks left / tick budget"),
    ObservationField(
        name="credits_log_norm", start=Obs.CREDITS_LOG_NORM, meaning="log(1 + credits) / log(1 + 10 million)"
    ),
    ObservationField(
        name="cargo_by_commodity_frac",
        start=Obs.CARGO_BY_COMMODITY_FRAC,
        shape=(N_COMMODITIES,),
        meaning="units of each commodity / 200",
    ),
    ObservationField(name="repair_kits_norm", start=Obs.REPAIR_KITS_NORM, meaning="repair kits / 12"),
    ObservationField(name="stabilizers_norm", start=Obs.STABILIZERS_NORM, meaning="stabilizers / 12"),
    ObservationField(name="decoys_norm", start=Obs.DECOYS_NORM, meaning="decoys / 12"),
    ObservationField(name="at_station_flag", start=Obs.AT_STATION_FLAG, meaning="1 at the station"),
    ObservationField(
        name="mining_active_flag", start=Obs.MINING_ACTIVE_FLAG, meaning="1 while an asteroid is selected"
    ),
    ObservationField(
        name="current_node_type_onehot",
        start=Obs.CURRENT_NODE_TYPE_ONEHOT,
        shape=(len(NODE_TYPES),),
        meaning="type of the current node: station, cluster, hazard",
    ),
    ObservationField(
        name="current_node_index_norm", start=Obs.CURRENT_NODE_INDEX_NORM, meaning="index of the current node / 31"
    ),
    ObservationField(name="steps_to_station_norm", start=Obs.STEPS_TO_STATION_NORM, meaning="hops to the station / 31"),
    ObservationField(
        name="neighbors",
        start=Obs.NEIGHBORS,
        shape=(MAX_NEIGHBORS, NeighborObs.SIZE),
        meaning="per slot: neigh_valid; neigh_type_station, _cluster, _hazard; travel_time_norm (ticks / 8); "
        "travel_fuel_cost_norm (base fuel / 160); neigh_threat_norm (estimate)",
    ),
    ObservationField(name="reserved", start=Obs.RESERVED, shape=(2,), meaning="always 0"),
    ObservationField(
        name="asteroids",
        start=Obs.ASTEROIDS,
        shape=(MAX_ASTEROIDS, AsteroidObs.SIZE),
        meaning="per slot of the current node: ast_valid; comp_est of the six commodities; stability_est; "
        "depletion_frac; scan_conf; selected_flag",
    ),
    ObservationField(
        name="price_norm",
        start=Obs.PRICE_NORM,
        shape=(N_COMMODITIES,),
        meaning="place of each price between its minimum and maximum",
    ),
    ObservationField(
        name="price_delta_norm",
        start=Obs.PRICE_DELTA_NORM,
        shape=(N_COMMODITIES,),
        low=-1.0,
        meaning="change of each price in the last step / 100",
    ),
    ObservationField(
        name="station_inventory_norm",
        start=Obs.STATION_INVENTORY_NORM,
        shape=(len(STOCK_SHOWN),),
        meaning="station stock of iron, water_ice, pge, rare_isotopes / 500",
    ),
)

SPEC: Final = WorldSpec(
    world=WORLD_ID,
    interface_version=INTERFACE_VERSION,
    agents=1,
    observation=OBSERVATION,
    heads=(ActionHead(name="action", options=ACTION_NAMES, noop=Act.HOLD_DRIFT),),
    has_mask=True,
    metrics=METRICS,
    events=tuple(EventKind(name=event.value, payload=EVENT_PAYLOADS.get(event, ())) for event in Event),
    tick_seconds=1.0,
    snapshot_magic=b"PRSP",
    snapshot_version=1,
    groups=ACTION_GROUPS,
    hotkeys=HOTKEYS,
    headline=("net_profit", "survival"),
    risk_metrics=("overheat_ticks", "pirate_encounters", "value_lost_to_pirates", "mining_ticks", "scan_count"),
    aliases=(("profit_mean", "net_profit"), ("survival_rate", "survival")),
    milestones=(("profit", (100.0, 500.0, 1000.0)), ("return", (10.0, 25.0, 50.0)), ("survival", (1.0,))),
    end_events=(
        (Event.DESTROYED.value, "destroyed"),
        (Event.STRANDED.value, "stranded"),
        (Event.CASH_OUT.value, "cash_out"),
        (Event.TRUNCATED.value, "time_up"),
    ),
)


def describe(_config: ProspectorConfig) -> WorldSpec:
    """Return the contract; it is the same in every configuration."""
    return SPEC
