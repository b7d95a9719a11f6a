"""Where time went. Flows one way to telemetry and is never read by reward, governor or trainer."""

from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseTiming(Payload):
    """Time of one phase in milliseconds, and the share of it that was Python on the processor."""

    wall_ms: float
    python_cpu_ms: float
    python_cpu_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseProfileReport(Payload):
    """Timings by phase of one epoch."""

    phases: dict[str, PhaseTiming] = field(default_factory=dict)
    epoch: int | None = None
    batch_idx: int | None = None
