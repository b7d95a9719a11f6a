"""What the town's numbers should be over a day, and when they are a cause for concern."""

from typing import Final

from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.spec import Better

KPI_TARGETS: Final = (
    KpiTarget(
        key="self_sufficiency",
        title="Self-sufficiency",
        better=Better.HIGHER,
        target=0.70,
        amber=0.70,
        red=0.50,
        gate=0.70,
    ),
    KpiTarget(
        key="starvation_incidents",
        title="Starvation incidents",
        better=Better.LOWER,
        target=0.0,
        amber=1.0,
        red=2.0,
        at=True,
        gate=0.0,
    ),
    KpiTarget(key="attendance", title="Attendance", better=Better.HIGHER, target=0.70, amber=0.70, red=0.50, gate=0.70),
    KpiTarget(
        key="lateness",
        title="Lateness",
        better=Better.LOWER,
        target=0.15,
        amber=0.15,
        red=0.30,
        is_gate_relative=True,
    ),
    KpiTarget(
        key="relationship_coverage",
        title="Relationship coverage",
        better=Better.HIGHER,
        target=0.60,
        amber=0.60,
        red=0.30,
    ),
    KpiTarget(
        key="conflict_escalation",
        title="Conflict escalation",
        better=Better.LOWER,
        target=0.20,
        amber=0.20,
        red=0.40,
        gate=0.20,
    ),
    KpiTarget(
        key="option_thrash", title="Option thrash", better=Better.LOWER, target=0.25, amber=0.25, red=0.40, gate=0.25
    ),
    KpiTarget(
        key="exits_per_day",
        title="Exits per day",
        better=Better.LOWER,
        target=2.0,
        amber=2.0,
        red=3.0,
        at=True,
        gate=2.0,
    ),
)
