"""The search itself, which is Optuna's: an SQLite file remembers every trial, so that a sweep can go on."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.scale.sweeps.spec import Goal, Method, Range, Stopping, SweepSpec

if TYPE_CHECKING:
    import optuna

_QUIET_TRIALS: Final = 4  # trials that are chosen at random, and never given up, before anything is learned from them


def open_study(spec: SweepSpec, name: str, path: Path) -> "optuna.Study":
    """Return the study of a sweep, with everything tried so far."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    goals = [spec.objective.goal]
    if spec.method is Method.NSGA2:
        goals.append(Goal.MINIMIZE)
    return optuna.create_study(
        study_name=name,
        storage=f"sqlite:///{path}",
        sampler=_sampler(spec),
        pruner=_pruner(spec),
        directions=[optuna.study.StudyDirection[goal.name] for goal in goals],
        load_if_exists=True,
    )


def suggest(spec: SweepSpec, trial: "optuna.Trial") -> JsonObject:
    """Return the settings of a trial, by dotted name."""
    chosen: dict[str, JsonValue] = {}
    for name, dimension in spec.space.items():
        if not isinstance(dimension, Range):
            chosen[name] = trial.suggest_categorical(name, list(dimension))
        elif dimension.integer:
            chosen[name] = trial.suggest_int(name, int(dimension.low), int(dimension.high), log=dimension.log)
        else:
            chosen[name] = trial.suggest_float(name, dimension.low, dimension.high, log=dimension.log)
    return chosen


def _sampler(spec: SweepSpec) -> "optuna.samplers.BaseSampler":
    from optuna import samplers

    match spec.method:
        case Method.RANDOM:
            return samplers.RandomSampler(seed=spec.seed)
        case Method.TPE:
            # Trials that are still running count as likely to be bad, so that neighbors are not tried at once.
            return samplers.TPESampler(
                seed=spec.seed, multivariate=True, constant_liar=True, n_startup_trials=_QUIET_TRIALS
            )
        case Method.NSGA2:
            return samplers.NSGAIISampler(seed=spec.seed, population_size=max(_QUIET_TRIALS, spec.trials // 4))


def _pruner(spec: SweepSpec) -> "optuna.pruners.BasePruner":
    from optuna import pruners

    match spec.stopping:
        case Stopping.NEVER:
            return pruners.NopPruner()
        case Stopping.MEDIAN:
            return pruners.MedianPruner(n_startup_trials=_QUIET_TRIALS, n_warmup_steps=spec.patience_windows)
        case Stopping.HYPERBAND:
            return pruners.HyperbandPruner(min_resource=spec.patience_windows)
