"""`EventReader`: the events of a live world as one client wants them."""

from collections.abc import Mapping

from diorama.contracts.values import JsonObject
from diorama.server.live.host import LiveHost


class EventReader:
    """Follows events at the pace of one client, who is told where some were lost."""

    def __init__(self, host: LiveHost, since_seq: int | None, names: frozenset[str] | None = None) -> None:
        """Begin after a batch that was seen, else now; without names every event counts."""
        latest = _latest_seq(host)
        # Whoever has seen more than there is has followed a world that was started anew since.
        self._is_lost = since_seq is not None and since_seq > latest
        self._lost: JsonObject = {"type": "gap", "from_seq": 0, "to_seq": latest}
        begin = None if since_seq is None or self._is_lost else since_seq + 1
        self._follower = host.publisher.follow_events(begin)
        self._names = names

    async def receive(self) -> JsonObject | None:
        """Wait for the next batch or gap; None once there will be none."""
        if self._is_lost:
            self._is_lost = False
            return self._lost
        while (told := await self._follower.receive()) is not None:
            chosen = self._choose(told)
            if chosen is not None:
                return chosen
        return None

    def _choose(self, told: JsonObject) -> JsonObject | None:
        events = told.get("events")
        if self._names is None or not isinstance(events, list | tuple):
            return told
        kept = [event for event in events if isinstance(event, Mapping) and event["event"] in self._names]
        return {**told, "events": kept} if kept else None


def _latest_seq(host: LiveHost) -> int:
    seq = host.publisher.health()["seq"]
    return seq if isinstance(seq, int) else -1
