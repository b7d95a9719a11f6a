"""How far a run is in its anneal schedule: stages done, the one at work, and whether the ratio is frozen."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonValue
from diorama.learn.annealing.figures import Flags, StageFigures, StageTally, flags_of
from diorama.learn.cloning.judging import Agreement
from diorama.learn.settings.anneal import AnnealMode, AnnealSettings, AnnealStageSettings

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
