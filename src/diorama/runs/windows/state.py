"""What a resumed run needs so that its windows continue exactly."""

from typing import Self

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.runs.documents import Document
from diorama.runs.windows.row import PhaseSeconds, Totals, TrainerFields
from diorama.runs.windows.tally import StoredStarts, Tally


class AggregatorState(Document, frozen=True, kw_only=True):
    """The open window and the running episodes; `returns` and `lengths` have one entry per row of the batch."""

    window_env_steps: int
    totals: Totals
    tally: Tally
    returns: list[float]
    lengths: list[int]
    trainer: TrainerFields
    phase_seconds: PhaseSeconds
    wall_seconds: float
    stored_starts: StoredStarts | None = None

    def to_json(self) -> JsonObject:
        """Return JSON values that share nothing with this object; without a null for what the run does not count."""
        values: dict[str, JsonValue] = msgspec.to_builtins(self)
        if self.stored_starts is None:
            del values["stored_starts"]
        return values

    @classmethod
    def from_json(cls, stored: JsonObject) -> Self:
        """Take over what `to_json` returned.

        Raises:
            DocumentError: It is something else.
        """
        try:
            return msgspec.convert(stored, type=cls)
        except msgspec.ValidationError as error:
            raise DocumentError(f"the stored state of the windows does not fit: {error}") from None
