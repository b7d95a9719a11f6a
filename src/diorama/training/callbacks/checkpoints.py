"""`CheckpointCallback`: writes checkpoints as windows close, and deletes those that need not be kept."""

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from statistics import fmean
from typing import Final

from diorama.contracts.spec import Better
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header, write_clone
from diorama.runs.checkpoints.headers import CheckpointHeader, PolicyCheckpoint, RandomCheckpoint
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.lines import read_lines
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index
from diorama.runs.validation import read_validation
from diorama.runs.windows import WindowAggregator
from diorama.telemetry.events import CheckpointWritten
from diorama.training.callbacks.base import RunCallback, RunContext
from diorama.training.plan import TrainingPlan
from diorama.training.policy_files import policy_checkpoint

WINDOWS_SERVICE: Final = "windows"
"""Names the state of the window aggregator in a resume file."""

ROLLING_WINDOWS: Final = 10
"""Windows whose mean decides which checkpoint is the best: a single one varies too much."""


class CheckpointCallback(RunCallback):
    """Writes one checkpoint per `checkpoints.every_windows` windows, at the first update after the last has closed."""

    def __init__(self, plan: TrainingPlan, aggregator: WindowAggregator, clock: Clock) -> None:
        """Write nothing before the run starts."""
        self._plan = plan
        self._aggregator = aggregator
        self._clock = clock
        self._env_steps = 0
        self._periods = 0

    def on_run_start(self, run: RunContext) -> None:
        """Continue from the newest checkpoint of the run, if there is one."""
        super().on_run_start(run)
        latest = run.writer.keeper.current.latest_checkpoint
        self._env_steps = 0 if latest is None else latest.env_steps_total
        self._periods = self._periods_after(self._env_steps)

    def on_advance(self, env_steps_total: int) -> None:
        """Write a checkpoint where one is due."""
        if self._periods_after(self._aggregator.totals.env_steps) > self._periods:
            self.write()

    def on_replay(self, entry: ReplayEntry) -> None:
        """Delete the checkpoint that was kept only until its replay was recorded."""
        self._delete_superseded()

    def on_validation(self) -> None:
        """Delete the checkpoint that was kept only until it was judged, and one that is not the best any more."""
        self._delete_superseded()

    def on_run_end(self, *, is_complete: bool) -> None:
        """Write the last checkpoint."""
        self.write_if_stale()

    def write_if_stale(self) -> None:
        """Write a checkpoint if steps were taken since the last one; see `write`."""
        if self._aggregator.totals.env_steps > self._env_steps:
            self.write()

    def write(self) -> None:
        """Write a checkpoint of the newest window that is due, or of the open one if none is.

        Raises:
            StorageError: The disk refuses; the run can be continued from the checkpoint before.
        """
        totals, every = self._aggregator.totals, self._plan.settings.checkpoints.every_windows
        periods = self._periods_after(totals.env_steps)
        window_id = periods * every - 1 if periods > self._periods else totals.windows
        written = self.run.writer.write_checkpoint(
            self._header(window_id),
            self.run.learner.state(),
            services={WINDOWS_SERVICE: self._aggregator.state()},
        )
        self._env_steps, self._periods = totals.env_steps, periods
        self.run.hub.publish(
            CheckpointWritten(
                at=written.created_at,
                window_id=written.window_id,
                env_steps_total=written.env_steps_total,
                path=written.path,
                sha256=written.sha256,
            )
        )
        self._delete_superseded()
        self.run.callbacks.on_checkpoint(written)

    def write_clone(self) -> None:
        """Keep the policy that was cloned and that PPO has not changed yet.

        Raises:
            StorageError: The disk refuses.
        """
        header = self._header(0)
        assert isinstance(header, PolicyCheckpoint), "only a run that learns imitates"
        write_clone(self.run.writer.layout, header, self.run.learner.state().tensors)

    def _delete_superseded(self) -> None:
        settings, spec, layout = self._plan.settings, self._plan.spec, self.run.writer.layout
        if settings.checkpoints.keep_newest is None:
            return
        headline = (metric for metric in spec.metrics if metric.key in spec.headline)
        rising = (metric.key for metric in headline if metric.better is Better.HIGHER)
        needed: set[int] = set()
        if settings.evaluation.replays_per_window:
            needed |= {header.window_id for header, _ in pending_replays(layout, settings.windows.env_steps)}
        if settings.evaluation.validation_episodes:
            needed |= {header.window_id for header, _ in pending_validations(layout, settings.windows.env_steps)}
        validated = self.run.writer.keeper.current.best_checkpoint
        if validated is not None:
            needed.add(validated.window_id)
        delete_superseded(
            layout,
            keep_newest=settings.checkpoints.keep_newest,
            metric=next(rising, "return"),
            needed=needed,
        )

    def _periods_after(self, env_steps: int) -> int:
        settings = self._plan.settings
        return env_steps // (settings.windows.env_steps * settings.checkpoints.every_windows)

    def _header(self, window_id: int) -> CheckpointHeader:
        settings, env_steps = self._plan.settings, self._aggregator.totals.env_steps
        run_id, created_at = self.run.writer.layout.run_id, timestamp(self._clock.now())
        if not self._plan.learns:
            return RandomCheckpoint(
                run_id=run_id,
                world=self._plan.spec.world,
                window_id=window_id,
                env_steps_total=env_steps,
                created_at=created_at,
            )
        return policy_checkpoint(
            self._plan.spec,
            settings.policy,
            settings.normalization,
            run_id=run_id,
            window_id=window_id,
            env_steps_total=env_steps,
            created_at=created_at,
        )


