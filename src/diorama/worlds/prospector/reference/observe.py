"""What the pilot sees: 260 numbers, of which the contract's `Obs` tells the places."""

from typing import Final

from diorama.numerics import clamp, log1p, normalise6
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import (
    MAX_NODES,
    N_COMMODITIES,
    STOCK_SHOWN,
    AsteroidObs,
    NeighborObs,
    Obs,
)
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    CARGO_MAX,
    CREDITS_CAP,
    DECOYS_MAX,
    FUEL_MAX,
    HEAT_MAX,
    HULL_MAX,
    INVENTORY_SCALE,
    PRICE_DELTA_SCALE,
    PRICE_MAX,
    PRICE_MIN,
    REPAIR_KITS_MAX,
    STABILIZERS_MAX,
    TOOL_MAX,
    TRAVEL_FUEL_SCALE,
    TRAVEL_TICKS_SCALE,
)
from diorama.worlds.prospector.reference.state import State

NODE_SCALE: Final = float(MAX_NODES - 1)
CREDITS_LOG_CAP: Final = log1p(CREDITS_CAP)


def observation(state: State, config: ProspectorConfig) -> list[float]:
    """Return the observation in binary64; it is rounded once, when it is stored."""
    obs = [0.0] * Obs.SIZE
    _show_ship(obs, state, config)
    _show_place(obs, state)
    _show_neighbors(obs, state)
    _show_asteroids(obs, state)
    _show_market(obs, state)
    return obs


def _show_ship(obs: list[float], state: State, config: ProspectorConfig) -> None:
    ship = state.ship
    obs[Obs.FUEL_FRAC] = _share(ship.fuel, FUEL_MAX)
    obs[Obs.HULL_FRAC] = _share(ship.hull, HULL_MAX)
    obs[Obs.HEAT_FRAC] = _share(ship.heat, HEAT_MAX)
    obs[Obs.TOOL_FRAC] = _share(ship.tool, TOOL_MAX)
    obs[Obs.CARGO_LOAD_FRAC] = _share(ship.cargo_total(), CARGO_MAX)
    obs[Obs.ALERT_FRAC] = _share(ship.alert, ALERT_MAX)
    obs[Obs.TIME_FRAC] = _share(state.time_remaining, config.time_max)
    obs[Obs.CREDITS_LOG_NORM] = _share(log1p(max(0.0, ship.credits)), CREDITS_LOG_CAP)
    for commodity, units in enumerate(ship.cargo):
        obs[Obs.CARGO_BY_COMMODITY_FRAC + commodity] = _share(units, CARGO_MAX)
    obs[Obs.REPAIR_KITS_NORM] = _share(ship.repair_kits, REPAIR_KITS_MAX)
    obs[Obs.STABILIZERS_NORM] = _share(ship.stabilizers, STABILIZERS_MAX)
    obs[Obs.DECOYS_NORM] = _share(ship.decoys, DECOYS_MAX)


def _show_place(obs: list[float], state: State) -> None:
    ship, here = state.ship, state.here
    obs[Obs.AT_STATION_FLAG] = 1.0 if ship.is_docked else 0.0
    obs[Obs.MINING_ACTIVE_FLAG] = 1.0 if ship.has_selection else 0.0
    obs[Obs.CURRENT_NODE_TYPE_ONEHOT + here.kind] = 1.0
    obs[Obs.CURRENT_NODE_INDEX_NORM] = _share(ship.node, NODE_SCALE)
    obs[Obs.STEPS_TO_STATION_NORM] = _share(here.hops, NODE_SCALE)


def _show_neighbors(obs: list[float], state: State) -> None:
    for slot, edge in enumerate(state.here.edges):
        first = Obs.NEIGHBORS + NeighborObs.SIZE * slot
        obs[first + NeighborObs.VALID] = 1.0
        obs[first + NeighborObs.TYPE_ONEHOT + state.nodes[edge.neighbor].kind] = 1.0
        obs[first + NeighborObs.TRAVEL_TIME_NORM] = _share(edge.travel_ticks, TRAVEL_TICKS_SCALE)
        obs[first + NeighborObs.TRAVEL_FUEL_COST_NORM] = _share(edge.fuel, TRAVEL_FUEL_SCALE)
        obs[first + NeighborObs.THREAT_NORM] = clamp(edge.threat_estimate, 0.0, 1.0)


def _show_asteroids(obs: list[float], state: State) -> None:
    for slot, asteroid in enumerate(state.here.asteroids):
        first = Obs.ASTEROIDS + AsteroidObs.SIZE * slot
        obs[first + AsteroidObs.VALID] = 1.0
        comp_first = first + AsteroidObs.COMP_EST
        obs[comp_first : comp_first + N_COMMODITIES] = normalise6(asteroid.comp_est)
        obs[first + AsteroidObs.STABILITY_EST] = clamp(asteroid.stability_est, 0.0, 1.0)
        obs[first + AsteroidObs.DEPLETION_FRAC] = clamp(asteroid.depletion, 0.0, 1.0)
        obs[first + AsteroidObs.SCAN_CONF] = clamp(asteroid.scan_conf, 0.0, 1.0)
    if state.ship.has_selection:
        obs[Obs.ASTEROIDS + AsteroidObs.SIZE * state.ship.selection + AsteroidObs.SELECTED_FLAG] = 1.0


def _show_market(obs: list[float], state: State) -> None:
    market = state.market
    for commodity in range(N_COMMODITIES):
        price, lowest = market.price[commodity], PRICE_MIN[commodity]
        change = price - market.prev_price[commodity]
        obs[Obs.PRICE_NORM + commodity] = _share(price - lowest, PRICE_MAX[commodity] - lowest)
        obs[Obs.PRICE_DELTA_NORM + commodity] = clamp(change / PRICE_DELTA_SCALE, -1.0, 1.0)
    for place, commodity in enumerate(STOCK_SHOWN):
        obs[Obs.STATION_INVENTORY_NORM + place] = _share(market.inventory[commodity], INVENTORY_SCALE)


def _share(amount: float, whole: float) -> float:
    return clamp(amount / whole, 0.0, 1.0)
