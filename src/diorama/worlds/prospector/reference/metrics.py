"""The numbers reported after every step, in the order of the contract."""

from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.systems.ending import is_destroyed, is_stranded

Metrics = tuple[float, ...]


def net_profit(state: State) -> float:
    """Return credits won since the start, which was made with none; purchases are already out of them."""
    return state.ship.credits


def survival(state: State) -> float:
    """Return 0 for a ship that is destroyed or stranded, else 1."""
    return 0.0 if is_destroyed(state) or is_stranded(state) else 1.0


def cargo_utilization(state: State) -> float:
    """Return the mean load share of the hold over all ticks, 0 before the first."""
    counters = state.counters
    return counters.utilization_sum / counters.utilization_ticks if counters.utilization_ticks else 0.0


def measure(state: State) -> Metrics:
    """Return all metrics."""
    counters, profit = state.counters, net_profit(state)
    return (
        state.ship.credits,
        profit,
        profit / max(1, state.ticks),
        survival(state),
        float(counters.overheat_ticks),
        float(counters.pirate_encounters),
        counters.value_lost_to_pirates,
        counters.fuel_used,
        counters.hull_damage,
        counters.tool_wear,
        float(counters.scan_count),
        float(counters.mining_ticks),
        cargo_utilization(state),
    )
