"""Where `diorama eval` lets episodes be played."""

from collections.abc import Iterator
from contextlib import contextmanager

from diorama.learn.evaluation.episodes import Asking, ask_here


@contextmanager
def hall(address: str | None) -> Iterator[Asking]:
    """Yield where to ask for episodes: here, or on a Ray cluster.

    Raises:
        ConfigError: Nothing answers at the address.
        MissingExtra: Ray is not installed.
    """
    if address is None:
        yield ask_here
        return
    from diorama.scale.cluster import cluster
    from diorama.scale.evaluation import ClusterHall

    with cluster(address):
        yield ClusterHall()
