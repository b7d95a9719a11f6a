"""`Backlog`: moments that somebody was not told one by one, folded into one message."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from diorama.contracts.live.events import Priority
from diorama.telemetry.live.event_lines import ToldEvent
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.moments import Blocks, Moment, News
from diorama.telemetry.live.privacy import Privacy

_encoder: Final = msgspec.json.Encoder()


class Backlog:
    """What has to be told since `base`, or from scratch where there is none.

    The state needs no room: its newest moment is shared with everybody. Events and narrations are held here.
    """

    def __init__(self, base: Moment | None, latest: Moment) -> None:
        """Begin after what was told last; the news of `latest` are not in it yet."""
        self.base = base
        self.latest = latest
        self.ticks = 0
        self.event_bytes = 0
        self._events: list[ToldEvent] = []
        self._narrations: list[JsonDict] = []
        self._folded: Counter[str] = Counter()

    @property
    def kept(self) -> tuple[ToldEvent, ...]:
        """The events that nothing may drop."""
        return tuple(event for event in self._events if event.priority is Priority.P0)

    def add(self, news: News, moment: Moment | None, *, begins_anew: bool) -> None:
        """Fold in what happened, and where it led if that is known; of P2 events only the number stays."""
        self.latest = moment or self.latest
        self.ticks += news.ticks
        if begins_anew:
            self.base = None
        self._folded.update(news.folded)
        for event in news.events:
            if event.priority is Priority.P2:
                self._folded[event.name] += 1
            else:
                self._events.append(event)
                self.event_bytes += event.size_bytes
        self._narrations.extend(news.narrations)

    def give_back(self, events: Sequence[ToldEvent]) -> None:
        """Take up events of messages that did not arrive, before all others."""
        self._events[:0] = events
        self.event_bytes += sum(event.size_bytes for event in events)

    def shed(self) -> Counter[str]:
        """Drop what may be dropped, and return how many events of each name that were."""
        dropped = self._folded
        dropped.update(event.name for event in self._events if event.priority is not Priority.P0)
        self._folded = Counter()
        self._hold(list(self.kept))
        return dropped

    def trim(self, limit_bytes: int) -> Counter[str]:
        """Drop the oldest events beyond a limit that no priority lifts, and return how many of each name."""
        dropped: Counter[str] = Counter()
        excess = self.event_bytes - limit_bytes
        start = 0
        while excess > 0:
            dropped[self._events[start].name] += 1
            excess -= self._events[start].size_bytes
            start += 1
        self._hold(self._events[start:])
        return dropped

    def shed_narrations(self) -> int:
        """Drop all narrations, and return how many that were."""
        count = len(self._narrations)
        self._narrations.clear()
        return count

    def reword(self, latest: Moment, privacy: Privacy) -> None:
        """Put the newest moment and the events into other words; narrations, which are sentences, are dropped."""
        self.latest = latest
        self._hold([event.with_line(privacy.hide_event(event.line)) for event in self._events])
        self._narrations.clear()

    def encode(self, blocks: Blocks) -> bytes:
        """The message that tells all of it."""
        if self.base is None and self.ticks == 0 and not self._events:
            return self.latest.welcome(blocks)
        news = News(events=self._events, narrations=self._narrations, ticks=self.ticks, folded=self._folded)
        if self.base is None:
            return _encoder.encode(self.latest.snapshot(blocks, news))
        return _encoder.encode(self.latest.since(self.base, blocks, news))

    def _hold(self, events: list[ToldEvent]) -> None:
        self._events = events
        self.event_bytes = sum(event.size_bytes for event in events)
