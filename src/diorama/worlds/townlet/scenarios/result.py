"""What came of a scenario, and what of it must come out the same every time."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.reference.state.kpis import KpiRow
from diorama.worlds.townlet.scenarios.expectations import Finding, Happening

HASH_EVERY: Final = 50  # ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """A scenario that has been played to its end.

    Attributes:
        hashes: State hash after every 50th tick and after the last, by tick, as 16 hex digits.
        returns: Sum of rewards by citizen id, in the order they came.
        surprises: Commands that came out otherwise than the timeline says, in words.
        happened: Every event.
        kpis: The open window at the end; `kpi_rows` those of days that have ended.
    """

    name: str
    seed: int
    ticks: int
    effective_id: str
    findings: tuple[Finding, ...]
    hashes: Mapping[int, str]
    returns: Mapping[str, float]
    surprises: tuple[str, ...]
    happened: Sequence[Happening]
    kpis: KpiRow
    kpi_rows: tuple[KpiRow, ...]

    @property
    def is_met(self) -> bool:
        """Whether everything came out as expected."""
        return not self.surprises and all(finding.is_met for finding in self.findings)

    @property
    def event_counts(self) -> dict[str, int]:
        """How often each event happened, by name, sorted."""
        names = sorted({entry.event for entry in self.happened})
        return {name: sum(entry.event == name for entry in self.happened) for name in names}

    def golden(self) -> dict[str, JsonValue]:
        """What must be the same whenever the scenario is played with its own seed."""
        return {
            "scenario": self.name,
            "seed": self.seed,
            "ticks": self.ticks,
            "hashes": {str(tick): digits for tick, digits in self.hashes.items()},
            "events": self.event_counts,
            "returns": dict(self.returns),
        }

    def to_json(self) -> JsonObject:
        """Everything but the single events."""
        return {
            **self.golden(),
            "config_id": self.effective_id,
            "is_met": self.is_met,
            "findings": [asdict(finding) for finding in self.findings],
            "surprises": list(self.surprises),
            "kpis": asdict(self.kpis),
            "kpi_rows": [asdict(row) for row in self.kpi_rows],
        }
