"""How the numbers of a window are judged: bands for people, gates for promotion."""

from dataclasses import dataclass
from enum import StrEnum

from diorama.contracts.spec import Better


class Band(StrEnum):
    """How a number looks."""

    GOOD = "good"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class KpiTarget:
    """A target, and the two bounds beyond which a number is amber or red; with `at` reaching a bound is enough.

    Attributes:
        gate: What a window must reach, and may reach, for a promotion; None where it is not asked.
        is_gate_relative: Whether the gate is a factor of the release's own number instead: the configured
            `lateness_factor`.
    """

    key: str
    title: str
    better: Better
    target: float
    amber: float
    red: float
    at: bool = False
    gate: float | None = None
    is_gate_relative: bool = False

    def band(self, value: float) -> Band:
        """Judge a value."""
        for band, bound in ((Band.RED, self.red), (Band.AMBER, self.amber)):
            is_beyond = value < bound if self.better is Better.HIGHER else value > bound
            if is_beyond or (self.at and value == bound):
                return band
        return Band.GOOD
