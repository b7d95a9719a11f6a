"""`GuessLimit`: so many wrong tokens a minute from one place; after them no token is looked at for a while."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Final

from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.callers import Caller
from diorama.operate.console.rate_limit import WINDOW_SECONDS
from diorama.operate.console.tokens import TokenBook

WRONG_TOKENS_PER_MINUTE: Final = 20
RETRY_AFTER: Final = "retry_after_seconds"  # in the details of a refusal
_PLACES: Final = 4096  # the one that guessed longest ago is forgotten first
_HOST_BITS: Final = 64  # of an IPv6 address: one person has all of them


class GuessLimit:
    """Stands before the tokens and remembers the hashes of wrong ones for a minute; used from any thread.

    A wrong token that comes again is no further guess: a page or a program with an old one keeps nobody out.

    Attributes:
        per_minute: Different wrong tokens from one place in any 60 seconds.
    """

    def __init__(
        self,
        book: TokenBook,
        *,
        per_minute: int = WRONG_TOKENS_PER_MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with nothing tried."""
        self.per_minute = per_minute
        self._book = book
        self._clock = clock
        self._tried: OrderedDict[str, dict[bytes, float]] = OrderedDict()
        self._lock = Lock()

    def caller(self, token: str | None, address: str) -> Caller:
        """Say who has a token.

        Raises:
            CommandError: `unauthorized`, or `rate_limited` where too many wrong ones came from, whatever this one is.
        """
        if token is None:
            return self._book.caller(None, address)
        place = place_of(address)
        with self._lock:  # all the while, so that guesses which come at once are counted, too
            now = self._clock()
            tried = self._tried_lately(place, now)
            if len(tried) >= self.per_minute:
                raise _refusal(len(tried), math.ceil(min(tried.values()) + WINDOW_SECONDS - now))
            try:
                return self._book.caller(token, address)
            except CommandError:
                tried.setdefault(self._book.digest(token), now)
                self._remember(place, tried)
                raise

    def _tried_lately(self, place: str, now: float) -> dict[bytes, float]:
        tried = self._tried.get(place, {})
        return {digest: moment for digest, moment in tried.items() if moment > now - WINDOW_SECONDS}

    def _remember(self, place: str, tried: dict[bytes, float]) -> None:
        self._tried[place] = tried
        self._tried.move_to_end(place)
        while len(self._tried) > _PLACES:
            self._tried.popitem(last=False)


def _refusal(wrong: int, wait_seconds: int) -> CommandError:
    return CommandError(
        "rate_limited",
        "too_many_wrong_tokens",
        f"{wrong} wrong tokens came from this address within a minute; none is looked at for {wait_seconds} s",
        {RETRY_AFTER: wait_seconds},
    )


def place_of(address: str) -> str:
    """Return what an address counts for: whoever has one of IPv6 has all those of its network, too."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> _HOST_BITS << _HOST_BITS))
