"""Checks of settings against their world: its needs, course, opponents and expert."""

import pytest

from diorama.contracts.errors import ConfigError, DioramaError, UnknownName
from diorama.contracts.plans import TrainingNeeds
from diorama.training.compatibility import (
    anneal_steps,
    config_in_cycle,
    first_overlay,
    gate_of,
    needs_of,
    overlays_of,
)
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.settings import CourseSettings
from diorama.worlds.registry import load_world
from tests.refusals import refused

SHORT = {"copies": 2, "ppo": {"rollout_steps": 16}}
PPO_STAGE = {"cycle": 0, "mode": "ppo", "epochs": 2}
STAGE_STEPS = 64


def planned(world: str, **values: object) -> TrainingPlan:
    return plan_training(settings_of([Layer(source="test", values={"world": world, **values})]))


def annealed(*stages: dict[str, object], world: str = "townlet", **values: object) -> TrainingPlan:
    anneal = {"stages": list(stages) or [PPO_STAGE]}
    layers = [{"world": world, "steps": STAGE_STEPS, "anneal": anneal}, SHORT, values]
    return plan_training(settings_of([Layer(source="test", values=layer) for layer in layers]))


@pytest.mark.parametrize(
    ("world", "values", "error", "code", "fields"),
    [
        pytest.param(
            "morphogenesis", {"ppo": {"gamma": 0.5}}, ConfigError, "world_needs_other_settings", {}, id="discount"
        ),
        pytest.param(
            "morphogenesis", {"ppo": {"rollout_steps": 3}}, ConfigError, "world_needs_other_settings", {}, id="rollout"
        ),
        pytest.param(
            "morphogenesis",
            {"copies": 2, "execution": {"lane_copies": 1}},
            ConfigError,
            "world_needs_other_settings",
            {},
            id="shards",
        ),
        pytest.param(
            "prospector", {"course": {}}, ConfigError, "world_has_no_course", {"world": "prospector"}, id="no-course"
        ),
        pytest.param("townlet", {"overlay": "M9"}, UnknownName, "unknown_overlay", {"name": "M9"}, id="overlay"),
        pytest.param(
            "townlet",
            {"course": {"last": "M9"}},
            UnknownName,
            "unknown_overlay",
            {"name": "M9"},
            id="overlay-of-course",
        ),
        pytest.param(
            "townlet",
            {"course": {"first": "M2", "last": "M1"}},
            ConfigError,
            "course_ends_before_it_starts",
            {"first": "M2", "last": "M1"},
            id="backwards",
        ),
        pytest.param(
            "prospector", {"self_play": {}}, ConfigError, "world_has_no_opponents", {"world": "prospector"}, id="alone"
        ),
        pytest.param(
            "prospector",
            {"curriculum": {}},
            ConfigError,
            "world_has_no_opponents",
            {"world": "prospector"},
            id="no-stages",
        ),
        pytest.param(
            "tidebreak",
            {"config": {"seats": 2}, "self_play": {"scripts": ["sleeper"]}},
            UnknownName,
            "unknown_script",
            {"name": "sleeper"},
            id="script",
        ),
        pytest.param(
            "tidebreak",
            {"config": {"seats": 2}, "self_play": {"scripts": [], "pool_every": None}},
            ConfigError,
            "self_play_has_no_opponents",
            {},
            id="empty-pool",
        ),
        pytest.param(
            "tidebreak",
            {"curriculum": {"last": 40}},
            ConfigError,
            "curriculum_stages_out_of_range",
            {"last": 40},
            id="stages",
        ),
    ],
)
def test_settings_that_do_not_fit_the_world_are_refused(
    world: str, values: dict[str, object], error: type[DioramaError], code: str, fields: dict[str, object]
) -> None:
    with refused(error, code, **fields):
        planned(world, **values)


@pytest.mark.parametrize(
    ("stages", "values", "code", "fields"),
    [
        pytest.param([], {"world": "prospector"}, "world_has_no_expert", {"world": "prospector"}, id="no-expert"),
        pytest.param([{**PPO_STAGE, "bc_weight": 1.0}], {}, "anneal_needs_dataset", {}, id="no-dataset"),
        pytest.param(
            [{**PPO_STAGE, "bc_weight": 1.0}],
            {"cloning": {"bot": "scripted"}},
            "anneal_needs_dataset",
            {},
            id="bot-instead-of-a-dataset",
        ),
        pytest.param([], {"ppo": {"teacher_share": 0.5}}, "anneal_excludes_teacher_share", {}, id="teacher"),
        pytest.param([], {"ppo": {"vtrace": {}}}, "anneal_excludes_teacher_share", {}, id="vtrace"),
        pytest.param(
            [],
            {"cloning": {"dataset": "d", "anneal": 0.5}},
            "anneal_excludes_cloning_anneal",
            {},
            id="weight-of-the-cloning-loss",
        ),
        pytest.param([], {"steps": 7}, "anneal_needs_other_steps", {"steps": 7, "needed": STAGE_STEPS}, id="steps"),
    ],
)
def test_a_schedule_that_cannot_be_run_is_refused(
    stages: list[dict[str, object]], values: dict[str, object], code: str, fields: dict[str, object]
) -> None:
    with refused(ConfigError, code, **fields):
        annealed(*stages, **values)  # type: ignore[arg-type]


def test_only_ppo_stages_take_env_steps() -> None:
    bc_stage: dict[str, object] = {"cycle": 0, "mode": "bc", "epochs": 5}
    plan = annealed(bc_stage, {**PPO_STAGE, "cycle": 1}, cloning={"dataset": "d"})

    assert plan.settings.anneal is not None
    assert anneal_steps(plan.settings.anneal, plan.settings) == STAGE_STEPS


def test_the_gate_of_a_schedule_is_that_of_cloning_with_the_threshold_of_the_schedule() -> None:
    plan = annealed(cloning={"dataset": "d", "gate": {"accuracy": 0.1, "recall": 0.25}})

    assert plan.settings.anneal is not None
    gate = gate_of(plan.settings.anneal, plan.settings)

    assert (gate.accuracy, gate.recall) == (plan.settings.anneal.accuracy_threshold, 0.25)


def test_a_world_or_a_configuration_that_is_wrong_needs_nothing() -> None:
    assert needs_of("morphogenesis", {}).one_lane
    assert needs_of("atlantis", {}) == TrainingNeeds()
    assert needs_of("morphogenesis", {"gamma": 7}) == TrainingNeeds()
    assert needs_of(3, {}) == TrainingNeeds()
    assert needs_of("prospector", {}) == TrainingNeeds()


def test_a_course_goes_from_its_first_overlay_to_its_last() -> None:
    world = load_world("townlet")
    names = tuple(world.overlays)

    assert overlays_of(world, CourseSettings()) == names
    assert overlays_of(world, CourseSettings(first=names[1], last=names[2])) == names[1:3]


def test_a_run_begins_with_the_first_overlay_of_its_course_or_with_its_only_one() -> None:
    course, fixed, plain = (
        planned("townlet", **values) for values in ({"course": {"first": "M1"}}, {"overlay": "M2"}, {})
    )

    assert [first_overlay(plan.venue, plan.settings) for plan in (course, fixed, plain)] == ["M1", "M2", None]


def test_the_configuration_of_a_world_without_a_course_stays() -> None:
    plan = planned("prospector")

    assert config_in_cycle(plan.venue, plan.settings, None, 3) is plan.venue.config
