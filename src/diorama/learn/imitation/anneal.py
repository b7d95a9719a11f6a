"""Annealing from a teacher: stages, their figures and their progress."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.imitation.judging import Agreement
from diorama.learn.settings.imitation import AnnealMode, AnnealSettings, AnnealStageSettings

LOSS_SHIFT: Final = 0.10
LEAST_EVENTS: Final = 0.85
LOSS: Final = "loss_total"
# Where conflicts over queues dwindle, citizens have stopped going where others go.
QUEUE: Final = "queue_conflict_events"
INTENSITY: Final = "queue_conflict_intensity_sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFigures:
    """Means over the cycles of a stage.

    Attributes:
        loss_total: PPO's loss.
        queue_conflict_events: Conflicts per cycle; None in a world without queues.
        queue_conflict_intensity_sum: How strong they were, per cycle.
        key_figures: The world's headline metrics, and the mean reward of a decision as `reward_mean`.
    """

    loss_total: float
    queue_conflict_events: float | None
    queue_conflict_intensity_sum: float | None
    key_figures: Mapping[str, float]

    def to_json(self) -> JsonObject:
        """As it is stored."""
        return {
            LOSS: self.loss_total,
            QUEUE: self.queue_conflict_events,
            INTENSITY: self.queue_conflict_intensity_sum,
            "key_figures": dict(self.key_figures),
        }


@dataclass(slots=True)
class StageTally:
    """Adds up a stage, cycle by cycle and step by step."""

    cycles: int = 0
    steps: int = 0
    loss: float = 0.0
    events: dict[str, float] = field(default_factory=dict)
    key_sums: dict[str, float] = field(default_factory=dict)

    def note_step(self, key_figures: Mapping[str, float]) -> None:
        """Take in the key figures of a vector step."""
        self.steps += 1
        for name, value in key_figures.items():
            self.key_sums[name] = self.key_sums.get(name, 0.0) + value

    def note_cycle(self, loss_total: float, extras: Mapping[str, float]) -> None:
        """Take in an update and what the world told with it."""
        self.cycles += 1
        self.loss += loss_total
        for name in (QUEUE, INTENSITY):
            if name in extras:
                self.events[name] = self.events.get(name, 0.0) + extras[name]

    @property
    def figures(self) -> StageFigures:
        """What the stage comes to so far."""
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
    """What is wrong with a stage; `dropped` names the key figures that fell too far."""

    loss: bool = False
    queue: bool = False
    intensity: bool = False
    dropped: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there is anything."""
        return self.loss or self.queue or self.intensity or bool(self.dropped)

    @property
    def names(self) -> list[str]:
        """In words."""
        raised = [name for name in ("loss", "queue", "intensity") if getattr(self, name)]
        return raised + list(self.dropped)


def flags_of(now: StageFigures, before: StageFigures | None, freeze_drop: float) -> Flags:
    """Hold a stage against the one before; nothing is wrong with the first."""
    if before is None:
        return Flags()
    return Flags(
        loss=abs(now.loss_total - before.loss_total) > LOSS_SHIFT * abs(before.loss_total),
        queue=_dwindled(now.queue_conflict_events, before.queue_conflict_events),
        intensity=_dwindled(now.queue_conflict_intensity_sum, before.queue_conflict_intensity_sum),
        dropped=tuple(
            name
            for name, value in now.key_figures.items()
            if before.key_figures[name] - value > freeze_drop * abs(before.key_figures[name])
        ),
    )


def _dwindled(now: float | None, before: float | None) -> bool:
    return now is not None and before is not None and now < LEAST_EVENTS * before


_WHERE: Final = "the anneal schedule of the stored state"


class AnnealStatus(StrEnum):
    """How a schedule ended: as it should, with flags that ask for a look, or at a gate."""

    PASS = "PASS"
    HOLD = "HOLD"
    FAIL = "FAIL"


