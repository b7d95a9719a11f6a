"""`Match`: who meets whom in one episode of one copy, and how it ended."""

from dataclasses import dataclass
from typing import Final

NO_STAGE: Final = -1
ANY_SIDE: Final = -1  # the learner has every seat there is
ANY_STATION: Final = -1  # the battle says where the learner's seats are
LATEST: Final = "latest"  # the policy as it stands
STAGE_OPPONENT: Final = "stage"  # whoever the configuration says
WON: Final = 1.0
DRAWN: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An episode before it is played.

    Attributes:
        number: Of the copy, from 0.
        stage: Place in the curriculum, `NO_STAGE` without one.
        lesson: Place among the stage's lessons.
        opponent: A script, a snapshot, `LATEST` or `STAGE_OPPONENT`.
        side: The learner's where every side has seats, else `ANY_SIDE`.
        station: Place among the stations of a battle against a script, else `ANY_STATION`.
    """

    number: int
    stage: int
    lesson: int
    opponent: str
    side: int
    station: int = ANY_STATION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match that is over.

    Attributes:
        step: Vector step of the run in which it ended.
        copy: Where it was played.
        score: 1 won, 0.5 drawn, 0 lost by the learner.
    """

    step: int
    copy: int
    match: Match
    score: float


def outcome_word(score: float) -> str:
    """Return win, draw or loss."""
    if score >= WON:
        return "win"
    return "draw" if score >= DRAWN else "loss"
