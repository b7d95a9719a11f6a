"""What the town's numbers should be over a day, and when they are a cause for concern."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diorama.contracts.spec import Better


class Band(StrEnum):
    """How a number looks."""

    GOOD = "good"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class KpiTarget:
    """A target, and the two bounds beyond which a number is amber or red; with `at` reaching a bound is enough."""

    key: str
    better: Better
    target: float
    amber: float
    red: float
    at: bool = False

    def band(self, value: float) -> Band:
        """Judge a value."""
        for band, bound in ((Band.RED, self.red), (Band.AMBER, self.amber)):
            is_beyond = value < bound if self.better is Better.HIGHER else value > bound
            if is_beyond or (self.at and value == bound):
                return band
        return Band.GOOD


KPI_TARGETS: Final = (
    KpiTarget(key="self_sufficiency", better=Better.HIGHER, target=0.70, amber=0.70, red=0.50),
    KpiTarget(key="starvation_incidents", better=Better.LOWER, target=0.0, amber=1.0, red=2.0, at=True),
    KpiTarget(key="attendance", better=Better.HIGHER, target=0.70, amber=0.70, red=0.50),
    KpiTarget(key="lateness", better=Better.LOWER, target=0.15, amber=0.15, red=0.30),
    KpiTarget(key="relationship_coverage", better=Better.HIGHER, target=0.60, amber=0.60, red=0.30),
    KpiTarget(key="conflict_escalation", better=Better.LOWER, target=0.20, amber=0.20, red=0.40),
    KpiTarget(key="option_thrash", better=Better.LOWER, target=0.25, amber=0.25, red=0.40),
    KpiTarget(key="exits_per_day", better=Better.LOWER, target=2.0, amber=2.0, red=3.0, at=True),
)
