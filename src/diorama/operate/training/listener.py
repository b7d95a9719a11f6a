"""`WindowCallback`: everything the trainer reports, brought to windows, metadata, telemetry and the display."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from diorama.contracts.errors import ContractError
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.updates import UpdateDetails
from diorama.learn.callbacks import Callback
from diorama.operate.training.gauges import UpdateGauges
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.clock import Clock, timestamp
from diorama.runs.windows import WindowAggregator
from diorama.runs.windows.row import WindowRow
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import PolicyUpdated, WindowClosed, WorldTold
from diorama.telemetry.hub import TelemetryHub

if TYPE_CHECKING:
    from diorama.operate.training.round_desk import RoundCallback


class RunCallback(Protocol):
    """Hears a run."""

    def note_step(self, step: StepView) -> None:
        """Take in a vector step."""

    def note_update(self, report: UpdateReport, extras: Mapping[str, float]) -> Mapping[str, float]:
        """Take in an update and what the world tells of it, and return what else is to be told."""


class WindowCallback(Callback):
    """Hears the trainer; `open` says where the run is written, before the first step is taken."""

    def __init__(
        self, aggregator: WindowAggregator, watch: ProgressReporter, clock: Clock, gauges: UpdateGauges | None = None
    ) -> None:
        """Wait for the run to be there; `gauges` are what the world adds to the telemetry of updates."""
        self._aggregator = aggregator
        self._watch = watch
        self._clock = clock
        self._gauges = gauges
        self._conductors: Sequence[RunCallback] = ()
        self._tally: Callable[[], dict[str, float]] = dict
        self._rounds: RoundCallback | None = None
        self._opened: tuple[RunWriter, TelemetryHub] | None = None

    def follow(
        self,
        conductors: Sequence[RunCallback],
        tally: Callable[[], dict[str, float]],
        rounds: "RoundCallback | None" = None,
    ) -> None:
        """Let others hear the run, too.

        Args:
            conductors: They hear everything.
            tally: Returns what events told in the rollout of an update.
            rounds: Closes the rounds of the world.
        """
        self._conductors = conductors
        self._tally = tally
        self._rounds = rounds

    def open(self, writer: RunWriter, hub: TelemetryHub) -> None:
        """Write to this run from now on."""
        self._opened = (writer, hub)

    def on_step(self, step: StepView) -> None:
        """Count a vector step and write the windows it closes."""
        if self._gauges is not None:
            self._gauges.note(step)
        for conductor in self._conductors:
            conductor.note_step(step)
        self.write(self._aggregator.consume(step))

    def on_details(self, details: UpdateDetails) -> None:
        """Close the round that was learned from."""
        if self._rounds is not None:
            self._rounds.close_round(details)

    def on_update(self, report: UpdateReport) -> None:
        """Pass an update on."""
        _, hub = self._run
        self._aggregator.note_update(report)
        extras = _extensions(report)
        if self._gauges is not None and not report.is_replayed:
            extras |= self._gauges.take() | self._tally()
        for conductor in self._conductors:
            extras |= conductor.note_update(report, extras)
        hub.publish(PolicyUpdated(at=timestamp(self._clock.now()), report=report, extras=extras))
        for told in [] if self._rounds is None else self._rounds.take_told():
            hub.publish(WorldTold(at=str(told["timestamp"]), body=told))
        self._watch.update(report)

    def write(self, rows: list[WindowRow]) -> None:
        """Write rows of windows and tell everybody about them."""
        if not rows:
            return
        writer, hub = self._run
        totals = self._aggregator.totals
        writer.write_windows(rows, totals)
        # Rows of one vector step close one after another; each ends where the next one starts.
        first = totals.windows - sum(bool(row["window_complete"]) for row in rows)
        for place, row in enumerate(rows):
            steps = row["env_steps_total"]
            if isinstance(steps, int):
                hub.publish(
                    WindowClosed(
                        at=timestamp(self._clock.now()), window_id=first + place, env_steps_total=steps, row=row
                    )
                )
        self._watch.windows(rows)

    @property
    def _run(self) -> tuple[RunWriter, TelemetryHub]:
        if self._opened is None:
            raise ContractError("the trainer took a step before its run was opened")
        return self._opened


def _extensions(report: UpdateReport) -> dict[str, float]:
    return {
        "clip_fraction_max": report.clip_fraction_max,
        "clip_triggered_minibatches": report.clip_triggered_minibatches,
        # Advantages are brought to scale over a whole rollout: there is one deviation per update.
        "adv_zero_std_batches": int(report.adv_std == 0.0),
        "adv_min_std": report.adv_std,
    }
