"""`Shares`: how much of a server one visitor may take, in places and in processor time."""

import asyncio
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Final

from diorama.server.errors import LimitReached

HERE: Final = "here"  # calls that came from no address: over a Unix socket, or from within the process
VISITOR: ContextVar[str] = ContextVar("visitor", default=HERE)
"""Who asks: set for every request and socket before anything is done for it."""
_NETWORK_BITS: Final = 64  # of an IPv6 address; one household or machine has as many addresses as the rest allows
_FORGET_ABOVE: Final = 4096  # visitors
_STAYS_SECONDS: Final = 30.0  # after its last call a visitor counts as being here for so long
_MARGIN_SECONDS: Final = 0.05
_LOOK_AGAIN_SECONDS: Final = 1.0  # others may have left


def visitor_of(client: tuple[str, int] | None) -> str:
    """Return whom the address of a connection stands for: an IPv4 address, or the /64 of an IPv6 address."""
    if client is None:
        return HERE
    try:
        address = ip_address(client[0])
    except ValueError:
        return HERE
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> _NETWORK_BITS << _NETWORK_BITS)}/{_NETWORK_BITS}"
    return str(address)


class Shares:
    """The processor time every visitor has left, and its part of whatever is counted. May be used by several threads.

    A visitor has so many seconds of processor time saved up, and gets new ones as time passes, as many as its share of
    all processors. Work is paid for when it is done. One that has none left waits for as long as others are here; a
    visitor that is alone may take everything.
    """

    def __init__(
        self,
        share: float = 1.0,
        *,
        saved_seconds: float = math.inf,
        processors: int | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with everything saved up.

        Args:
            share: Of everything, for one visitor, above 0 and up to 1.
            saved_seconds: Processor time a visitor can save up.
            processors: How many there are; all of this machine if left out.
            seconds: A clock that never goes back.
        """
        self._share = share
        self._saved_seconds = saved_seconds
        self._per_second = share * (processors or os.cpu_count() or 1)
        self._seconds = seconds
        self._lock = Lock()
        self._balances: dict[str, tuple[float, float]] = {}
        self._seen: OrderedDict[str, float] = OrderedDict()

    def see(self, visitor: str) -> None:
        """Note that a visitor is here."""
        with self._lock:
            now = self._seconds()
            self._seen[visitor] = now
            self._seen.move_to_end(visitor)
            while now - next(iter(self._seen.values())) > _STAYS_SECONDS:
                self._seen.popitem(last=False)

    def of(self, limit: int) -> int:
        """Return how much of a limit one visitor may take, at least 1."""
        return max(1, int(limit * self._share))

    def charge(self, visitor: str, seconds: float) -> None:
        """Take processor time off what a visitor has left."""
        if math.isinf(self._saved_seconds):
            return
        with self._lock:
            now = self._seconds()
            # A debt is bounded, so that a visitor that was alone for long does not wait for long.
            self._balances[visitor] = (max(-self._saved_seconds, self._left(visitor, now) - seconds), now)
            if len(self._balances) > _FORGET_ABOVE:
                full = [one for one in self._balances if self._left(one, now) >= self._saved_seconds]
                for one in full:
                    del self._balances[one]

    def wait_seconds(self, visitor: str) -> float:
        """Return after how long a visitor has processor time again; 0 if it has some, or no other visitor is here."""
        with self._lock:
            now = self._seconds()
            left = self._left(visitor, now)
            are_others_here = any(
                now - seen <= _STAYS_SECONDS for other, seen in reversed(self._seen.items()) if other != visitor
            )
        return 0.0 if left > 0.0 or not are_others_here else -left / self._per_second + _MARGIN_SECONDS

    async def wait(self, visitor: str) -> None:
        """Wait until a visitor has processor time."""
        while (seconds := self.wait_seconds(visitor)) > 0.0:
            await asyncio.sleep(min(seconds, _LOOK_AGAIN_SECONDS))

    def check(self, visitor: str) -> None:
        """Refuse to work for a visitor that has no processor time left.

        Raises:
            LimitReached: With the seconds after which it has some.
        """
        wait = self.wait_seconds(visitor)
        if wait > 0.0:
            raise LimitReached(
                f"your address has used its share of processor time; try again in {math.ceil(wait)} s",
                code="processor_share_used",
                retry_after_seconds=wait,
            )

    def _left(self, visitor: str, now: float) -> float:
        left, then = self._balances.get(visitor, (self._saved_seconds, now))
        return min(self._saved_seconds, left + (now - then) * self._per_second)
