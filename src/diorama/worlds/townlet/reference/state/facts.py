"""What happened to a citizen in the tick at hand, for its reward."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NOTHING


@dataclass(slots=True)
class Chat:
    """A successful chat: with whom, by seat, and how good it was."""

    other: int
    quality: float


@dataclass(slots=True)
class TickFacts:
    """Cleared at the start of every tick.

    Attributes:
        is_paid: Whether a wage was paid; `is_withheld` whether one was not.
        first_paid_arrival: Time of day of arrival in the first paid tick of a shift, -1 in others.
        chats: Successful ones, as speaker or listener.
        failed_as_speaker: Failed ones it began.
        failed_as_listener: Failed ones others began.
        has_avoided: Whether it kept out of a rival's way.
        exit_reason: `ExitReason` it leaves for, -1 if it stays.
        is_rescued: Whether it collapsed in a town without exits.
        option_starts: Changes to another option; `premature_switches` of them before the last had ended.
    """

    is_paid: bool = False
    is_withheld: bool = False
    first_paid_arrival: int = -1
    chats: list[Chat] = field(default_factory=list)
    failed_as_speaker: int = 0
    failed_as_listener: int = 0
    has_avoided: bool = False
    exit_reason: int = NOTHING
    is_rescued: bool = False
    option_starts: int = 0
    premature_switches: int = 0
