"""One trial: training runs, one per seed, that report their score after every window and can be given up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from threading import Event

from diorama.contracts.errors import ConfigError
from diorama.runs.clock import SystemClock
from diorama.runs.layout import run_layout
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.runs.windows.row import WindowRow
from diorama.scale.sweeps.spec import Aggregate, Goal, SweepSpec
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import resume, train
from diorama.training.run_directory import stored_settings
from diorama.training.settings import TrainingSettings

Report = Callable[[int, float], bool]
"""Told the number of windows and the score so far; answers whether to go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOutcome:
    """How a trial ended.

    Attributes:
        score: Of the last windows, aggregated over the seeds; None where no window closed with a number in it.
        seconds: Of training, by the windows' own clock.
        was_stopped: Whether it was given up.
        scores: By training seed; empty in a sweep without seeds.
    """

    score: float | None
    seconds: float
    was_stopped: bool
    scores: dict[str, float | None] = field(default_factory=dict)


def trial_settings(spec: SweepSpec, chosen: Mapping[str, object]) -> TrainingSettings:
    """Return the settings of a trial.

    Raises:
        ConfigError: A name is no setting, or a value is wrong.
    """
    return settings_of(
        [
            load_preset(spec.world, spec.preset),
            Layer(source="settings of the sweep", values=_nested(spec.settings)),
            Layer(source="space of the sweep", values=_nested(chosen)),
            Layer(source="world of the sweep", values={"world": spec.world}),
        ]
    )


def run_trial(
    spec: SweepSpec, chosen: Mapping[str, object], run_root: Path, run_id: str, report: Report
) -> TrialOutcome:
    """Train a trial to its end, seed after seed; a run that was begun before goes on at its newest checkpoint.

    After every window the score of the trial so far is reported: the aggregate of the seeds that have ended and the one
    that is being trained. A trial that is given up trains none of the seeds that are left.
    """
    scores: dict[str, float | None] = {}
    seconds, windows = 0.0, 0
    stop = Event()
    for seed in (None,) if spec.seeds is None else spec.seeds:
        ended = [score for score in scores.values() if score is not None]

        def report_seed(own: int, score: float, ended: Sequence[float] = tuple(ended), before: int = windows) -> bool:
            return report(before + own, aggregate_scores(spec, [*ended, score]))

        watch = _Reporting(spec, report_seed, stop)
        name = run_id if seed is None else f"{run_id}-seed{seed}"
        _train(spec, chosen if seed is None else {**chosen, "seed": seed}, run_root, name, watch, stop)
        scores[str(seed)] = watch.score
        seconds, windows = seconds + watch.seconds, windows + watch.count
        if stop.is_set():
            break
    found = [score for score in scores.values() if score is not None]
    return TrialOutcome(
        score=aggregate_scores(spec, found) if found else None,
        seconds=seconds,
        was_stopped=stop.is_set(),
        scores={} if spec.seeds is None else scores,
    )


def aggregate_scores(spec: SweepSpec, scores: Sequence[float]) -> float:
    """Return the score of a trial from those of its seeds; of a single seed it is that seed's."""
    mean = fmean(scores)
    if spec.aggregate is Aggregate.MEAN or len(scores) < 2:
        return mean
    error = stdev(scores) / sqrt(len(scores))
    return mean - error if spec.objective.goal is Goal.MAXIMIZE else mean + error


def _train(
    spec: SweepSpec, chosen: Mapping[str, object], run_root: Path, run_id: str, watch: "_Reporting", stop: Event
) -> None:
    clock = SystemClock()
    if not run_layout(run_root, run_id).directory.exists():
        plan = plan_training(trial_settings(spec, chosen))
        train(plan, run_root, run_id, progress=watch, stop=stop, clock=clock)
        return
    run = open_run(run_root, run_id)
    settings = stored_settings(run)
    for row in run.windows():
        watch.note(row)
    if run.metadata().status is not RunStatus.COMPLETED:
        resume(plan_training(settings), run_root, run_id, steps=settings.steps, progress=watch, stop=stop, clock=clock)


class _Reporting(NoProgress):
    def __init__(self, spec: SweepSpec, report: Report, stop: Event) -> None:
        self._objective = spec.objective
        self._report = report
        self._stop = stop
        # By number, because a run that goes on takes the windows since its checkpoint again.
        self._rows: dict[int, tuple[float | None, float]] = {}

    @property
    def seconds(self) -> float:
        return sum(seconds for _, seconds in self._rows.values())

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def score(self) -> float | None:
        numbers = [self._rows[window][0] for window in sorted(self._rows)]
        last = [number for number in numbers if number is not None][-self._objective.last_windows :]
        return sum(last) / len(last) if last else None

    def note(self, row: WindowRow) -> None:
        if self._objective.metric not in row:
            known = sorted(key for key, value in row.items() if isinstance(value, float))
            raise ConfigError(f"objective.metric: windows have no {self._objective.metric!r}; there are: {known}")
        number, seconds, window = row[self._objective.metric], row["wall_seconds"], row["window_id"]
        assert isinstance(seconds, float | int), "windows are timed"
        assert isinstance(window, int), "windows are numbered"
        self._rows[window] = (float(number) if isinstance(number, float | int) else None, float(seconds))

    def windows(self, rows: Sequence[WindowRow]) -> None:
        for row in rows:
            self.note(row)
        if self.score is not None and not self._report(len(self._rows), self.score):
            self._stop.set()


def _nested(dotted: Mapping[str, object]) -> dict[str, object]:
    nested: dict[str, object] = {}
    for name, value in dotted.items():
        *parents, last = name.split(".")
        place = nested
        for parent in parents:
            below = place.setdefault(parent, {})
            if not isinstance(below, dict):
                raise ConfigError(f"{name}: {parent} has a value of its own already")
            place = below
        place[last] = value
    return nested