def closes_window(window_id: int, env_steps_total: int, window_env_steps: int) -> bool:
    """Return whether a checkpoint was written after its window had closed."""
    return env_steps_total >= (window_id + 1) * window_env_steps


def pending_replays(layout: RunLayout, window_env_steps: int) -> list[tuple[CheckpointHeader, Path]]:
    """Return the checkpoints of closed windows that have no replay; forks of replays do not count."""
    recorded = {entry.window_id for entry in read_index(layout).entries if entry.forked_from is None}
    found = [(read_checkpoint_header(path), path) for path in checkpoint_paths(layout)]
    return [
        (header, path)
        for header, path in found
        if closes_window(header.window_id, header.env_steps_total, window_env_steps)
        and header.window_id not in recorded
    ]


def pending_validations(layout: RunLayout, window_env_steps: int) -> list[tuple[CheckpointHeader, Path]]:
    """Return the checkpoints of closed windows that have not been judged on validation seeds."""
    judged = {(row.window_id, row.env_steps_total) for row in read_validation(layout)}
    found = [(read_checkpoint_header(path), path) for path in checkpoint_paths(layout)]
    return [
        (header, path)
        for header, path in found
        if closes_window(header.window_id, header.env_steps_total, window_env_steps)
        and (header.window_id, header.env_steps_total) not in judged
    ]


def as_latest(layout: RunLayout, header: CheckpointHeader, path: Path) -> LatestCheckpoint:
    """Return a checkpoint as the metadata of its run name it."""
    return LatestCheckpoint(
        window_id=header.window_id,
        env_steps_total=header.env_steps_total,
        path=layout.relative(path),
        sha256=file_sha256(path),
        created_at=header.created_at,
    )


def delete_superseded(layout: RunLayout, *, keep_newest: int, metric: str, needed: Set[int]) -> list[int]:
    """Delete every checkpoint but the newest few and the best, and return the windows of those that are gone.

    Args:
        layout: Of the run.
        keep_newest: How many of the last ones stay.
        metric: Of the windows; the best checkpoint is the one whose last windows have the highest mean of it.
        needed: Windows whose checkpoints stay: they are still to be replayed or judged, or were judged the best.
    """
    found = {read_checkpoint_header(path).window_id: path for path in checkpoint_paths(layout)}
    kept = set(sorted(found)[-keep_newest:])
    best = best_window(list(read_lines(layout.windows, RawObject, within=layout.directory)), sorted(found), metric)
    if best is not None:
        kept.add(best)
    gone = sorted(found.keys() - kept - needed)
    for window_id in gone:
        found[window_id].unlink(missing_ok=True)
    return gone


def best_window(rows: Sequence[Mapping[str, object]], windows: Sequence[int], metric: str) -> int | None:
    """Return the window, of those with a checkpoint, up to which the metric was highest; the later one of equals."""
    column = f"{metric}_mean"
    values = {row["window_id"]: row[column] for row in rows if isinstance(row.get(column), int | float)}
    by_window = sorted((int(str(window)), float(str(value))) for window, value in values.items())
    scores = []
    for window_id in windows:
        recent = [value for window, value in by_window if window <= window_id][-ROLLING_WINDOWS:]
        if recent:
            scores.append((fmean(recent), window_id))
    return max(scores)[1] if scores else None
