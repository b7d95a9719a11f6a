"""`Feed`: moments one after another, which any number of spectators follow at their own pace."""

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final
from weakref import ref

from diorama.contracts.live.events import Priority
from diorama.telemetry.live.bell import Bell
from diorama.telemetry.live.moments import Kind, Moment, News
from diorama.telemetry.live.privacy import Privacy

WHOLE_MOMENTS: Final = 256
"""So many are kept as they are, for those who get them one by one; of older ones only what may not be lost."""


class Link:
    """A place in the feed.

    Attributes:
        moment: None where there is none to begin with, and where it is too long ago.
        news: What happened; of a moment that is too long ago its most important events, and numbers of the others.
        begins_anew: Whether whoever comes by must be told the whole state.
        privacy: The words that must be used for everything from here on and for all that was not told before.
        edition: How often the words have been changed.
        next: What comes after it, once it has come.
    """

    __slots__ = ("__weakref__", "begins_anew", "edition", "moment", "news", "next", "privacy")

    def __init__(self, moment: Moment | None, edition: int, privacy: Privacy | None = None) -> None:
        """Be the last for now."""
        self.moment = moment
        self.news = News() if moment is None else moment.news
        self.begins_anew = privacy is not None or (moment is not None and moment.kind is Kind.SNAPSHOT)
        self.privacy = privacy
        self.edition = edition
        self.next: Link | None = None

    def after(self) -> "Iterator[Link]":
        """What has come after it so far, in order."""
        link = self.next
        while link is not None:
            yield link
            link = link.next

    def thin_out(self) -> None:
        """Keep what may not be lost."""
        news = self.news
        kept = tuple(event for event in news.events if event.priority is Priority.P0)
        folded = Counter(news.folded)
        folded.update(event.name for event in news.events if event.priority is not Priority.P0)
        self.moment, self.news = None, News(events=kept, ticks=news.ticks, folded=folded)


class Feed:
    """Grows on the world's thread, which neither knows nor locks anything of those who follow.

    A link lives for as long as somebody stands on it or before it.

    Attributes:
        tail: The last link.
        bell: Rung with every moment.
        is_closed: Whether nothing will be told any more.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.tail = Link(None, 0)
        self.is_closed = False
        self.bell = Bell()
        self._whole: deque[ref[Link]] = deque()

    @property
    def now(self) -> Moment | None:
        """The last moment; None where newcomers must wait for the next."""
        return self.tail.moment

    def add(self, moment: Moment) -> None:
        """Tell a moment."""
        self._append(Link(moment, self.tail.edition))

    def forget(self) -> None:
        """Let newcomers wait for the next moment: the last one is out of date."""
        if self.tail.moment is not None:
            self.tail.next = self.tail = Link(None, self.tail.edition)

    def reword(self, moment: Moment, privacy: Privacy) -> None:
        """Let nothing be told any more in the old words; everybody begins anew with the moment."""
        self._append(Link(moment, self.tail.edition + 1, privacy))

    def close(self) -> None:
        """Tell nothing more."""
        self.is_closed = True
        self.bell.ring()

    def _append(self, link: Link) -> None:
        self.tail.next = self.tail = link
        self._whole.append(ref(link))
        if len(self._whole) > WHOLE_MOMENTS and (oldest := self._whole.popleft()()) is not None:
            oldest.thin_out()
        self.bell.ring()
