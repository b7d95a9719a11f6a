"""The rocks of every node, and the pilot's uninformed first beliefs about them."""

from diorama.numerics import clamp
from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import MAX_ASTEROIDS
from diorama.worlds.prospector.reference.constants import (
    ASTEROIDS_MIN,
    RICHNESS_MU,
    RICHNESS_RANGE,
    RICHNESS_SIGMA,
    SCAN_CONF_AT_START,
    SCAN_NOISE_RANGE,
    STABILITY_ESTIMATE_AT_START,
    STATION,
)
from diorama.worlds.prospector.reference.state import Asteroid, Node


def scatter_asteroids(nodes: list[Node], rng: Pcg32) -> None:
    """Draw the asteroids of every node but the station."""
    for node in nodes:
        if node.kind != STATION:
            count = rng.randint_exclusive(ASTEROIDS_MIN, MAX_ASTEROIDS + 1)
            node.asteroids = [_draw_asteroid(rng) for _ in range(count)]


def _draw_asteroid(rng: Pcg32) -> Asteroid:
    # Keyword arguments are evaluated from top to bottom, and that is the order of the draws.
    return Asteroid(
        true_comp=rng.dirichlet6(),
        richness=clamp(rng.lognormal(RICHNESS_MU, RICHNESS_SIGMA), *RICHNESS_RANGE),
        stability=rng.beta32(),
        noise=rng.uniform(*SCAN_NOISE_RANGE),
        comp_est=rng.dirichlet6(),
        stability_est=STABILITY_ESTIMATE_AT_START,
        scan_conf=SCAN_CONF_AT_START,
    )
