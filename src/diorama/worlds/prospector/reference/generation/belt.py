"""A new episode: the belt of a seed, with the ship at its dock."""

from typing import Final

from diorama.rng import Pcg32
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.constants import RNG_STREAM
from diorama.worlds.prospector.reference.generation.asteroids import scatter_asteroids
from diorama.worlds.prospector.reference.generation.edges import connect_nodes
from diorama.worlds.prospector.reference.generation.market import open_market
from diorama.worlds.prospector.reference.generation.nodes import draw_nodes
from diorama.worlds.prospector.reference.state import State

_SEED_MASK: Final = 0xFFFFFFFFFFFFFFFF


def open_belt(seed: int, config: ProspectorConfig) -> State:
    """Return the first state of the episode of this seed, which is taken modulo 2^64."""
    rng = Pcg32.from_seed(seed, RNG_STREAM)
    nodes = draw_nodes(rng)
    connect_nodes(nodes, rng)
    scatter_asteroids(nodes, rng)
    return State(
        rng=rng,
        seed=seed & _SEED_MASK,
        time_remaining=config.time_max,
        nodes=nodes,
        market=open_market(rng),
    )
