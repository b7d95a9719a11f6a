"""The networks that were used last, because the next epoch mostly has the same structure."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Final, Generic, Protocol, TypeVar

from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

KEPT_NETWORKS: Final = 8


class Closable(Protocol):
    """What must be told to let go of its memory, because it refers to itself."""

    def close(self) -> None:
        """Let go of all recordings."""


Network = TypeVar("Network", bound=Closable)


class Kept(Generic[Network]):
    """A few networks by what they were built for; the one that was not used for longest makes room."""

    def __init__(self) -> None:
        """Start empty."""
        self._networks: OrderedDict[Hashable, Network] = OrderedDict()

    def get(self, key: Hashable, build: Callable[[], Network]) -> Network:
        """Return the network of a key, built where there is none."""
        if key not in self._networks:
            self._networks[key] = build()
        self._networks.move_to_end(key)
        if len(self._networks) > KEPT_NETWORKS:
            self._networks.popitem(last=False)[1].close()
        return self._networks[key]

    def clear(self) -> None:
        """Let go of all of them."""
        for network in self._networks.values():
            network.close()
        self._networks.clear()


def structure_of(growing: Iterable[GrowingHost]) -> Hashable:
    """Return all that decides how rows run together, apart from values; it holds the modules, so none is mistaken."""
    return tuple(
        (
            row.host,
            tuple(
                (slot_id, seed.module, seed.gate, seed.operator, seed.stage, seed.frozen, seed.alpha == 0.0)
                for slot_id, seed in row.seeds.items()
            ),
        )
        for row in growing
    )
