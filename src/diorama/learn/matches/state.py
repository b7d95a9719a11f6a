"""What a resumed run needs so that its matches continue exactly."""

from typing import Self

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.matches.match import Match


class LadderState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the learner stands in the curriculum, and its results there."""

    place: int
    scores: list[float]


class TallyState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the open window has counted; `parts` and `states` are sums over `decisions`."""

    results_by_opponent: dict[str, dict[str, int]]
    results_by_stage: dict[str, dict[str, int]]
    decisions: int
    ended: int
    parts: list[float]
    states: list[float]


class MatchmakerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything later matches depend on; `pool` has the latest results by opponent, in order of entry."""

    steps: int
    ratings: dict[str, float]
    pool: dict[str, list[float]] | None
    ladder: LadderState | None
    tally: TallyState


class MatchesState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The matches of a run.

    Attributes:
        matchmaker: Pool, ratings and stages.
        playing: What every copy plays.
        recorded: Matches written down.
        snapshots: SHA-256 of every frozen policy that is in the pool or still plays.
    """

    matchmaker: MatchmakerState
    playing: list[Match]
    recorded: int
    snapshots: dict[str, str]

    def to_json(self) -> JsonObject:
        """Return JSON values that share nothing with this object."""
        values: dict[str, JsonValue] = msgspec.to_builtins(self)
        return values

    @classmethod
    def from_json(cls, stored: JsonValue) -> Self:
        """Take over what `to_json` returned.

        Raises:
            DocumentError: It is something else.
        """
        try:
            return msgspec.convert(stored, type=cls)
        except msgspec.ValidationError as error:
            raise DocumentError(f"the stored state of the matches does not fit: {error}") from None
