"""Whether a figure that was looked at again and again grows."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A figure over time.

    Attributes:
        per_hour: Slope of the straight line that fits best, in units of the figure.
        growth: How much that line rises from the first look to the last.
        first: Median of the first quarter of the looks.
        last: Median of the last quarter.
        peak: The largest value.
    """

    per_hour: float
    growth: float
    first: float
    last: float
    peak: float

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return {
            "per_hour": self.per_hour,
            "growth": self.growth,
            "first_quarter": self.first,
            "last_quarter": self.last,
            "peak": self.peak,
        }


def trend(seconds: Sequence[float], values: Sequence[float]) -> Trend:
    """Fit a line through values that were seen at these moments; at least two of each."""
    middle, level = fmean(seconds), fmean(values)
    spread = sum((moment - middle) ** 2 for moment in seconds)
    slope = (
        sum((moment - middle) * (value - level) for moment, value in zip(seconds, values, strict=True)) / spread
        if spread
        else 0.0
    )
    quarter = max(1, len(values) // 4)
    return Trend(
        per_hour=slope * 3600.0,
        growth=slope * (seconds[-1] - seconds[0]),
        first=median(values[:quarter]),
        last=median(values[-quarter:]),
        peak=max(values),
    )
