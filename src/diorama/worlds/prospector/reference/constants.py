"""Every number of the rules. Fuel, hull, heat, tool, alert and cargo have units of their own; time is in ticks."""

from typing import Final, NamedTuple

# Random numbers
RNG_STREAM: Final = 54

# What the ship holds
FUEL_MAX: Final = 1000.0
HULL_MAX: Final = 100.0
HEAT_MAX: Final = 100.0
TOOL_MAX: Final = 100.0
ALERT_MAX: Final = 100.0
CARGO_MAX: Final = 200.0  # units of all commodities together
REPAIR_KITS_MAX: Final = 12
STABILIZERS_MAX: Final = 12
DECOYS_MAX: Final = 12
REPAIR_KITS_AT_START: Final = 3
STABILIZERS_AT_START: Final = 2
DECOYS_AT_START: Final = 1

# Nodes
STATION: Final = 0  # both the index of the station and its type
CLUSTER: Final = 1
HAZARD: Final = 2
NODES_MIN: Final = 8
HAZARD_NODE_CHANCE: Final = 0.25
HAZARD_RANGE: Final = (0.05, 0.35)
PIRATE_RANGE: Final = (0.05, 0.30)
HAZARD_NODE_EXTRA_HAZARD: Final = 0.25
HAZARD_NODE_EXTRA_PIRATE: Final = 0.12

# Edges
TRAVEL_TICKS_MIN: Final = 1
TRAVEL_TICKS_MAX: Final = 8
TRAVEL_FUEL_RANGE: Final = (20.0, 112.0)
THREAT_SIGMA: Final = 0.05
THREAT_ESTIMATE_AT_START: Final = 0.5

# Asteroids
ASTEROIDS_MIN: Final = 5
RICHNESS_MU: Final = -0.2
RICHNESS_SIGMA: Final = 0.65
RICHNESS_RANGE: Final = (0.2, 4.0)
SCAN_NOISE_RANGE: Final = (0.04, 0.22)
STABILITY_ESTIMATE_AT_START: Final = 0.5
SCAN_CONF_AT_START: Final = 0.10

# Market: prices in credits per unit, one entry per commodity
PRICE_BASE: Final = (45.0, 55.0, 85.0, 145.0, 210.0, 120.0)
PRICE_MIN: Final = (12.0, 15.0, 20.0, 50.0, 80.0, 30.0)
PRICE_MAX: Final = (180.0, 200.0, 240.0, 320.0, 420.0, 300.0)
INVENTORY_RANGE: Final = (20.0, 120.0)
PERIOD_RANGE_TICKS: Final = (180.0, 380.0)
AMPLITUDE_SHARE_RANGE: Final = (0.10, 0.30)  # of the base price
INVENTORY_PRESSURE: Final = 0.04  # credits per unit in stock
SALES_PRESSURE: Final = 0.05  # credits per unit sold recently
PRICE_NOISE_SHARE: Final = 0.03  # of the base price, per square root of a tick
SALES_MEMORY_TICKS: Final = 14.0
INVENTORY_RETENTION_PER_TICK: Final = 0.998
SLIPPAGE_LINEAR: Final = 0.25
SLIPPAGE_ROOT: Final = 0.20
SLIPPAGE_MAX: Final = 0.70

# Heat
PASSIVE_COOLING_PER_TICK: Final = 2.5
OVERHEAT_HULL_PER_HEAT: Final = 1.25

# Hazards, per tick and unit of intensity
HAZARD_HULL: Final = 0.7
HAZARD_HEAT: Final = 0.5
HAZARD_ALERT: Final = 0.8
EDGE_DAMAGE_SPREAD: Final = (0.85, 1.15)
NODE_DAMAGE_SPREAD: Final = (0.8, 1.2)

# Pirates
PIRATE_BIAS: Final = -4.0
PIRATE_PER_INTENSITY: Final = 3.0
PIRATE_PER_ALERT: Final = 2.2
PIRATE_PER_LOG_VALUE: Final = 0.8
PIRATE_VALUE_SCALE: Final = 1000.0  # credits
PIRATE_ESCAPE_RELIEF: Final = 2.8
PIRATE_LOSS_RANGE: Final = (0.08, 0.20)  # share of the hold
PIRATE_HULL_RANGE: Final = (1.0, 4.0)
PIRATE_ALERT: Final = 8.0
DECOY_CHANCE: Final = 0.6
DECOY_LOSS_FACTOR: Final = 0.3

# Navigation
LOAD_FUEL_FACTOR: Final = 0.5  # a full hold burns half as much again
HOLD_TICKS: Final = 1
HOLD_ALERT_RELIEF: Final = 3.0
HOLD_COOLING: Final = 2.5
BURN_TICKS: Final = 1
BURN_FUEL: Final = 18.0
BURN_ALERT: Final = 10.0
ESCAPE_TICKS: Final = 4

# Listening and selecting
LISTEN_TICKS: Final = 2
LISTEN_SIGMA: Final = 0.08
LISTEN_BLEND: Final = 0.75
SELECT_TICKS: Final = 1

# Scanning
SCAN_CONF_OFFSET: Final = 0.1  # a fully trusted estimate still errs a little


class ScanMode(NamedTuple):
    """What a kind of scan costs and how well it sees."""

    name: str
    ticks: int
    fuel: float
    alert: float
    blend: float  # weight of the new reading against the old estimate
    conf_gain: float
    noise_factor: float


