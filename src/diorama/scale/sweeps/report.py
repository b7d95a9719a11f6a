"""A sweep for people and files: what was asked, every trial, and which were best."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diorama.contracts.values import JsonObject
from diorama.scale.sweeps.spec import SweepSpec

if TYPE_CHECKING:
    import optuna

REPORT: Final = "sweep.json"
RUN_ID: Final = "run_id"  # what the study knows of a trial beside its settings
SCORE: Final = "score"
SCORES: Final = "scores"
SECONDS: Final = "seconds"
WHY: Final = "why"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """A sweep and where it happens.

    Attributes:
        name: Trials are runs called `name-0000` and so on; a sweep of the same name goes on.
        root: Directory of the sweeps.
        run_root: Directory of the runs, which every machine of the cluster must see.
        parallel: Trials at a time.
        cpus: Processors a trial counts with.
        on_cluster: Whether trials run on a Ray cluster, else as processes of this machine.
    """

    spec: SweepSpec
    name: str
    root: Path
    run_root: Path
    parallel: int
    cpus: float = 1.0
    on_cluster: bool = True

    @property
    def directory(self) -> Path:
        """Where the sweep keeps what it knows."""
        return self.root / self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRow:
    """One trial for people and reports.

    Attributes:
        run_id: Of its run, or what the ids of its runs begin with.
        score: None until it has one.
        scores: Of the runs, by training seed; empty in a sweep without seeds.
    """

    number: int
    run_id: str
    state: str
    chosen: JsonObject
    score: float | None
    seconds: float | None
    why: str | None
    scores: JsonObject = field(default_factory=dict)


def trial_rows(study: "optuna.Study") -> list[TrialRow]:
    """Return every trial by number."""
    return [
        TrialRow(
            number=trial.number,
            run_id=str(trial.user_attrs.get(RUN_ID, "")),
            state=trial.state.name.lower(),
            chosen=dict(trial.params),
            score=trial.user_attrs.get(SCORE),
            seconds=trial.user_attrs.get(SECONDS),
            why=trial.user_attrs.get(WHY),
            scores=dict(trial.user_attrs.get(SCORES, {})),
        )
        for trial in study.get_trials(deepcopy=False)
    ]


def report_of(request: SweepRequest, study: "optuna.Study", rows: list[TrialRow]) -> JsonObject:
    """Return a sweep as a document: what was asked, every trial, and the best of those that ran to their end.

    `budget` is what it cost so far; `best_settings` are those of the first of the best, by dotted name.
    """
    best = [trial.number for trial in study.best_trials] if any(row.state == "complete" for row in rows) else []
    return {
        "name": request.name,
        "spec": request.spec.model_dump(mode="json"),
        "best": [rows[number].run_id for number in best],
        "best_settings": {**request.spec.settings, **rows[best[0]].chosen} if best else {},
        "budget": {
            "trials": len(rows),
            "runs": sum(max(1, len(row.scores)) for row in rows),
            "seconds": sum(row.seconds or 0.0 for row in rows),
        },
        "trials": [asdict(row) for row in rows],
    }
