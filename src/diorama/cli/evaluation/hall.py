"""Where `diorama eval` lets episodes be played."""

from collections.abc import Iterator
from contextlib import contextmanager

from diorama.learn.evaluation.episodes import SubmitEpisodes, submit_locally


@contextmanager
def hall(address: str | None) -> Iterator[SubmitEpisodes]:
    """Yield where to ask for episodes: here, or on a Ray cluster.

    Raises:
        ConfigError: Nothing answers at the address.
        MissingExtra: Ray is not installed.
    """
    if address is None:
        yield submit_locally
        return
    from diorama.scale.cluster import cluster
    from diorama.scale.evaluation import ClusterHall

    with cluster(address):
        yield ClusterHall()
