"""Follows one group of a run through its events."""

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    ActionDistributionSnapshot,
    AnalyticsSnapshot,
    BatchStatsSnapshot,
    CounterfactualMatrixPayload,
    EpisodeOutcomePayload,
    HeuristicEpisodeSnapshot,
    HeuristicRunSnapshot,
    LastActionSnapshot,
    ShapleySnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.health import (
    GovernorRollbackPayload,
    MemoryWarningPayload,
    MorphologyCausalLogPayload,
    PerformanceDegradationPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    LifecyclePayload,
    SeedFossilizedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.payloads.training import (
    BatchEpochCompletedPayload,
    EpochCompletedPayload,
    HostStabilizedPayload,
    TrainingStartedPayload,
)
from diorama.worlds.morphogenesis.contracts.profiling import PhaseProfileReport
from diorama.worlds.morphogenesis.views.env_watch import EnvWatch
from diorama.worlds.morphogenesis.views.event_text import event_text
from diorama.worlds.morphogenesis.views.pictures import BlueprintFate, EpisodePicture, LogLine

UPDATES_KEPT: Final = 20
DECISIONS_KEPT: Final = 50
LINES_KEPT: Final = 500
QUIET_KINDS: Final = frozenset({TelemetryEventType.EPOCH_COMPLETED, TelemetryEventType.COUNTERFACTUAL_MATRIX_COMPUTED})
"""Kinds the log leaves out, as it does waiting: the tables show them, and they would push everything else away."""
POLICY_TROUBLES: Final = frozenset(
    {
        TelemetryEventType.RATIO_EXPLOSION_DETECTED,
        TelemetryEventType.RATIO_COLLAPSE_DETECTED,
        TelemetryEventType.VALUE_COLLAPSE_DETECTED,
        TelemetryEventType.NUMERICAL_INSTABILITY_DETECTED,
    }
)
EnvPayload = (
    EpochCompletedPayload
    | HostStabilizedPayload
    | CounterfactualMatrixPayload
    | LifecyclePayload
    | LastActionSnapshot
    | EpisodeOutcomePayload
    | ShapleySnapshot
    | HeuristicEpisodeSnapshot
    | GovernorRollbackPayload
    | PerformanceDegradationPayload
    | MorphologyCausalLogPayload
)
"""What tells of one env."""
GRADIENT_TROUBLES: Final = frozenset(
    {TelemetryEventType.GRADIENT_ANOMALY, TelemetryEventType.GRADIENT_PATHOLOGY_DETECTED}
)


@dataclass(slots=True)
class GroupWatch:
    """What is known of one group."""

    run: TrainingStartedPayload | None = None
    controller: str | None = None
    envs: dict[int, EnvWatch] = field(default_factory=dict)
    episodes: list[EpisodePicture] = field(default_factory=list)
    updates: deque[PPOMetrics] = field(default_factory=lambda: deque(maxlen=UPDATES_KEPT))
    decisions: deque[LastActionSnapshot] = field(default_factory=lambda: deque(maxlen=DECISIONS_KEPT))
    ops_now: Counter[str] = field(default_factory=Counter)
    ops_all: Counter[str] = field(default_factory=Counter)
    successes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    graveyard: dict[str, BlueprintFate] = field(default_factory=dict)
    troubles: Counter[str] = field(default_factory=Counter)
    log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    phases: dict[str, float] = field(default_factory=dict)
    batch: BatchEpochCompletedPayload | None = None
    stats: BatchStatsSnapshot | None = None
    began_at: datetime | None = None
    last_at: datetime | None = None
    best: float | None = None
    is_round_closed: bool = False

    def note(self, event: TelemetryEvent) -> None:
        """Take in one event."""
        self.began_at = self.began_at or event.timestamp
        self.last_at = event.timestamp
        payload = event.data
        env_id = _env_of(payload)
        if not _is_quiet(event):
            self.log.append(_line(event, env_id))
        if payload is None:
            return
        if env_id is not None:
            self._note_env(env_id, payload, event)
        self._note_run(payload)
        self._note_seeds(payload)
        self._note_trouble(event.event_type, payload)

    def _note_env(self, env_id: int, payload: Payload, event: TelemetryEvent) -> None:
        env = self.envs.setdefault(env_id, EnvWatch(env_id, event.timestamp))
        env.note(payload, epoch=event.epoch, at=event.timestamp)
        if env.best is not None:
            self.best = env.best if self.best is None else max(self.best, env.best)
        if isinstance(payload, EpisodeOutcomePayload) and env.ended is not None:
            self.episodes.append(env.ended)
        elif env.ended is not None and self.episodes and self.episodes[-1].env_id == env_id:
            self.episodes[-1] = env.ended

    def _note_run(self, payload: Payload) -> None:
        match payload:
            case TrainingStartedPayload():
                self.run = payload
            case HeuristicRunSnapshot():
                self.controller = payload.controller
            case PPOMetrics():
                self.updates.append(payload)
            case BatchStatsSnapshot():
                self.stats = payload
            case BatchEpochCompletedPayload():
                self.batch = payload
            case LastActionSnapshot():
                if self.is_round_closed:
                    self.ops_now.clear()
                    self.is_round_closed = False
                self.decisions.append(payload)
                self.ops_now[payload.action_name] += 1
                self.ops_all[payload.action_name] += 1
                (self.successes if payload.action_success else self.failures)[payload.action_name] += 1
            case EpisodeOutcomePayload():
                # What looked wrong in the last update stands until the next one.
                self.troubles.clear()
            case ActionDistributionSnapshot():
                self.is_round_closed = True
            case PhaseProfileReport():
                self.phases = {name: timing.wall_ms for name, timing in payload.phases.items()}

    def _note_seeds(self, payload: Payload) -> None:
        match payload:
            case SeedGerminatedPayload():
                fate = self.graveyard.get(payload.blueprint_id, BlueprintFate())
                self.graveyard[payload.blueprint_id] = replace(fate, planted=fate.planted + 1)
            case SeedFossilizedPayload():
                fate = self.graveyard.get(payload.blueprint_id, BlueprintFate())
                self.graveyard[payload.blueprint_id] = replace(fate, permanent=fate.permanent + 1)
            case SeedPrunedPayload() if payload.blueprint_id is not None:
                fate = self.graveyard.get(payload.blueprint_id, BlueprintFate())
                self.graveyard[payload.blueprint_id] = replace(fate, pruned=fate.pruned + 1)

    def _note_trouble(self, kind: TelemetryEventType, payload: Payload) -> None:
        if kind in POLICY_TROUBLES:
            self.troubles["policy"] += 1
        elif kind in GRADIENT_TROUBLES:
            self.troubles["gradients"] += 1
        elif isinstance(payload, MemoryWarningPayload):
            self.troubles["memory"] += 1


def _is_quiet(event: TelemetryEvent) -> bool:
    if isinstance(event.data, LastActionSnapshot):
        return event.data.action_name == LifecycleOp.WAIT.name
    is_table = isinstance(event.data, ActionDistributionSnapshot | HeuristicEpisodeSnapshot | HeuristicRunSnapshot)
    return is_table or event.event_type in QUIET_KINDS


def _env_of(payload: Payload | None) -> int | None:
    return payload.env_id if isinstance(payload, EnvPayload) else None


def _line(event: TelemetryEvent, env_id: int | None) -> LogLine:
    return LogLine(
        event_id=event.event_id,
        at=event.timestamp,
        severity=event.severity,
        kind=event.data.kind if isinstance(event.data, AnalyticsSnapshot) else event.event_type.name.lower(),
        env_id=env_id,
        text=event_text(event),
    )
