"""`WindowCallback`: counts the steps of a run into windows and writes a row of metrics for each."""

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.runs.clock import Clock, timestamp
from diorama.runs.windows import WindowAggregator
from diorama.runs.windows.row import WindowRow
from diorama.telemetry.events import WindowClosed
from diorama.training.callbacks.base import RunCallback, RunContext


class WindowCallback(RunCallback):
    """Writes windows as they close; the open one at the end of a run that closed none, or where the settings ask."""

    def __init__(self, aggregator: WindowAggregator, clock: Clock, *, flush_partial: bool) -> None:
        """Write nothing before the run starts."""
        self._aggregator = aggregator
        self._clock = clock
        self._flush_partial = flush_partial
        self._may_write_partial = False

    def on_run_start(self, run: RunContext) -> None:
        """Let the other callbacks add columns."""
        super().on_run_start(run)
        self._may_write_partial = True
        self._aggregator.add_fields(run.callbacks.window_fields)

    def on_step(self, step: StepView) -> None:
        """Count a vector step and write the windows it closes."""
        rows = self._aggregator.consume(step)
        if rows:
            self._write(rows)
            self.run.callbacks.on_window(rows)

    def on_update(self, report: UpdateReport) -> None:
        """Add an update to the open window."""
        self._aggregator.note_update(report)

    def on_run_end(self, *, is_complete: bool) -> None:
        """Write the open window, where the settings ask for it or no window has closed."""
        if self._flush_partial or self._aggregator.totals.windows == 0:
            rows = self._write_partial()
            if rows:
                self.run.callbacks.on_window(rows)

    def write_only_window(self) -> None:
        """Write the open window of a run that breaks off before it has closed one; no callback is called any more.

        Raises:
            StorageError: The disk refuses.
        """
        if self._aggregator.totals.windows == 0:
            self._write_partial()

    def _write_partial(self) -> list[WindowRow]:
        partial = self._aggregator.partial_row() if self._may_write_partial else None
        if partial is None:
            return []
        # Also where a later callback fails, the row is written once.
        self._may_write_partial = False
        self._write([partial])
        return [partial]

    def _write(self, rows: list[WindowRow]) -> None:
        totals = self._aggregator.totals
        self.run.writer.write_windows(rows, totals)
        # Rows of one vector step close one after another; each ends where the next one starts.
        first_id = totals.windows - sum(bool(row["window_complete"]) for row in rows)
        for window_id, row in enumerate(rows, start=first_id):
            steps = row["env_steps_total"]
            if isinstance(steps, int):
                self.run.hub.publish(
                    WindowClosed(at=timestamp(self._clock.now()), window_id=window_id, env_steps_total=steps, row=row)
                )
