"""`Order`: a command that passed the gate and waits for its turn."""

from concurrent.futures import Future
from dataclasses import dataclass, field

from diorama.contracts.live.commands import Arguments
from diorama.operate.console.answers import Response
from diorama.operate.console.callers import Caller
from diorama.operate.console.catalogue import Entry
from diorama.operate.console.envelopes import Envelope


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Order:
    """Who asked for what, and who waits for the answer.

    Attributes:
        changes: Whether it changes something.
        arrived: When, on the monotonic clock.
        has_token: Whether it must not be written down as it is.
    """

    envelope: Envelope
    caller: Caller
    entry: Entry
    arguments: Arguments
    changes: bool
    arrived: float
    has_token: bool
    answer: Future[Response] = field(default_factory=Future)
