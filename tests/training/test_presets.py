"""Presets, and settings that are merged from several layers."""

from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.settings import Ramp
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, preset_names, settings_of
from diorama.worlds.registry import world_ids
from tests.refusals import refused

WORLD = Layer(source="WORLD", values={"world": "prospector"})


def with_rate(**ramp: object) -> dict[str, object]:
    return {"optimizer": {"learning_rate": {"start": 1e-3, "end": 0.0, **ramp}}}


def test_later_layers_win_key_by_key() -> None:
    preset = Layer(source="preset", values={"ppo": {"gamma": 0.9, "clip_coef": 0.1}, "steps": 10})
    flag = Layer(source="--gamma", values={"ppo": {"gamma": 0.99}})

    settings = settings_of([preset, flag, WORLD])

    assert (settings.ppo.gamma, settings.ppo.clip_coef, settings.steps) == (0.99, 0.1, 10)


def test_a_share_of_the_run_becomes_env_steps_and_fixes_the_total() -> None:
    settings = settings_of([WORLD, Layer(source="x", values={"steps": 1000, **with_rate(run_share=0.25)})])

    assert settings.optimizer.learning_rate == Ramp(start=1e-3, end=0.0, env_steps=250)
    assert settings.schedule_steps == 1000


def test_a_number_of_updates_becomes_env_steps() -> None:
    values = {"copies": 4, "ppo": {"rollout_steps": 8}, **with_rate(updates=3)}

    settings = settings_of([WORLD, Layer(source="x", values=values)])

    assert settings.optimizer.learning_rate == Ramp(start=1e-3, end=0.0, env_steps=3 * 4 * 8)
    assert settings.schedule_steps is None


def test_a_number_replaces_a_schedule() -> None:
    flag = Layer(source="--learning-rate", values={"optimizer": {"learning_rate": 0.01}})

    settings = settings_of([Layer(source="preset", values=with_rate(run_share=1.0)), flag, WORLD])

    assert settings.optimizer.learning_rate == 0.01
    assert settings.schedule_steps is None


def test_settings_that_a_world_needs_are_filled_in_where_no_layer_sets_them() -> None:
    layer = Layer(source="x", values={"world": "morphogenesis", "config": {"gamma": 0.9}, "copies": 3})

    settings = settings_of([layer])

    assert settings.ppo.gamma == 0.9
    assert settings.execution.lane_copies == 3
    assert settings_of([layer, Layer(source="y", values={"ppo": {"gamma": 0.8}})]).ppo.gamma == 0.8


@pytest.mark.parametrize(
    ("values", "code", "paths"),
    [
        pytest.param({"ppo": {"gamma": 1.5}}, "less_than_equal", ("ppo.gamma",), id="out-of-range"),
        pytest.param({"ppo": {"gama": 0.9}}, "extra_forbidden", ("ppo.gama",), id="typo"),
        pytest.param({"steps": 0}, "greater_than", ("steps",), id="no-steps"),
        pytest.param({"ppo": 3}, "model_type", ("ppo",), id="a-number-for-a-section"),
        pytest.param({"steps": 0, "copies": 0}, "greater_than", ("steps", "copies"), id="two-at-once"),
        pytest.param(with_rate(run_share=2), "ramp_share_invalid", ("optimizer.learning_rate.run_share",), id="share"),
        pytest.param(with_rate(updates=0), "ramp_updates_invalid", ("optimizer.learning_rate.updates",), id="updates"),
        pytest.param({"backend": "random", "cloning": {"bot": "idle"}}, "cloning_needs_ppo", ("",), id="rule"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_path(values: dict[str, object], code: str, paths: tuple[str, ...]) -> None:
    with refused(ConfigError, code, paths=paths):
        settings_of([Layer(source="test", values=values), WORLD])


def test_the_context_of_a_broken_rule_is_in_the_fields() -> None:
    with refused(ConfigError, "section_needs_ppo", section="course"):
        settings_of([Layer(source="test", values={"backend": "random", "course": {}}), WORLD])


@pytest.mark.parametrize("world_id", world_ids())
def test_every_preset_of_a_world_makes_a_plan(world_id: str) -> None:
    names = preset_names(world_id)

    assert {"default", "quick"} <= set(names)
    for name in names:
        plan_training(settings_of([load_preset(world_id, name), Layer(source="WORLD", values={"world": world_id})]))


def test_a_file_overrides_a_preset_of_the_world(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: quick\nppo: {update_epochs: 3}\n")

    settings = settings_of([load_preset("prospector", str(path)), WORLD])

    shipped = settings_of([load_preset("prospector", "quick"), WORLD])
    assert settings == shipped.model_copy(update={"ppo": shipped.ppo.model_copy(update={"update_epochs": 3})})
    assert settings != shipped


def test_none_is_a_preset_without_settings() -> None:
    assert load_preset("prospector", "none").values == {}


@pytest.mark.parametrize(
    ("text", "code", "fields"),
    [
        pytest.param("extends: mine\n", "preset_base_invalid", {"base": "mine"}, id="no-such-base"),
        pytest.param("extends: [quick]\n", "preset_base_invalid", {"base": ["quick"]}, id="several-bases"),
        pytest.param("- 1\n- 2\n", "preset_not_a_mapping", {}, id="list"),
        pytest.param("1: 2\n", "preset_not_a_mapping", {}, id="numbers-for-names"),
    ],
)
def test_a_file_that_is_no_preset_is_refused(tmp_path: Path, text: str, code: str, fields: dict[str, object]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with refused(ConfigError, code, source=str(path), **fields):
        load_preset("prospector", str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("ppo: [1, 2", "line 1, column", id="broken"),
        pytest.param("a: !!python/object:os.system {}\n", "it must be YAML", id="no-objects"),
    ],
)
def test_a_file_that_is_no_yaml_is_refused_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with pytest.raises(ConfigError) as caught:
        load_preset("prospector", str(path))

    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with refused(UnknownName, "unknown_preset", name="huge") as caught:
        load_preset("prospector", "huge")

    assert {"default", "quick", "none"} <= set(caught.value.fields["known"])  # type: ignore[call-overload]
