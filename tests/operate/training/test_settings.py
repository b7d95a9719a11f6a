"""Settings: layers, presets, and errors that say where and what would be right."""

from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.settings import Ramp
from diorama.operate.training.layers import Layer, settings_of
from diorama.operate.training.plan import plan_training
from diorama.operate.training.presets import load_preset, preset_names
from diorama.runs.metadata import TrainerBackend
from diorama.worlds.registry import world_ids

WORLD = Layer(source="WORLD", values={"world": "prospector"})


def test_later_layers_win_key_by_key() -> None:
    preset = Layer(source="preset", values={"ppo": {"gamma": 0.9, "clip_coef": 0.1}, "steps": 10})
    flag = Layer(source="--gamma", values={"ppo": {"gamma": 0.99}})

    settings = settings_of([preset, flag, WORLD])

    assert (settings.ppo.gamma, settings.ppo.clip_coef, settings.steps) == (0.99, 0.1, 10)


def test_the_trainer_gets_its_own_part() -> None:
    settings = settings_of([WORLD, Layer(source="x", values={"ppo": {"gamma": 0.5}, "copies": 3})])

    assert settings.trainer.ppo.gamma == 0.5
    assert "copies" not in settings.trainer.model_dump()


def test_a_share_of_the_run_becomes_env_steps_and_fixes_the_total() -> None:
    ramp = {"start": 1e-3, "end": 0.0, "run_share": 0.25}
    settings = settings_of([WORLD, Layer(source="x", values={"steps": 1000, "optimizer": {"learning_rate": ramp}})])

    assert settings.optimizer.learning_rate == Ramp(start=1e-3, end=0.0, env_steps=250)
    assert settings.schedule_steps == 1000


def test_a_number_takes_the_place_of_a_schedule() -> None:
    ramp = {"optimizer": {"learning_rate": {"start": 1e-3, "end": 0.0, "run_share": 1.0}}}
    flag = Layer(source="--learning-rate", values={"optimizer": {"learning_rate": 0.01}})

    settings = settings_of([Layer(source="preset", values=ramp), flag, WORLD])

    assert settings.optimizer.learning_rate == 0.01
    assert settings.schedule_steps is None


def test_the_old_name_of_the_backend_is_understood() -> None:
    settings = settings_of([WORLD, Layer(source="--backend", values={"backend": "puffer_ppo"})])

    assert settings.backend is TrainerBackend.PPO


@pytest.mark.parametrize(
    ("source", "values", "message"),
    [
        pytest.param("--gamma", {"ppo": {"gamma": 1.5}}, "--gamma: ppo.gamma: 1.5 is wrong", id="out-of-range"),
        pytest.param("file.yaml", {"ppo": {"gama": 0.9}}, "file.yaml: ppo.gama: there is no such setting", id="typo"),
        pytest.param("--steps", {"steps": 0}, "--steps: steps: 0 is wrong", id="no-steps"),
        pytest.param("p", {"ppo": 3}, "p: ppo: 3 is wrong", id="a-number-for-a-section"),
        pytest.param(
            "p",
            {"optimizer": {"learning_rate": {"start": 1.0, "end": 0.0, "run_share": 2}}},
            "p: optimizer.learning_rate.run_share: 2 is wrong",
            id="more-than-the-run",
        ),
        pytest.param(
            "p", {"backend": "random", "cloning": {"bot": "idle"}}, "cloning needs the backend ppo", id="random-clone"
        ),
    ],
)
def test_an_error_names_source_path_and_value(source: str, values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_of([Layer(source=source, values=values), WORLD])

    assert message in str(caught.value)


@pytest.mark.parametrize("world_id", world_ids())
def test_every_preset_of_a_world_makes_a_plan(world_id: str) -> None:
    names = preset_names(world_id)

    assert {"default", "quick"} <= set(names)
    for name in names:
        plan_training(settings_of([load_preset(world_id, name), Layer(source="WORLD", values={"world": world_id})]))


def test_a_file_lies_over_a_preset_of_the_world(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: quick\nppo: {update_epochs: 3}\n")

    settings = settings_of([load_preset("prospector", str(path)), WORLD])

    shipped = settings_of([load_preset("prospector", "quick"), WORLD])
    assert settings == shipped.model_copy(update={"ppo": shipped.ppo.model_copy(update={"update_epochs": 3})})
    assert settings != shipped


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("ppo: [1, 2", "line 1, column", id="broken"),
        pytest.param("extends: mine\n", "extends is 'mine'; name another preset of 'prospector'", id="no-such-base"),
        pytest.param("- 1\n- 2\n", "holds a list; it must be a mapping", id="list"),
        pytest.param("a: !!python/object:os.system {}\n", "it must be YAML", id="no-objects"),
    ],
)
def test_a_broken_preset_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with pytest.raises(ConfigError) as caught:
        load_preset("prospector", str(path))

    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_preset_lists_those_there_are() -> None:
    with pytest.raises(UnknownName, match="default"):
        load_preset("prospector", "huge")


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        pytest.param({"world": "atlantis"}, UnknownName, "prospector", id="world"),
        pytest.param({"config": {"time_max": -1}}, ConfigError, "prospector.time_max", id="world-config"),
        pytest.param({"policy": {"arch": "magic"}}, ConfigError, "policy.arch", id="architecture"),
        pytest.param({"execution": {"device": "tpu"}}, ConfigError, "execution.device", id="device"),
        pytest.param({"execution": {"device": "cuda:99"}}, ConfigError, "is not here", id="no-such-gpu"),
        pytest.param({"cloning": {"bot": "nobody"}}, UnknownName, "prudent_hauler", id="bot"),
        pytest.param({"evaluation": {"milestones": {"fame": [1]}}}, UnknownName, "fame", id="milestone"),
        pytest.param({"copies": 1 << 30}, ConfigError, "copies", id="too-many-copies"),
    ],
)
def test_a_plan_is_refused_before_anything_is_written(
    values: dict[str, object], error: type[Exception], message: str
) -> None:
    settings = settings_of([WORLD, Layer(source="test", values=values)])

    with pytest.raises(error, match=message):
        plan_training(settings)
