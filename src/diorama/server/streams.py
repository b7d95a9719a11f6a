"""`OpenStreams`: connections that stay open, counted, limited and ended together."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from diorama.server.errors import LimitReached
from diorama.server.shares import VISITOR, Shares


class OpenStreams:
    """Knows how many streams of each kind are open; used from the event loop alone."""

    def __init__(self, *, limits: Mapping[str, int], shares: Shares | None = None) -> None:
        """Open nothing yet; a kind without a limit has none, and without shares a visitor may take all."""
        self._limits = limits
        self._shares = shares or Shares()
        self._of_visitors: Counter[tuple[str, str]] = Counter()
        self._open: Counter[str] = Counter(dict.fromkeys(limits, 0))
        self._ending = asyncio.Event()
        self._on_end: list[Callable[[], None]] = []

    @property
    def counts(self) -> dict[str, int]:
        """How many streams are open, by kind."""
        return dict(self._open)

    @property
    def ending(self) -> asyncio.Event:
        """Set once the server stops; a stream that waits must wait for this, too."""
        return self._ending

    def on_end(self, stop: Callable[[], None]) -> None:
        """Call something, too, when the streams are asked to end: what works for visitors stops with them."""
        self._on_end.append(stop)

    def end_all(self) -> None:
        """Ask every stream to end."""
        self._ending.set()
        for stop in self._on_end:
            stop()

    def check(self, kind: str) -> None:
        """Refuse where no further stream of a kind may be opened.

        Raises:
            LimitReached: There are as many as there may be.
        """
        limit = self._limits.get(kind)
        if limit is not None and self._open[kind] >= limit:
            raise LimitReached(f"{limit} {kind} streams are open, as many as there may be; try again later")
        own = self._of_visitors[kind, VISITOR.get()]
        if limit is not None and own >= self._shares.of(limit):
            raise LimitReached(
                f"your address has {own} of the {limit} {kind} streams, its share of them; close one first",
                code="stream_share_used",
            )

    @contextmanager
    def one(self, kind: str) -> Iterator[None]:
        """Count a stream while the block runs.

        Raises:
            LimitReached: There are as many as there may be.
        """
        self.check(kind)
        own = kind, VISITOR.get()
        self._shares.see(own[1])
        self._open[kind] += 1
        self._of_visitors[own] += 1
        try:
            yield
        finally:
            self._open[kind] -= 1
            self._of_visitors[own] -= 1
            if not self._of_visitors[own]:
                del self._of_visitors[own]
