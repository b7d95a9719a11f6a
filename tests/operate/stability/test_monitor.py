"""The stability monitor: edges, what it tells, and what it keeps."""

import pytest

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.stability import TickRecord
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.operate.stability.telemetry_degraded import WINDOW_TICKS, TelemetryDegraded


def record(tick: int, *, dropped: int = 0, breaker_open: bool = False) -> TickRecord:
    transport = {"dropped": dropped, "breaker_open": breaker_open}
    return TickRecord(tick=tick, rewards={}, exits={}, events=(), facts={}, transport=transport)


def test_an_alert_is_told_once_when_it_is_raised_and_once_when_it_clears() -> None:
    monitor = StabilityMonitor([TelemetryDegraded()])
    told = [
        (tick, event.name, event.fields["alert"])
        for tick in range(300)
        for event in monitor.ingest(record(tick, dropped=0 if tick < 10 else 3))
    ]

    assert told == [
        (10, "stability_alert_raised", "telemetry_degraded"),
        (10 + WINDOW_TICKS, "stability_alert_cleared", "telemetry_degraded"),
    ]
    assert monitor.latest_stability_alerts() == {}


def test_an_open_breaker_degrades_telemetry_too() -> None:
    monitor = StabilityMonitor([TelemetryDegraded()])
    monitor.ingest(record(0, breaker_open=True))
    assert list(monitor.latest_stability_alerts()) == ["telemetry_degraded"]
    assert monitor.latest_stability_metrics()["telemetry_degraded"]["bad_ticks"] == 1.0


def test_a_restored_monitor_goes_on_as_if_nothing_had_happened() -> None:
    monitor, restored = StabilityMonitor([TelemetryDegraded()]), StabilityMonitor([TelemetryDegraded()])
    monitor.ingest(record(0, dropped=1))
    restored.load(monitor.export())

    later = [(one.ingest(record(tick)), one.status()) for tick in range(1, 150) for one in (monitor, restored)]
    assert later[0::2] == later[1::2]


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        ({}, "needs `analyzers` and `alerts`"),
        ({"analyzers": {}, "alerts": {}}, "telemetry_degraded"),
        ({"analyzers": {"telemetry_degraded": "x"}, "alerts": {}}, "not a list of ticks"),
        ({"analyzers": {"telemetry_degraded": []}, "alerts": {"telemetry_degraded": 1}}, "no alert"),
    ],
)
def test_a_broken_state_is_refused(state: dict[str, object], complaint: str) -> None:
    with pytest.raises(SnapshotError, match=complaint):
        StabilityMonitor([TelemetryDegraded()]).load(state)  # type: ignore[arg-type]


def test_two_analyzers_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="share a name"):
        StabilityMonitor([TelemetryDegraded(), TelemetryDegraded()])
