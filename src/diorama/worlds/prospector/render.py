"""What the viewer draws: the pilot's view with names, and on request the truth behind it."""

from typing import Final

import numpy as np

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import NODE_TYPES, SELL_PERCENTS, SPEC
from diorama.worlds.prospector.reference.metrics import cargo_utilization, net_profit, survival
from diorama.worlds.prospector.reference.observe import observation
from diorama.worlds.prospector.reference.state import Asteroid, Edge, Market, Node, Ship, State
from diorama.worlds.prospector.reference.systems.selling import quote_sale

_DECIMALS: Final = 6


def render_state(state: State, config: ProspectorConfig, *, with_truth: bool = False) -> JsonObject:
    """Return one moment as JSON values, numbers rounded to six decimals.

    Args:
        state: The moment; either tier's, since both write the same state words.
        config: The configuration it was simulated with.
        with_truth: Add what is hidden from the pilot. For spectators only, never for someone at play.
    """
    ship, profit, survived = state.ship, _number(net_profit(state)), survival(state)
    picture: dict[str, JsonValue] = {
        "schema_version": SPEC.render_schema_version,
        "headline": {"net_profit": profit, "survival": survived},
        "time": state.ticks,
        "time_remaining": _number(state.time_remaining),
        "observation": _numbers(np.array(observation(state, config), dtype=np.float32).tolist()),
        "credits": _number(ship.credits),
        "net_profit": profit,
        "survival": survived,
        "cargo_utilization_avg": _number(cargo_utilization(state)),
        "node_context": ship.context,
        "ship": _ship(ship),
        "node": {
            "index": ship.node,
            "type": NODE_TYPES[state.here.kind],
            "steps_to_station": state.here.hops,
        },
        "neighbors": [_neighbor(state, slot, edge) for slot, edge in enumerate(state.here.edges)],
        "asteroids": [_asteroid(ship, slot, asteroid) for slot, asteroid in enumerate(state.here.asteroids)],
        "market": _market(state.market),
        "sale_quotes": _sale_quotes(state, config),
    }
    if with_truth:
        picture["truth"] = {"nodes": [_true_node(index, node) for index, node in enumerate(state.nodes)]}
    return picture


def _ship(ship: Ship) -> JsonObject:
    return {
        "fuel": _number(ship.fuel),
        "hull": _number(ship.hull),
        "heat": _number(ship.heat),
        "tool": _number(ship.tool),
        "alert": _number(ship.alert),
        "cargo": _numbers(ship.cargo),
        "cargo_total": _number(ship.cargo_total()),
        "repair_kits": ship.repair_kits,
        "stabilizers": ship.stabilizers,
        "decoys": ship.decoys,
        "escape_ticks": ship.escape_ticks,
    }


def _neighbor(state: State, slot: int, edge: Edge) -> JsonObject:
    return {
        "slot": slot,
        "node": edge.neighbor,
        "type": NODE_TYPES[state.nodes[edge.neighbor].kind],
        "travel_time": edge.travel_ticks,
        "fuel_cost": _number(edge.fuel),
        "threat_est": _number(edge.threat_estimate),
    }


def _asteroid(ship: Ship, slot: int, asteroid: Asteroid) -> JsonObject:
    return {
        "slot": slot,
        "comp_est": _numbers(asteroid.comp_est),
        "stability_est": _number(asteroid.stability_est),
        "depletion": _number(asteroid.depletion),
        "scan_conf": _number(asteroid.scan_conf),
        "selected": slot == ship.selection,
        "stabilize_ticks": ship.stabilize_ticks[slot],
    }


def _market(market: Market) -> JsonObject:
    return {
        "price": _numbers(market.price),
        "delta": _numbers([now - before for now, before in zip(market.price, market.prev_price, strict=True)]),
        "inventory": _numbers(market.inventory),
    }


def _sale_quotes(state: State, config: ProspectorConfig) -> list[JsonValue]:
    """Return what selling each share of a good in the hold brings, in credits; elsewhere, what it would at the station.

    Units and slippage follow from the hold and the price, and are left out: replays keep this for every frame.
    """
    return [
        {
            "commodity": commodity,
            "revenue": [
                _number(quote_sale(state, config, commodity, percent / 100).revenue) for percent in SELL_PERCENTS
            ],
        }
        for commodity, units in enumerate(state.ship.cargo)
        if units > 0.0
    ]


def _true_node(index: int, node: Node) -> JsonObject:
    return {
        "index": index,
        "type": NODE_TYPES[node.kind],
        "hazard": _number(node.hazard),
        "pirate": _number(node.pirate),
        "steps_to_station": node.hops,
        "edges": [{"node": edge.neighbor, "threat": _number(edge.threat)} for edge in node.edges],
        "asteroids": [
            {
                "comp": _numbers(asteroid.true_comp),
                "richness": _number(asteroid.richness),
                "stability": _number(asteroid.stability),
                "depletion": _number(asteroid.depletion),
            }
            for asteroid in node.asteroids
        ],
    }


def _number(value: float) -> float:
    return round(value, _DECIMALS)


def _numbers(values: list[float]) -> list[float]:
    return [round(value, _DECIMALS) for value in values]
