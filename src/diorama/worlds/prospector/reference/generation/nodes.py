"""The places of the belt and how dangerous they are."""

from diorama.numerics import clamp
from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import MAX_NODES
from diorama.worlds.prospector.reference.constants import (
    CLUSTER,
    HAZARD,
    HAZARD_NODE_CHANCE,
    HAZARD_NODE_EXTRA_HAZARD,
    HAZARD_NODE_EXTRA_PIRATE,
    HAZARD_RANGE,
    NODES_MIN,
    PIRATE_RANGE,
    STATION,
)
from diorama.worlds.prospector.reference.state import Node


def draw_nodes(rng: Pcg32) -> list[Node]:
    """Draw the nodes, still without edges and asteroids; node 0 is the safe station."""
    node_count = rng.randint_exclusive(NODES_MIN, MAX_NODES + 1)
    station = Node(kind=STATION, hazard=0.0, pirate=0.0)
    return [station, *(_draw_field_node(rng) for _ in range(1, node_count))]


def _draw_field_node(rng: Pcg32) -> Node:
    is_hazardous = rng.f64() < HAZARD_NODE_CHANCE
    hazard = rng.uniform(*HAZARD_RANGE)
    pirate = rng.uniform(*PIRATE_RANGE)
    if not is_hazardous:
        return Node(kind=CLUSTER, hazard=hazard, pirate=pirate)
    return Node(
        kind=HAZARD,
        hazard=clamp(hazard + HAZARD_NODE_EXTRA_HAZARD, 0.0, 1.0),
        pirate=clamp(pirate + HAZARD_NODE_EXTRA_PIRATE, 0.0, 1.0),
    )
