"""The ways between the nodes: a random tree that reaches all of them, then some shortcuts."""

from collections import deque

from diorama.numerics import clamp
from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import MAX_NEIGHBORS
from diorama.worlds.prospector.reference.constants import (
    STATION,
    THREAT_ESTIMATE_AT_START,
    THREAT_SIGMA,
    TRAVEL_FUEL_RANGE,
    TRAVEL_TICKS_MAX,
    TRAVEL_TICKS_MIN,
)
from diorama.worlds.prospector.reference.state import Edge, Node


def connect_nodes(nodes: list[Node], rng: Pcg32) -> None:
    """Draw all edges and count every node's hops to the station."""
    _grow_tree(nodes, rng)
    _add_shortcuts(nodes, rng)
    _count_hops(nodes)


def _grow_tree(nodes: list[Node], rng: Pcg32) -> None:
    for child in range(1, len(nodes)):
        parents = [node for node in range(child) if _has_free_slot(nodes[node])]
        _add_edge(nodes, child, parents[rng.randint_exclusive(0, len(parents))], rng)


def _add_shortcuts(nodes: list[Node], rng: Pcg32) -> None:
    for _ in range(len(nodes)):
        # Both ends are drawn before either is judged: a rejected pair costs two draws, no more and no less.
        u = rng.randint_exclusive(0, len(nodes))
        v = rng.randint_exclusive(0, len(nodes))
        are_apart = u != v and all(edge.neighbor != v for edge in nodes[u].edges)
        if are_apart and _has_free_slot(nodes[u]) and _has_free_slot(nodes[v]):
            _add_edge(nodes, u, v, rng)


def _add_edge(nodes: list[Node], u: int, v: int, rng: Pcg32) -> None:
    a, b = nodes[u], nodes[v]
    travel_ticks = rng.randint_exclusive(TRAVEL_TICKS_MIN, TRAVEL_TICKS_MAX + 1)
    fuel = rng.uniform(*TRAVEL_FUEL_RANGE)
    danger = 0.5 * (a.hazard + b.hazard) + 0.5 * (a.pirate + b.pirate) + rng.normal(0.0, THREAT_SIGMA)
    threat = clamp(danger, 0.0, 1.0)
    a.edges.append(Edge(v, travel_ticks, fuel, threat, THREAT_ESTIMATE_AT_START))
    b.edges.append(Edge(u, travel_ticks, fuel, threat, THREAT_ESTIMATE_AT_START))


def _has_free_slot(node: Node) -> bool:
    return len(node.edges) < MAX_NEIGHBORS


def _count_hops(nodes: list[Node]) -> None:
    seen = {STATION}
    queue = deque([STATION])
    while queue:
        node = nodes[queue.popleft()]
        for edge in node.edges:
            if edge.neighbor not in seen:
                seen.add(edge.neighbor)
                nodes[edge.neighbor].hops = node.hops + 1
                queue.append(edge.neighbor)
