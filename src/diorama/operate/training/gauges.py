"""`UpdateGauges`: what a world adds to the telemetry of a policy update, gathered over its rollout."""

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import StepView


class UpdateGauges:
    """Looks at every vector step and is read, and emptied, at every update."""

    def __init__(self, plan: TelemetryPlan, spec: WorldSpec) -> None:
        """Find the entries and the events.

        Raises:
            UnknownName: The world has no such entry or event.
        """
        columns = {item.name: item.start for item in spec.observation}
        for name in plan.gauges.values():
            if name not in columns:
                raise UnknownName.among("observation entry", name, columns)
        for name in plan.counters.values():
            if name not in spec.event_names:
                raise UnknownName.among("event", name, spec.event_names)
        self._columns = [columns[name] for name in plan.gauges.values()]
        self._gauge_fields = [(f"{field}_mean_avg", f"{field}_max_avg") for field in plan.gauges]
        self._bits = {field: np.uint64(1 << spec.event_names.index(name)) for field, name in plan.counters.items()}
        self._empty()

    def note(self, step: StepView) -> None:
        """Take in a vector step."""
        seen = step.seen()[step.alive_before != 0][:, self._columns]
        if len(seen):
            self._steps += 1
            self._means += seen.mean(axis=0, dtype=np.float64)
            self._largest += seen.max(axis=0)
        for field, bit in self._bits.items():
            self._counts[field] += int(np.count_nonzero(step.events & bit))

    def take(self) -> dict[str, float]:
        """Return the fields of the update that has just been learned from."""
        steps = max(1, self._steps)
        fields: dict[str, float] = {}
        for (mean, largest), total_mean, total_largest in zip(
            self._gauge_fields, self._means.tolist(), self._largest.tolist(), strict=True
        ):
            fields[mean], fields[largest] = total_mean / steps, total_largest / steps
        fields |= self._counts
        self._empty()
        return fields

    def _empty(self) -> None:
        self._steps = 0
        self._means = np.zeros(len(self._columns))
        self._largest = np.zeros(len(self._columns))
        self._counts: dict[str, float] = dict.fromkeys(self._bits, 0)
