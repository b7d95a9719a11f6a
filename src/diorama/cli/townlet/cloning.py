"""What `diorama townlet clone` does once its flags are read."""

from pathlib import Path
from typing import Final

from diorama.contracts.values import JsonValue
from diorama.learn.settings.imitation import GateSettings
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, load_preset, settings_of

WORLD: Final = "townlet"
# What shapes the rows a policy reads and the options it chooses from; scenes set the rest.
_SHAPING: Final = ("features", "observations", "policy_runtime")


def plan_cloning(
    dataset: Path, *, preset: str, overrides: list[tuple[str, dict[str, object]]], gate: GateSettings
) -> TrainingPlan:
    """Return the plan of a run that clones a dataset with the network of a preset.

    Raises:
        UnknownName: There is no such preset.
        ConfigError: A setting is wrong.
    """
    layers = [
        load_preset(WORLD, preset),
        dataset_layer(dataset, gate),
        Layer(source="dataset", values={"copies": 1}),
        *(Layer(source=source, values=values) for source, values in overrides),
        Layer(source="WORLD", values={"world": WORLD}),
    ]
    return plan_training(settings_of(layers))


def dataset_layer(dataset: Path, gate: GateSettings) -> Layer:
    """Return the settings that make a run imitate a dataset instead of whatever its preset begins with."""
    return Layer(source="dataset", values={"cloning": _cloning(dataset, gate), "start": None})


def shaping_of(preset: str) -> dict[str, object]:
    """Return what a preset says about the rows its policy reads."""
    config = load_preset(WORLD, preset).values.get("config")
    return {name: config[name] for name in _SHAPING if name in config} if isinstance(config, dict) else {}


def _cloning(dataset: Path, gate: GateSettings) -> dict[str, JsonValue]:
    # A bot's games are as long as a run needs them; a dataset is as it is, and learned more thoroughly.
    return {
        "bot": None,
        "dataset": str(dataset),
        "gate": gate.model_dump(mode="json"),
        "rounds": 1,
        "epochs": 10,
        "minibatch_rows": 512,
        "value_coef": 1.0,
        "disturbance": None,
        "anneal": 0.0,
    }
