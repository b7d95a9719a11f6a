"""`plan_training` and the checks of plans for several processes: refused before anything is written."""

import pytest
import torch

from diorama.contracts.errors import ConfigError, DioramaError, UnknownName
from diorama.training.plan import TrainingPlan, check_processes, check_workers, plan_training
from diorama.training.presets import Layer, settings_of
from tests.refusals import refused


def planned(**values: object) -> TrainingPlan:
    return plan_training(settings_of([Layer(source="test", values={"world": "prospector", **values})]))


def test_a_plan_has_the_venue_and_the_milestones_of_world_and_settings() -> None:
    plan = planned(config={"time_max": 300.0}, evaluation={"milestones": {"return": [1.5]}})

    assert plan.spec.world == "prospector"
    assert plan.venue.config.model_dump()["time_max"] == 300.0
    assert plan.milestones["return"] == (1.5,)
    assert set(dict(plan.spec.milestones)) <= set(plan.milestones)
    assert plan.learns
    assert plan.policy_arch == plan.settings.policy.arch


def test_random_play_has_no_policy_and_needs_no_device() -> None:
    plan = planned(backend="random", policy={"arch": "magic"}, execution={"device": "tpu"})

    assert not plan.learns
    assert plan.policy_arch is None


@pytest.mark.parametrize(
    ("values", "error", "code", "fields"),
    [
        pytest.param({"copies": 1 << 30}, ConfigError, "copies_out_of_range", {"copies": 1 << 30}, id="copies"),
        pytest.param({"overlay": "M0"}, UnknownName, "unknown_overlay", {"name": "M0"}, id="overlay"),
        pytest.param({"cloning": {"bot": "sleeper"}}, UnknownName, "unknown_bot", {"name": "sleeper"}, id="bot"),
        pytest.param({"execution": {"device": "tpu"}}, ConfigError, "device_invalid", {"device": "tpu"}, id="device"),
        pytest.param(
            {"execution": {"device": "cuda:99"}},
            ConfigError,
            "device_missing",
            {"device": "cuda:99", "gpus": torch.cuda.device_count()},
            id="no-such-gpu",
        ),
        pytest.param({"world": "atlantis"}, UnknownName, "unknown_name", {}, id="world"),
        pytest.param(
            {"evaluation": {"milestones": {"fame": [1]}}}, UnknownName, "unknown_name", {"name": "fame"}, id="milestone"
        ),
    ],
)
def test_a_plan_that_cannot_run_is_refused(
    values: dict[str, object], error: type[DioramaError], code: str, fields: dict[str, object]
) -> None:
    with refused(error, code, **fields):
        planned(**values)


@pytest.mark.parametrize(
    ("values", "path"),
    [
        pytest.param({"config": {"time_max": -1}}, "prospector.time_max", id="world-config"),
        pytest.param({"policy": {"arch": "magic"}}, "policy.arch", id="architecture"),
    ],
)
def test_a_wrong_value_of_world_or_policy_is_refused_with_its_path(values: dict[str, object], path: str) -> None:
    with pytest.raises(ConfigError) as caught:
        planned(**values)

    assert str(caught.value).startswith(path)


LOCAL_ONLY = [
    pytest.param({"backend": "random"}, "distributed_needs_ppo", {}, id="random"),
    pytest.param({"execution": {"pipeline": True}}, "distributed_excludes_pipeline", {}, id="pipeline"),
    pytest.param(
        {"replay": {"dataset": "d"}}, "distributed_excludes_section", {"section": "replay"}, id="stored-episodes"
    ),
    pytest.param({"world": "townlet"}, "world_needs_one_process", {"world": "townlet"}, id="replaced-copies"),
    pytest.param(
        {"world": "morphogenesis"},
        "world_needs_one_process",
        {"world": "morphogenesis"},
        id="copies-that-step-together",
    ),
]


@pytest.mark.parametrize(
    ("values", "code", "fields"),
    [
        pytest.param({"copies": 3}, "copies_not_divisible", {"copies": 3, "processes": 2}, id="copies"),
        pytest.param(
            {"world": "tidebreak", "config": {"seats": 2}, "self_play": {}},
            "processes_exclude_matches",
            {},
            id="matches",
        ),
        pytest.param({"normalization": {"rewards": "running_std"}}, "processes_exclude_running_std", {}, id="rewards"),
        pytest.param({"ppo": {"diagnosed": True}}, "processes_exclude_diagnosed", {}, id="diagnosed"),
        *LOCAL_ONLY,
    ],
)
def test_a_plan_that_several_processes_cannot_train_is_refused(
    values: dict[str, object], code: str, fields: dict[str, object]
) -> None:
    plan = planned(**{"copies": 4, **values})

    with refused(ConfigError, code, **fields):
        check_processes(plan, 2)


@pytest.mark.parametrize(
    ("values", "code", "fields"),
    [
        pytest.param({"copies": 1}, "more_workers_than_copies", {"copies": 1, "workers": 2}, id="copies"),
        pytest.param({"ppo": {"teacher_share": 0.5}}, "workers_exclude_teacher_share", {}, id="teacher"),
        pytest.param({"policy": {"value_components": {"ore": 1.0}}}, "workers_exclude_components", {}, id="components"),
        *LOCAL_ONLY,
    ],
)
def test_a_plan_that_remote_workers_cannot_collect_for_is_refused(
    values: dict[str, object], code: str, fields: dict[str, object]
) -> None:
    plan = planned(**{"copies": 4, **values})

    with refused(ConfigError, code, **fields):
        check_workers(plan, 2)


def test_processes_and_workers_may_share_the_copies_of_a_plain_plan() -> None:
    plan = planned(copies=4)

    check_processes(plan, 2)
    check_processes(plan, 4)
    check_workers(plan, 3)


def test_workers_may_play_matches() -> None:
    check_workers(planned(world="tidebreak", config={"seats": 2}, copies=4, self_play={}), 2)
