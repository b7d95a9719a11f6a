"""Telemetry of policy updates: the trainer's report, and what a world adds to it over a rollout."""

from collections.abc import Callable, Mapping

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import StepView, TaughtUpdateReport, UpdateReport
from diorama.runs.clock import Clock, timestamp
from diorama.telemetry.events import PolicyUpdated
from diorama.training.callbacks.base import RunCallback


class TelemetryCallback(RunCallback):
    """Publishes every update with the fields that all callbacks add to it."""

    def __init__(self, clock: Clock) -> None:
        """Keep the clock, which dates the events."""
        self._clock = clock

    def on_update(self, report: UpdateReport) -> None:
        """Publish an update."""
        extras = self.run.callbacks.update_fields(report, {**_clipping_fields(report), **_teaching_fields(report)})
        self.run.hub.publish(PolicyUpdated(at=timestamp(self._clock.now()), report=report, extras=extras))


class WorldGaugesCallback(RunCallback):
    """Averages observation entries and counts events over every rollout, as the world's `TelemetryPlan` asks."""

    def __init__(
        self, plan: TelemetryPlan, spec: WorldSpec, event_fields: Callable[[], Mapping[str, float]] | None = None
    ) -> None:
        """Find the columns and the event bits.

        Args:
            plan: What the world reports.
            spec: Its contract.
            event_fields: Returns, and resets, numbers that the events of a rollout carried.

        Raises:
            UnknownName: The world has no such entry or event.
        """
        columns = {item.name: item.start for item in spec.observation}
        for name in plan.gauges.values():
            if name not in columns:
                raise UnknownName.among("observation entry", name, columns, code="unknown_observation_entry")
        for name in plan.counters.values():
            if name not in spec.event_names:
                raise UnknownName.among("event", name, spec.event_names, code="unknown_event")
        self._columns = [columns[name] for name in plan.gauges.values()]
        self._gauge_fields = [(f"{field}_mean_avg", f"{field}_max_avg") for field in plan.gauges]
        self._event_bits = {
            field: np.uint64(1 << spec.event_names.index(name)) for field, name in plan.counters.items()
        }
        self._event_fields = event_fields
        self._reset()

    def on_step(self, step: StepView) -> None:
        """Add a vector step."""
        observed = step.obs()[step.alive_before != 0][:, self._columns]
        if len(observed):
            self._steps += 1
            self._means += observed.mean(axis=0, dtype=np.float64)
            self._maxima += observed.max(axis=0)
        for field, bit in self._event_bits.items():
            self._counts[field] += int(np.count_nonzero(step.events & bit))

    def update_fields(self, report: UpdateReport, fields: Mapping[str, float]) -> Mapping[str, float]:
        """Return the figures of the rollout that was learned from, and reset them."""
        if report.is_replayed:
            return {}
        steps = max(1, self._steps)
        figures: dict[str, float] = {}
        for (mean, maximum), mean_sum, maximum_sum in zip(
            self._gauge_fields, self._means.tolist(), self._maxima.tolist(), strict=True
        ):
            figures[mean], figures[maximum] = mean_sum / steps, maximum_sum / steps
        figures |= self._counts
        self._reset()
        return figures if self._event_fields is None else {**figures, **self._event_fields()}

    def _reset(self) -> None:
        self._steps = 0
        self._means = np.zeros(len(self._columns))
        self._maxima = np.zeros(len(self._columns))
        self._counts: dict[str, float] = dict.fromkeys(self._event_bits, 0)


def _teaching_fields(report: UpdateReport) -> dict[str, float]:
    if not isinstance(report, TaughtUpdateReport):
        return {}
    return {
        "loss_kickstarting": report.loss_kickstarting,
        "teacher_agreement": report.teacher_agreement,
        "kickstarting_weight": report.kickstarting_weight,
    }


def _clipping_fields(report: UpdateReport) -> dict[str, float]:
    return {
        "clip_fraction_max": report.clip_fraction_max,
        "clip_triggered_minibatches": report.clip_triggered_minibatches,
        # Advantages are normalized over a whole rollout: there is one standard deviation per update.
        "adv_zero_std_batches": int(report.adv_std == 0.0),
        "adv_min_std": report.adv_std,
    }
