"""Annealing from an expert to the policy: stages, their key figures and the progress through them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.imitation.validation import Agreement
from diorama.learn.settings.imitation import AnnealMode, AnnealSettings, AnnealStageSettings

MAX_LOSS_CHANGE: Final = 0.10
MIN_EVENT_SHARE: Final = 0.85
LOSS: Final = "loss_total"
# Fewer conflicts over queues mean that agents have stopped going where others go.
QUEUE: Final = "queue_conflict_events"
INTENSITY: Final = "queue_conflict_intensity_sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFigures:
    """Means over the cycles of a stage.

    Attributes:
        loss_total: Total loss of PPO.
        queue_conflict_events: Conflicts per cycle; None in a world without queues.
        queue_conflict_intensity_sum: Summed intensity of the conflicts per cycle.
        key_figures: The world's headline metrics, and the mean reward of a decision as `reward_mean`.
    """

    loss_total: float
    queue_conflict_events: float | None
    queue_conflict_intensity_sum: float | None
    key_figures: Mapping[str, float]

    def to_json(self) -> JsonObject:
        """Return the stored form."""
        return {
            LOSS: self.loss_total,
            QUEUE: self.queue_conflict_events,
            INTENSITY: self.queue_conflict_intensity_sum,
            "key_figures": dict(self.key_figures),
        }


@dataclass(slots=True)
class StageTally:
    """Sums over the cycles and steps of a stage; a part of the stored state."""

    cycles: int = 0
    steps: int = 0
    loss: float = 0.0
    events: dict[str, float] = field(default_factory=dict)
    key_sums: dict[str, float] = field(default_factory=dict)

    def record_step(self, key_figures: Mapping[str, float]) -> None:
        """Add the key figures of a vector step."""
        self.steps += 1
        for name, value in key_figures.items():
            self.key_sums[name] = self.key_sums.get(name, 0.0) + value

    def record_cycle(self, loss_total: float, extras: Mapping[str, float]) -> None:
        """Add an update and the world's telemetry for it."""
        self.cycles += 1
        self.loss += loss_total
        for name in (QUEUE, INTENSITY):
            if name in extras:
                self.events[name] = self.events.get(name, 0.0) + extras[name]

    @property
    def figures(self) -> StageFigures:
        """Means so far."""
        cycles = max(1, self.cycles)
        events = {name: total / cycles for name, total in self.events.items()}
        return StageFigures(
            loss_total=self.loss / cycles,
            queue_conflict_events=events.get(QUEUE),
            queue_conflict_intensity_sum=events.get(INTENSITY),
            key_figures={name: total / max(1, self.steps) for name, total in self.key_sums.items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """Regressions of a stage against the one before; `dropped` names the key figures that fell too far."""

    loss: bool = False
    queue: bool = False
    intensity: bool = False
    dropped: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether any flag is set."""
        return self.loss or self.queue or self.intensity or bool(self.dropped)

    @property
    def names(self) -> list[str]:
        """Names of the flags that are set."""
        raised = [name for name in ("loss", "queue", "intensity") if getattr(self, name)]
        return raised + list(self.dropped)


def stage_flags(now: StageFigures, before: StageFigures | None, freeze_drop: float) -> Flags:
    """Return the flags of a stage compared with the one before; the first stage has none."""
    if before is None:
        return Flags()
    return Flags(
        loss=abs(now.loss_total - before.loss_total) > MAX_LOSS_CHANGE * abs(before.loss_total),
        queue=_has_dropped(now.queue_conflict_events, before.queue_conflict_events),
        intensity=_has_dropped(now.queue_conflict_intensity_sum, before.queue_conflict_intensity_sum),
        dropped=tuple(
            name
            for name, value in now.key_figures.items()
            if before.key_figures[name] - value > freeze_drop * abs(before.key_figures[name])
        ),
    )


def _has_dropped(now: float | None, before: float | None) -> bool:
    return now is not None and before is not None and now < MIN_EVENT_SHARE * before


class AnnealStatus(StrEnum):
    """Outcome of a schedule: passed, passed with flags, or stopped by a gate."""

    PASS = "PASS"
    HOLD = "HOLD"
    FAIL = "FAIL"


class StageResult(BaseModel):
    """Result of a finished stage; fields of the other mode are None.

    Attributes:
        accuracy: Share of held-out decisions in which the policy agrees with the expert.
        passed: Whether the clone passed its gate.
        shortcomings: Requirements of the gate that the clone missed.
        rolled_back: Whether the weights from before the stage were restored.
        figures: Means over the stage.
        flags: Names of the flags that the stage raised.
        frozen: Whether the ratio was frozen when the stage ended.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cycle: int
    mode: AnnealMode
    epochs: int
    bc_weight: float
    ratio: float | None = None
    accuracy: float | None = None
    passed: bool | None = None
    shortcomings: tuple[str, ...] = ()
    rolled_back: bool = False
    figures: StageFigures | None = None
    flags: tuple[str, ...] = ()
    frozen: bool = False


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    results: tuple[StageResult, ...]
    tally: StageTally
    frozen_at: float | None


class AnnealProgress:
    """Tracks the current stage of an anneal schedule.

    Attributes:
        results: Finished stages, in order.
    """

    def __init__(self, settings: AnnealSettings) -> None:
        """Start before the first stage."""
        self.results: list[StageResult] = []
        self._settings = settings
        self._stages = settings.in_order
        self._tally = StageTally()
        self._frozen_at: float | None = None

    @property
    def stage(self) -> AnnealStageSettings | None:
        """The current stage; None after the last one, or after a clone that missed its gate."""
        has_failed = bool(self.results) and self.results[-1].passed is False
        return None if has_failed or len(self.results) == len(self._stages) else self._stages[len(self.results)]

    @property
    def ratio(self) -> float:
        """Share of decisions that the policy takes in the current ppo stage; the expert takes the rest."""
        planned = self._settings.ratios[len(self.results)]
        assert planned is not None, "bc stages have no ratio"
        return planned if self._frozen_at is None else self._frozen_at

    @property
    def status(self) -> AnnealStatus:
        """Status of the finished stages."""
        if any(result.passed is False for result in self.results):
            return AnnealStatus.FAIL
        return AnnealStatus.HOLD if any(result.flags for result in self.results) else AnnealStatus.PASS

    @property
    def baseline(self) -> StageFigures | None:
        """Figures of the previous ppo stage, which the current one is compared with."""
        return next((result.figures for result in reversed(self.results) if result.figures is not None), None)

    def record_step(self, key_figures: Mapping[str, float]) -> None:
        """Add a vector step to the current ppo stage."""
        self._tally.record_step(key_figures)

    def record_cycle(self, loss_total: float, extras: Mapping[str, float]) -> dict[str, float]:
        """Add a cycle to the current ppo stage and return the telemetry fields of the schedule."""
        stage = self.stage
        assert stage is not None, "a cycle belongs to a stage"
        self._tally.record_cycle(loss_total, extras)
        return self._telemetry(stage, stage_flags(self._tally.figures, self.baseline, self._settings.freeze_drop))

    def end_cycle(self) -> StageResult | None:
        """Finish the current ppo stage and return its result, if this was its last cycle."""
        stage = self.stage
        assert stage is not None, "a cycle belongs to a stage"
        if self._tally.cycles < stage.epochs:
            return None
        figures, ratio = self._tally.figures, self.ratio
        flags = stage_flags(figures, self.baseline, self._settings.freeze_drop)
        if flags.dropped and self._frozen_at is None:
            self._frozen_at = ratio
        return self._finish(
            stage, ratio=ratio, figures=figures, flags=tuple(flags.names), frozen=self._frozen_at is not None
        )

    def end_bc_stage(self, agreement: Agreement, shortcomings: list[str]) -> StageResult:
        """Finish the current bc stage with the validation of its clone and return the result."""
        stage = self.stage
        assert stage is not None, "a clone belongs to a stage"
        return self._finish(
            stage,
            accuracy=agreement.accuracy,
            passed=not shortcomings,
            shortcomings=tuple(shortcomings),
            rolled_back=bool(shortcomings),
            frozen=self._frozen_at is not None,
        )

    def state(self) -> JsonValue:
        """Return everything that later stages depend on, as JSON values."""
        stored = _Stored(results=tuple(self.results), tally=self._tally, frozen_at=self._frozen_at)
        state: JsonValue = stored.model_dump(mode="json")
        return state

    def load(self, state: JsonValue) -> None:
        """Continue from a state.

        Raises:
            DocumentError: It was stored by another kind of run.
        """
        try:
            stored = _Stored.model_validate(state)
        except ValidationError:
            raise DocumentError(
                "the stored anneal schedule cannot be read; it must come from a run with the same schedule",
                code="anneal_state_invalid",
            ) from None
        self.results, self._tally, self._frozen_at = list(stored.results), stored.tally, stored.frozen_at

    def _finish(self, stage: AnnealStageSettings, **outcome: object) -> StageResult:
        result = StageResult.model_validate(
            {
                "cycle": stage.cycle,
                "mode": stage.mode,
                "epochs": stage.epochs,
                "bc_weight": stage.cloning_weight,
                **outcome,
            }
        )
        self.results.append(result)
        self._tally = StageTally()
        return result

    def _telemetry(self, stage: AnnealStageSettings, flags: Flags) -> dict[str, float]:
        fields: dict[str, float] = {
            "anneal_cycle": stage.cycle,
            "anneal_stage": len(self.results),
            "anneal_ratio": self.ratio,
            "anneal_bc_weight": stage.cloning_weight,
            "anneal_frozen": int(self._frozen_at is not None),
            "anneal_loss_flag": int(flags.loss),
            "anneal_queue_flag": int(flags.queue),
            "anneal_intensity_flag": int(flags.intensity),
            "anneal_kpi_flag": int(bool(flags.dropped)),
        }
        accuracy = next((result.accuracy for result in reversed(self.results) if result.accuracy is not None), None)
        if accuracy is not None:
            fields |= {
                "anneal_bc_accuracy": accuracy,
                "anneal_bc_threshold": self._settings.accuracy_threshold,
                "anneal_bc_passed": int(accuracy >= self._settings.accuracy_threshold),
            }
        before = self.baseline
        if before is not None:
            fields["anneal_loss_baseline"] = before.loss_total
            if before.queue_conflict_events is not None:
                fields["anneal_queue_baseline"] = before.queue_conflict_events
            if before.queue_conflict_intensity_sum is not None:
                fields["anneal_intensity_baseline"] = before.queue_conflict_intensity_sum
        return fields
