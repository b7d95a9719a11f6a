"""`MetadataKeeper`: holds the metadata of a run that is being written and puts every change on the disk."""

from collections.abc import Sequence
from threading import Lock
from typing import Final

import msgspec

from diorama.contracts.values import JsonObject
from diorama.runs.clock import Clock, timestamp
from diorama.runs.latest_writer import LatestWriter
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import BestCheckpoint, LatestCheckpoint, LatestWindow, RunMetadata, RunStatus
from diorama.runs.windows.row import Totals, WindowRow

_WINDOW_FIELDS: Final = (
    "window_id",
    "window_complete",
    "env_steps_start",
    "env_steps_end",
    "env_steps_in_window",
    "env_steps_total",
)


class MetadataKeeper:
    """Every method changes the metadata and has the document replaced.

    Closed windows, replays and validations do not wait for the disk: the document follows as fast as it can, and
    only the newest state of it. Everything else is on the disk when the method returns. Methods may be called from any
    thread and raise `StorageError` when the disk refuses.

    Attributes:
        current: What the document says, or is about to say.
    """

    def __init__(self, layout: RunLayout, metadata: RunMetadata, clock: Clock) -> None:
        """Keep the metadata of this run; nothing is written yet."""
        self._layout = layout
        self._clock = clock
        self._lock = Lock()
        self._writer = LatestWriter(layout.metadata)
        self.current = metadata

    def windows_closed(self, rows: Sequence[WindowRow], totals: Totals) -> None:
        """Note the windows that a vector step closed, or the partial one at the end; the last row is the newest."""
        self._note(
            latest_window=self._latest_window(rows[-1]),
            windows_emitted=self.current.windows_emitted + len(rows),
            **_counters(totals),
        )

    def checkpoint_written(self, checkpoint: LatestCheckpoint) -> None:
        """Note a checkpoint that is on the disk."""
        self._write(latest_checkpoint=checkpoint, checkpoints_written=self.current.checkpoints_written + 1)

    def best_checkpoint_known(self, checkpoint: BestCheckpoint | None) -> None:
        """Note which checkpoint did best on validation seeds; None where none of those that remain was judged."""
        self._note(best_checkpoint=checkpoint)

    def replay_written(self, entry: JsonObject) -> None:
        """Note a replay that is in the index; `entry` is its entry there."""
        self._note(
            latest_replay=dict(entry),
            replays_written=self.current.replays_written + 1,
            replay_index_path=self._layout.relative(self._layout.replay_index),
        )

    def links_known(self, *, wandb_run_url: str | None, constellation_url: str | None) -> None:
        """Note where else the run can be watched."""
        self._write(wandb_run_url=wandb_run_url, constellation_url=constellation_url)

    def resumed(
        self,
        totals: Totals,
        *,
        latest_row: WindowRow | None,
        checkpoint: LatestCheckpoint,
        checkpoints_written: int,
        replays_written: int,
        target_env_steps: int,
    ) -> None:
        """Note that the run goes on from a checkpoint; the counters are those of that moment."""
        self._write(
            status=RunStatus.RUNNING,
            finished_at=None,
            error=None,
            target_env_steps=target_env_steps,
            windows_emitted=totals.windows,
            latest_window=None if latest_row is None else self._latest_window(latest_row),
            latest_checkpoint=checkpoint,
            checkpoints_written=checkpoints_written,
            replays_written=replays_written,
            **_counters(totals),
        )

    def completed(self, totals: Totals) -> None:
        """Note that the run has reached its target."""
        self._end(RunStatus.COMPLETED, totals, error=None)

    def stopped(self, totals: Totals) -> None:
        """Note that the operator has interrupted the run."""
        self._end(RunStatus.STOPPED, totals, error=None)

    def failed(self, totals: Totals, error: BaseException) -> None:
        """Note why the run could not go on."""
        self._end(RunStatus.FAILED, totals, error=f"{type(error).__name__}: {error}")

    def flush(self) -> None:
        """Wait until the document says what is known."""
        self._writer.flush()

    def close(self) -> None:
        """Put everything on the disk; nothing can be noted afterwards."""
        self._writer.close()

    def _end(self, status: RunStatus, totals: Totals, *, error: str | None) -> None:
        self._write(
            status=status,
            error=error,
            **_counters(totals),
            finished_at=timestamp(self._clock.now()),
        )

    def _latest_window(self, row: WindowRow) -> LatestWindow:
        fields = {name: row[name] for name in _WINDOW_FIELDS}
        return msgspec.convert({**fields, "metrics_row_path": self.current.metrics_windows_path}, type=LatestWindow)

    def _write(self, **changes: object) -> None:
        self._note(**changes)
        self._writer.flush()

    def _note(self, **changes: object) -> None:
        with self._lock:
            self.current = msgspec.structs.replace(self.current, **changes, updated_at=timestamp(self._clock.now()))
            self._writer.offer(self.current)


def _counters(totals: Totals) -> dict[str, int]:
    return {
        "env_steps_total": totals.env_steps,
        "ticks_total": totals.ticks,
        "episodes_total": totals.episodes,
        "policy_updates": totals.policy_updates,
    }
