"""How the numbers of a live town are judged, and how that is told."""

from dataclasses import replace
from typing import Final

from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.spec import Better
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.kpi_targets import KPI_TARGETS
from diorama.worlds.townlet.live.windows import COVERAGE, TENURE

_COVERAGE_GATE: Final = 0.6
_TENURE: Final = KpiTarget(key=TENURE, title="Days in town", better=Better.HIGHER, target=3.0, amber=3.0, red=1.0)

LIVE_TARGETS: Final = (
    # Windows of towns where nobody is paid for making friends leave the coverage out.
    *(replace(target, gate=_COVERAGE_GATE) if target.key == COVERAGE else target for target in KPI_TARGETS),
    _TENURE,
)


def targets_block() -> JsonObject:
    """Targets and bands by number."""
    return {
        target.key: {
            "title": target.title,
            "better": target.better.value,
            "target": target.target,
            "amber": target.amber,
            "red": target.red,
            "at": target.at,
        }
        for target in LIVE_TARGETS
    }
