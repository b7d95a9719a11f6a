"""`StabilityMonitor`: asks every analyzer after every tick, and tells when an alert is raised and when it clears."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.live.stability import Alert, Analyzer, TickRecord
from diorama.contracts.values import JsonObject, JsonValue


class StabilityMonitor:
    """The analyzers of a world, and which of them are alarmed."""

    def __init__(self, analyzers: Sequence[Analyzer]) -> None:
        """Begin without alerts; an alert's name is its analyzer's."""
        names = [analyzer.name for analyzer in analyzers]
        if len(set(names)) < len(names):
            raise ValueError(f"two analyzers share a name among {', '.join(names)}")
        self._analyzers = tuple(analyzers)
        self._alerts: dict[str, Alert] = {}

    def ingest(self, record: TickRecord) -> list[LiveEvent]:
        """Take note of a tick.

        Returns:
            An event for every alert that was raised or cleared, in the order of the analyzers.
        """
        edges = []
        for analyzer in self._analyzers:
            analyzer.ingest(record)
            before, after = self._alerts.get(analyzer.name), analyzer.alert()
            if after is not None:
                self._alerts[analyzer.name] = after
            else:
                self._alerts.pop(analyzer.name, None)
            if (before is None) != (after is None):
                edges.append(_edge(record.tick, analyzer.name, before, after))
        return edges

    def latest_stability_alerts(self) -> Mapping[str, Alert]:
        """What is wrong now, by name."""
        return dict(self._alerts)

    def latest_stability_metrics(self) -> Mapping[str, Mapping[str, float]]:
        """What every analyzer measures: values, sample counts, thresholds and baselines."""
        return {analyzer.name: dict(analyzer.metrics()) for analyzer in self._analyzers}

    def status(self) -> JsonObject:
        """The telemetry block `stability`."""
        return {
            "alerts": {name: asdict(alert) for name, alert in self._alerts.items()},
            "metrics": {name: dict(values) for name, values in self.latest_stability_metrics().items()},
        }

    def export(self) -> JsonObject:
        """Everything that must survive a snapshot."""
        return {
            "analyzers": {analyzer.name: analyzer.export() for analyzer in self._analyzers},
            "alerts": {name: asdict(alert) for name, alert in self._alerts.items()},
        }

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned; on an error nothing is changed but the analyzers before the wrong one.

        Raises:
            SnapshotError: It is no state of these analyzers.
        """
        analyzers, alerts = state.get("analyzers"), state.get("alerts")
        if not isinstance(analyzers, Mapping) or not isinstance(alerts, Mapping):
            raise SnapshotError("the stability monitor's state needs `analyzers` and `alerts`")
        names = {analyzer.name for analyzer in self._analyzers}
        if analyzers.keys() != names:
            raise SnapshotError(
                f"the snapshot holds the analyzers {', '.join(sorted(analyzers))}; "
                f"this world has {', '.join(sorted(names))}"
            )
        loaded = {name: _alert(value) for name, value in alerts.items()}
        for analyzer in self._analyzers:
            try:
                analyzer.load(analyzers[analyzer.name])
            except ValueError as error:
                raise SnapshotError(f"analyzer {analyzer.name}: {error}") from None
        self._alerts = loaded


def _edge(tick: int, name: str, before: Alert | None, after: Alert | None) -> LiveEvent:
    alert = after if after is not None else before
    assert alert is not None
    return LiveEvent(
        name="stability_alert_raised" if after is not None else "stability_alert_cleared",
        tick=tick,
        priority=Priority.P0,
        fields={"alert": name, "value": alert.value, "threshold": alert.threshold},
    )


def _alert(value: JsonValue) -> Alert:
    if isinstance(value, Mapping):
        number, threshold = value.get("value"), value.get("threshold")
        if isinstance(number, int | float) and isinstance(threshold, int | float):
            return Alert(value=float(number), threshold=float(threshold))
    raise SnapshotError(f"{value!r} is no alert; it needs the numbers `value` and `threshold`")
