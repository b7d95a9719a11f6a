"""`Shadow`: a candidate that lives beside the release, in a world of its own."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.promotion.window_book import Observed
from diorama.operate.stability.monitor import StabilityMonitor

_HEARD: Final[JsonObject] = {"dropped": 0, "breaker_open": False}  # nobody listens to a shadow


class Shadow:
    """A second world that began as a copy of the live one, and that the candidate decides.

    It is ticked once with every tick of the live world, so that windows of both end together; what operators do to the
    live world does not reach it.
    """

    def __init__(self, world: LiveWorld, decider: Decider, monitor: StabilityMonitor) -> None:
        """Begin; `world` was opened like the live one and has loaded its state."""
        self._world = world
        self._decider = decider
        self._monitor = monitor

    @property
    def decider(self) -> Decider:
        """The candidate, ready to decide."""
        return self._decider

    def tick(self) -> Observed:
        """Live through a tick, and say how it went."""
        world = self._world
        world.schedule()
        world.decide(self._decider.decide(world))
        world.resolve()
        world.settle()
        self._monitor.ingest(world.record(world.take_events(), _HEARD))
        world.advance()
        return Observed(alerts=tuple(self._monitor.latest_stability_alerts()), close_window=world.close_window)

    def export(self) -> JsonObject:
        """Everything that must survive a snapshot."""
        return {
            "world": self._world.save(),
            "decider": self._decider.export(),
            "monitor": self._monitor.export(),
        }

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned.

        Raises:
            SnapshotError: It is no state of a shadow of this world.
        """
        self._world.load(_part(state, "world"))
        self._monitor.load(_part(state, "monitor"))
        self._decider.load(state.get("decider"))


def _part(state: JsonObject, name: str) -> JsonObject:
    found: JsonValue = state.get(name)
    if not isinstance(found, Mapping):
        raise SnapshotError(f"the state of a shadow needs `{name}`")
    return found
