"""What `diorama townlet anneal` and `replay` do once their flags are read."""

from pathlib import Path
from typing import Final

from diorama.cli.townlet.cloning import WORLD, dataset_layer
from diorama.contracts.errors import ConfigError
from diorama.learn.settings.imitation import AnnealSettings, GateSettings
from diorama.training.compatibility import anneal_steps
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.worlds.townlet.config.loading import parse_simulation, validated
from diorama.worlds.townlet.config.services.learning import Training
from diorama.worlds.townlet.data.reading import parse_yaml, read_named

_CLONING_EPOCHS: Final = 10
Overrides = list[tuple[str, dict[str, object]]]


def plan_annealing(dataset: Path, *, preset: str, overrides: Overrides, schedule: dict[str, object]) -> TrainingPlan:
    """Return the plan of a run that hands a town over, stage by stage; its env steps are those of its stages.

    Raises:
        UnknownName: There is no such preset.
        ConfigError: A setting or a stage is wrong.
    """
    layers = [
        load_preset(WORLD, preset),
        dataset_layer(dataset, GateSettings()),
        Layer(source="schedule", values={"anneal": schedule}),
        *(Layer(source=source, values=values) for source, values in overrides),
        Layer(source="WORLD", values={"world": WORLD}),
    ]
    settings = settings_of(layers)
    assert settings.anneal is not None
    steps = Layer(source="schedule", values={"steps": anneal_steps(settings.anneal, settings)})
    # Before what the caller sets, so that another number of steps is refused and not passed over.
    return plan_training(settings_of([layers[0], steps, *layers[1:]]))


def plan_replaying(dataset: Path, *, preset: str, overrides: Overrides, start: Path | None) -> TrainingPlan:
    """Return the plan of a run that learns by PPO from a dataset alone.

    Raises:
        UnknownName: There is no such preset.
        ConfigError: A setting is wrong.
    """
    begun = None if start is None else str(start)
    layers = [
        load_preset(WORLD, preset),
        Layer(source="dataset", values={"replay": {"dataset": str(dataset)}, "cloning": None, "start": begun}),
        *(Layer(source=source, values=values) for source, values in overrides),
        Layer(source="WORLD", values={"world": WORLD}),
    ]
    return plan_training(settings_of(layers))


def usual_schedule(*, stages: int, cycles: int, accuracy: float) -> dict[str, object]:
    """Return a schedule that clones once and then hands over in equal steps."""
    handing_over = [{"cycle": 1 + number, "mode": "ppo", "epochs": cycles} for number in range(stages)]
    return {
        "stages": [{"cycle": 0, "mode": "bc", "epochs": _CLONING_EPOCHS}, *handing_over],
        "accuracy_threshold": accuracy,
    }


def read_schedule(path: Path) -> dict[str, object]:
    """Return the schedule of a town's configuration, or of a file that holds its `training` section alone.

    Raises:
        ConfigError: The file is missing, wrong, or has no `anneal_schedule`.
    """
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file; name a configuration with training.anneal_schedule")
    document = parse_yaml(read_named(path.name, path.parent), path.name)
    if isinstance(document, dict) and set(document) == {"training"}:
        training = validated(Training, document["training"], f"{path.name}: training")
    else:
        training = parse_simulation(document, path.name).training
    if not training.anneal_schedule:
        raise ConfigError(f"{path.name}: training.anneal_schedule is empty; list stages of cycle, mode and epochs")
    return _settings_of(training).model_dump(mode="json")


def _settings_of(training: Training) -> AnnealSettings:
    return AnnealSettings.model_validate(
        {
            "stages": [stage.model_dump(exclude_unset=True) for stage in training.anneal_schedule],
            "accuracy_threshold": training.anneal_accuracy_threshold,
            "start_ratio": training.anneal_start_ratio,
            "end_ratio": training.anneal_end_ratio,
            "freeze_drop": training.anneal_freeze_drop,
        }
    )