class StageResult(BaseModel):
    """A stage that has been done; what does not belong to its mode is None.

    Attributes:
        accuracy: Share of held-out decisions that are the teacher's.
        passed: Whether the gate was passed.
        shortcomings: What it fell short of.
        rolled_back: Whether the weights from before the stage were put back.
        figures: What the stage came to.
        flags: What it raised.
        frozen: Whether the ratio was frozen when it ended.
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
    """Walks through the stages.

    Attributes:
        results: Stages that are done, in order.
    """

    def __init__(self, settings: AnnealSettings) -> None:
        """Stand before the first stage."""
        self.results: list[StageResult] = []
        self._settings = settings
        self._stages = settings.in_order
        self._tally = StageTally()
        self._frozen_at: float | None = None

    @property
    def stage(self) -> AnnealStageSettings | None:
        """The stage at work; None after the last, or after a gate that was not passed."""
        has_failed = bool(self.results) and self.results[-1].passed is False
        return None if has_failed or len(self.results) == len(self._stages) else self._stages[len(self.results)]

    @property
    def ratio(self) -> float:
        """Share of decisions the policy takes in the ppo stage at work."""
        planned = self._settings.ratios[len(self.results)]
        assert planned is not None, "a bc stage decides nothing"
        return planned if self._frozen_at is None else self._frozen_at

    @property
    def status(self) -> AnnealStatus:
        """As far as the schedule has come."""
        if any(result.passed is False for result in self.results):
            return AnnealStatus.FAIL
        return AnnealStatus.HOLD if any(result.flags for result in self.results) else AnnealStatus.PASS

    @property
    def baseline(self) -> StageFigures | None:
        """What the ppo stage at work is held against: the one before."""
        return next((result.figures for result in reversed(self.results) if result.figures is not None), None)

    def note_step(self, key_figures: Mapping[str, float]) -> None:
        """Take in a vector step of the ppo stage at work."""
        self._tally.note_step(key_figures)

    def note_cycle(self, loss_total: float, extras: Mapping[str, float]) -> dict[str, float]:
        """Take in a cycle of the ppo stage at work, and return what telemetry tells of the schedule."""
        stage = self.stage
        assert stage is not None, "a cycle belongs to a stage"
        self._tally.note_cycle(loss_total, extras)
        return self._told(stage, flags_of(self._tally.figures, self.baseline, self._settings.freeze_drop))

    def end_cycle(self) -> StageResult | None:
        """Close the ppo stage at work if this was its last cycle, and return what came of it."""
        stage = self.stage
        assert stage is not None, "a cycle belongs to a stage"
        if self._tally.cycles < stage.epochs:
            return None
        figures, ratio = self._tally.figures, self.ratio
        flags = flags_of(figures, self.baseline, self._settings.freeze_drop)
        if flags.dropped and self._frozen_at is None:
            self._frozen_at = ratio
        return self._close(
            stage, ratio=ratio, figures=figures, flags=tuple(flags.names), frozen=self._frozen_at is not None
        )

    def end_cloning(self, agreement: Agreement, shortcomings: list[str]) -> StageResult:
        """Close the bc stage at work with how the clone was judged."""
        stage = self.stage
        assert stage is not None, "a clone belongs to a stage"
        return self._close(
            stage,
            accuracy=agreement.accuracy,
            passed=not shortcomings,
            shortcomings=tuple(shortcomings),
            rolled_back=bool(shortcomings),
            frozen=self._frozen_at is not None,
        )

    def state(self) -> JsonValue:
        """Return everything later stages depend on, as JSON values."""
        stored = _Stored(results=tuple(self.results), tally=self._tally, frozen_at=self._frozen_at)
        state: JsonValue = stored.model_dump(mode="json")
        return state

    def load(self, state: JsonValue) -> None:
        """Continue from a state.

        Raises:
            DocumentError: It is of another kind of run.
        """
        try:
            stored = _Stored.model_validate(state)
        except ValidationError:
            raise DocumentError(f"{_WHERE} cannot be read; it must be of a run with the same schedule") from None
        self.results, self._tally, self._frozen_at = list(stored.results), stored.tally, stored.frozen_at

    def _close(self, stage: AnnealStageSettings, **came_of_it: object) -> StageResult:
        result = StageResult.model_validate(
            {
                "cycle": stage.cycle,
                "mode": stage.mode,
                "epochs": stage.epochs,
                "bc_weight": stage.cloning_weight,
                **came_of_it,
            }
        )
        self.results.append(result)
        self._tally = StageTally()
        return result

    def _told(self, stage: AnnealStageSettings, flags: Flags) -> dict[str, float]:
        told: dict[str, float] = {
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
            told |= {
                "anneal_bc_accuracy": accuracy,
                "anneal_bc_threshold": self._settings.accuracy_threshold,
                "anneal_bc_passed": int(accuracy >= self._settings.accuracy_threshold),
            }
        before = self.baseline
        if before is not None:
            told["anneal_loss_baseline"] = before.loss_total
            if before.queue_conflict_events is not None:
                told["anneal_queue_baseline"] = before.queue_conflict_events
            if before.queue_conflict_intensity_sum is not None:
                told["anneal_intensity_baseline"] = before.queue_conflict_intensity_sum
        return told
