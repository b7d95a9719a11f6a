"""`TrainingSettings`: rules over several sections, and how settings are merged."""

import pytest
from pydantic import ValidationError

from diorama.runs.metadata import TrainerBackend
from diorama.training.settings import TrainingSettings, deep_merge

ANNEAL = {"stages": [{"cycle": 0, "mode": "ppo"}]}


def settings(**values: object) -> TrainingSettings:
    return TrainingSettings.model_validate({"world": "prospector", **values})


def test_the_trainer_gets_its_own_part() -> None:
    trainer = settings(ppo={"gamma": 0.5}, copies=3).trainer

    assert trainer.ppo.gamma == 0.5
    assert "copies" not in trainer.model_dump()


def test_the_old_name_of_the_backend_is_understood() -> None:
    assert settings(backend="puffer_ppo").backend is TrainerBackend.PPO


@pytest.mark.parametrize(
    ("values", "code", "context"),
    [
        pytest.param({"backend": "random", "cloning": {"bot": "idle"}}, "cloning_needs_ppo", {}, id="random-clone"),
        pytest.param(
            {"backend": "random", "kickstarting": {"teacher": "idle"}},
            "kickstarting_needs_ppo",
            {},
            id="random-kickstarting",
        ),
        pytest.param({"backend": "random", "start": "runs/first"}, "start_needs_ppo", {}, id="random-start"),
        pytest.param({"backend": "random", "self_play": {}}, "matches_need_ppo", {}, id="random-self-play"),
        pytest.param({"backend": "random", "curriculum": {}}, "matches_need_ppo", {}, id="random-curriculum"),
        pytest.param(
            {"backend": "random", "course": {}}, "section_needs_ppo", {"section": "course"}, id="random-course"
        ),
        pytest.param(
            {"backend": "random", "anneal": ANNEAL}, "section_needs_ppo", {"section": "anneal"}, id="random-anneal"
        ),
        pytest.param(
            {"self_play": {}, "replay": {"dataset": "d"}},
            "section_excludes_matches",
            {"section": "replay"},
            id="replay-beside-self-play",
        ),
        pytest.param({"overlay": "M1", "course": {}}, "overlay_excludes_course", {}, id="overlay-and-course"),
    ],
)
def test_sections_that_exclude_each_other_are_refused(
    values: dict[str, object], code: str, context: dict[str, object]
) -> None:
    with pytest.raises(ValidationError) as caught:
        settings(**values)

    (problem,) = caught.value.errors()
    assert (problem["type"], problem.get("ctx", {})) == (code, context)


def test_merging_goes_key_by_key_and_changes_neither_side() -> None:
    lower: dict[str, object] = {"ppo": {"gamma": 0.9, "clip_coef": 0.1}, "steps": 10}
    upper: dict[str, object] = {"ppo": {"gamma": 0.99}}

    merged = deep_merge(lower, upper)

    assert merged == {"ppo": {"gamma": 0.99, "clip_coef": 0.1}, "steps": 10}
    assert lower == {"ppo": {"gamma": 0.9, "clip_coef": 0.1}, "steps": 10}
    assert upper == {"ppo": {"gamma": 0.99}}


@pytest.mark.parametrize(
    "length", [{"run_share": 0.5}, {"updates": 3}, {"env_steps": 100}], ids=lambda item: next(iter(item))
)
def test_a_ramp_replaces_another_ramp_as_a_whole(length: dict[str, object]) -> None:
    lower = {"optimizer": {"learning_rate": {"start": 1.0, "end": 0.5, "env_steps": 7}}}
    ramp = {"start": 0.1, **length}

    assert deep_merge(lower, {"optimizer": {"learning_rate": ramp}}) == {"optimizer": {"learning_rate": ramp}}
