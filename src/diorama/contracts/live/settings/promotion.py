"""`promotion`: when a candidate becomes the release."""

from typing import Annotated

from pydantic import Field

from diorama.contracts.sections import Section, hot


class Promotion(Section):
    """When a candidate becomes the release.

    Attributes:
        required_passes: Windows in a row that a candidate must pass.
        window_ticks: Length of a window.
        allowed_alerts: Alerts that do not fail a window.
        probation_windows: Windows for which a new release is on probation; 0: none.
        auto_rollback: Whether a canary takes a release on probation back without being asked.
        lateness_factor: How many times the lateness of before is a canary.
    """

    required_passes: int = hot(2, ge=1, le=10)
    window_ticks: int = hot(1000, ge=1, le=1000000)
    allowed_alerts: Annotated[tuple[str, ...], Field(strict=False)] = hot(())
    probation_windows: int = hot(2, ge=0, le=100)
    auto_rollback: bool = hot(False)
    lateness_factor: float = hot(2.0, ge=0.0, le=100.0)