WIDE_SCAN: Final = ScanMode("wide", ticks=3, fuel=5.0, alert=4.0, blend=0.22, conf_gain=0.10, noise_factor=1.35)
FOCUSED_SCAN: Final = ScanMode("focused", ticks=2, fuel=4.0, alert=3.0, blend=0.42, conf_gain=0.20, noise_factor=1.00)
DEEP_SCAN: Final = ScanMode("deep", ticks=4, fuel=8.0, alert=6.0, blend=0.80, conf_gain=0.45, noise_factor=0.55)


# Mining
class MiningMode(NamedTuple):
    """How hard the drill is pushed."""

    name: str
    yield_factor: float
    heat: float
    tool_wear: float
    alert: float
    noise_sigma: float
    fracture_bias: float


MINE_CONSERVATIVE: Final = MiningMode(
    "conservative", yield_factor=0.80, heat=2.0, tool_wear=0.8, alert=1.2, noise_sigma=0.05, fracture_bias=-0.7
)
MINE_STANDARD: Final = MiningMode(
    "standard", yield_factor=1.15, heat=4.0, tool_wear=1.6, alert=2.2, noise_sigma=0.10, fracture_bias=0.0
)
MINE_AGGRESSIVE: Final = MiningMode(
    "aggressive", yield_factor=1.55, heat=7.0, tool_wear=2.8, alert=4.0, noise_sigma=0.16, fracture_bias=0.8
)

MINE_TICKS: Final = 1
TOOL_EFFICIENCY_FLOOR: Final = 0.4
TOOL_EFFICIENCY_SPAN: Final = 0.6
HOT_DRILL_FROM: Final = 0.7  # share of the heat limit
HOT_DRILL_SPAN: Final = 0.3
HOT_DRILL_EFFICIENCY_FLOOR: Final = 0.1
HEAT_FRACTION_CAP: Final = 2.0
DEPLETION_PER_UNIT: Final = 0.01
FRACTURE_BIAS: Final = -3.1
FRACTURE_PER_INSTABILITY: Final = 2.5
FRACTURE_PER_HEAT: Final = 2.2
FRACTURE_PER_WEAR: Final = 1.5
FRACTURE_STABILIZER_RELIEF: Final = 1.1
FRACTURE_HULL: Final = 12.0
FRACTURE_SEVERITY_RANGE: Final = (0.5, 1.0)
FRACTURE_HAZARD: Final = 0.1
STABILIZE_TICKS: Final = 2
STABILIZED_TICKS: Final = 6

# Refining
REFINE_TICKS: Final = 2
REFINE_FUEL: Final = 4.0
REFINE_HEAT: Final = 6.0
REFINE_ALERT: Final = 3.0
REFINE_INPUT_SHARE: Final = 0.15
REFINE_KEPT_SHARE: Final = 0.85
REFINE_YIELD: Final = 0.65
REFINE_INPUTS: Final = (0, 1)  # iron and nickel
REFINE_OUTPUT: Final = 4  # rare isotopes

# Survival and maintenance
COOLDOWN_TICKS: Final = 2
COOLDOWN_FUEL: Final = 2.0
COOLDOWN_HEAT: Final = 20.0
COOLDOWN_ALERT: Final = 1.0
REPAIR_TICKS: Final = 2
TOOL_PER_KIT: Final = 25.0
HULL_PER_KIT: Final = 20.0
JETTISON_TICKS: Final = 1
JETTISON_ALERT_RELIEF: Final = 8.0

# Station: costs in credits
DOCK_TICKS: Final = 1
DOCK_ALERT_RELIEF: Final = 20.0
SELL_TICKS: Final = 1
BUY_TICKS: Final = 1


class FuelOffer(NamedTuple):
    """A portion of fuel on sale."""

    fuel: float
    cost: float


FUEL_SMALL: Final = FuelOffer(fuel=120.0, cost=60.0)
FUEL_MED: Final = FuelOffer(fuel=260.0, cost=120.0)
FUEL_LARGE: Final = FuelOffer(fuel=480.0, cost=210.0)
REPAIR_KIT_COST: Final = 150.0
STABILIZER_COST: Final = 175.0
DECOY_COST: Final = 110.0
OVERHAUL_TICKS: Final = 3
OVERHAUL_COST: Final = 280.0
CASH_OUT_TICKS: Final = 1

# Scales of the observation
CREDITS_CAP: Final = 1e7
TRAVEL_TICKS_SCALE: Final = 8.0
TRAVEL_FUEL_SCALE: Final = 160.0
PRICE_DELTA_SCALE: Final = 100.0
INVENTORY_SCALE: Final = 500.0

# Rewards: weights already carry their sign
CREDITS_PER_POINT: Final = 1000.0
HEAT_FREE: Final = 70.0
HEAT_SCALE: Final = 100.0
HEAT_WEIGHT: Final = -0.20
V1_EXTRACT_WEIGHT: Final = 0.02
V1_FUEL_WEIGHT: Final = -0.10
V1_FUEL_SCALE: Final = 100.0
V1_PER_TICK: Final = -0.001
V1_WEAR_WEIGHT: Final = -0.05
V1_WEAR_SCALE: Final = 10.0
V1_DAMAGE_WEIGHT: Final = -1.0
V1_DAMAGE_SCALE: Final = 10.0
V1_SCAN: Final = -0.005
V1_PIRATE_WEIGHT: Final = -1.0
V1_STRANDED: Final = -50.0
V1_DESTROYED: Final = -100.0
V1_BONUS_WEIGHT: Final = 0.002
V2_ORE_WEIGHT: Final = 0.5
V2_PER_TICK: Final = -0.0002
V2_DAMAGE_WEIGHT: Final = -0.001
V2_DESTROYED: Final = -10.0
V2_STRANDED: Final = -5.0
