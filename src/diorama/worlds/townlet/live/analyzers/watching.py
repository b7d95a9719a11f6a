"""What all analyzers of the town share: thresholds that may be reloaded, windows, and states that survive."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.live.stability import Alert, TickRecord
from diorama.contracts.validation import first_problem
from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.config.services.learning import Stability

StateT = TypeVar("StateT")
NUMBER: Final = (int, float)


@dataclass(slots=True)
class Rolling:
    """Numbers of the last ticks and their sum; ticks without any are left out."""

    entries: deque[tuple[int, float]] = field(default_factory=deque)
    total: float = 0.0

    def add(self, tick: int, value: float, window_ticks: int) -> None:
        """Take a tick's number and forget what has left the window."""
        entries = self.entries
        if value:
            entries.append((tick, value))
            self.total += value
        while entries and entries[0][0] <= tick - window_ticks:
            self.total -= entries.popleft()[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an analyzer measures: a value, the threshold it is held against, and whether that is passed."""

    value: float
    threshold: float
    is_alarming: bool
    samples: float = 0.0


class TownAnalyzer(ABC, Generic[StateT]):
    """An analyzer: `state` is all it remembers."""

    name: ClassVar[str]
    state_type: type[StateT]

    def __init__(self, rules: Stability) -> None:
        """Begin with nothing seen."""
        self.rules = rules
        self.state = self.state_type()
        self._told_rules: object = None

    def ingest(self, record: TickRecord) -> None:
        """Take note of a tick, with the thresholds it was told with."""
        told = record.facts.get("stability")
        if told is not None and told is not self._told_rules:
            self._told_rules = told
            self.rules = Stability.model_validate(told)
        self.note(record)

    @abstractmethod
    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""

    @abstractmethod
    def read(self) -> Reading:
        """Measure."""

    def alert(self) -> Alert | None:
        """What is wrong now."""
        reading = self.read()
        return Alert(value=reading.value, threshold=reading.threshold) if reading.is_alarming else None

    def metrics(self) -> Mapping[str, float]:
        """Value, threshold and number of samples."""
        reading = self.read()
        return {"value": reading.value, "threshold": reading.threshold, "samples": reading.samples}

    def export(self) -> JsonValue:
        """Everything that must survive a snapshot."""
        state: JsonValue = TypeAdapter(self.state_type).dump_python(self.state, mode="json")
        return state

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned.

        Raises:
            ValueError: It is not a state of this analyzer.
        """
        try:
            self.state = TypeAdapter(self.state_type).validate_python(state)
        except ValidationError as error:
            raise ValueError(first_problem(error)) from None


def number(record: TickRecord, name: str) -> float:
    """A fact of a tick; 0 where it is not told."""
    value = record.facts.get(name)
    return float(value) if isinstance(value, NUMBER) else 0.0


def count(record: TickRecord, event: str) -> int:
    """How often something happened in a tick."""
    return sum(told.name == event for told in record.events)
