import pytest
from pydantic import BaseModel, ValidationError

from diorama.learn.settings import Ramp, TrainerSettings, value_at
from diorama.learn.settings.schedules import Settings


def test_the_defaults_are_those_of_the_trainer_command() -> None:
    settings = TrainerSettings()

    assert settings.policy.arch == "mlp-256x256-tanh-v1"
    assert (settings.ppo.rollout_steps, settings.ppo.num_minibatches, settings.ppo.update_epochs) == (128, 4, 4)
    assert (settings.ppo.gamma, settings.ppo.gae_lambda, settings.ppo.clip_coef) == (0.997, 0.95, 0.2)
    assert (settings.ppo.ent_coef, settings.ppo.vf_coef, settings.ppo.use_action_mask) == (0.01, 0.5, True)
    assert (settings.optimizer.learning_rate, settings.optimizer.max_grad_norm) == (3e-4, 0.5)


def models(model: type[BaseModel]) -> list[type[BaseModel]]:
    found = [model]
    for field in model.model_fields.values():
        for candidate in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(candidate, type) and issubclass(candidate, Settings):
                found += models(candidate)
    return found


def test_every_field_has_a_description() -> None:
    missing = [
        f"{model.__name__}.{name}"
        for model in models(TrainerSettings)
        for name, field in model.model_fields.items()
        if not field.description
    ]

    assert missing == []


def test_settings_are_equal_after_a_json_round_trip() -> None:
    settings = TrainerSettings.model_validate(
        {
            "optimizer": {"learning_rate": {"start": 1e-3, "end": 0.0, "env_steps": 100, "shape": "cosine"}},
            "policy": {"heads": {"op": {"exploration": 0.1}}},
            "cloning": {"bot": "greedy"},
        }
    )

    assert TrainerSettings.model_validate_json(settings.model_dump_json()) == settings


def test_the_entropy_bonus_may_become_a_price_of_indecision_and_nothing_else_may() -> None:
    ramp = {"start": 0.01, "end": -0.02, "env_steps": 100}

    settings = TrainerSettings.model_validate({"ppo": {"ent_coef": ramp}})

    assert value_at(settings.ppo.ent_coef, 100) == pytest.approx(-0.02)
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        TrainerSettings.model_validate({"ppo": {"vf_coef": ramp}})


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        pytest.param({"ppo": {"rollout_step": 3}}, "extra_forbidden", id="unknown-key"),
        pytest.param({"ppo": {"gamma": 1.5}}, "less_than_equal", id="discount-above-one"),
        pytest.param({"optimizer": {"learning_rate": -1.0}}, "greater_than_equal", id="negative-rate"),
        pytest.param(
            {"ppo": {"rollout_steps": 100, "sequence_length": 32}}, "sequence_length_indivisible", id="ragged-sequences"
        ),
        pytest.param({"ppo": {"vtrace": {}, "teacher_share": 0.5}}, "vtrace_with_teacher", id="vtrace-with-an-expert"),
        pytest.param({"execution": {"precision": "tfloat32"}}, "precision_needs_gpu", id="tensor-cores-of-the-cpu"),
        pytest.param({"execution": {"overlap": True}}, "overlap_needs_pipeline", id="overlap-on-the-cpu"),
        pytest.param({"cloning": {}}, "bot_or_dataset_needed", id="nothing-to-imitate"),
        pytest.param({"cloning": {"bot": "a", "dataset": "b"}}, "bot_or_dataset_needed", id="bot-and-dataset"),
        pytest.param({"cloning": {"dataset": "b", "rounds": 2}}, "rounds_need_bot", id="rounds-of-a-dataset"),
        pytest.param({"cloning": {"bot": "a", "gate": {}}}, "gate_needs_dataset", id="gate-without-held-out-episodes"),
        pytest.param({"starts": {"sources": []}}, "too_short", id="starts-from-nowhere"),
        pytest.param({"starts": {"sources": ["replays"]}}, "replays_go_together", id="replays-that-are-not-named"),
        pytest.param({"starts": {"ordinary_share": 1.5}}, "ordinary_share_above_one", id="more-than-all-starts"),
        pytest.param(
            {"starts": {"ordinary_share": {"start": 0.0, "end": 2.0, "env_steps": 9}}},
            "ordinary_share_above_one",
            id="more-than-all-starts-at-last",
        ),
        pytest.param({"starts": {"replays": ["a"]}}, "replays_go_together", id="replays-that-are-not-used"),
        pytest.param({"starts": {"bot": "a"}}, "bot_needs_demonstrations", id="bot-that-demonstrates-nothing"),
        pytest.param(
            {"starts": {"sources": ["demonstrations"], "memory": "stored"}},
            "stored_memory_needs_rollouts",
            id="memory-of-nobody",
        ),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TrainerSettings.model_validate(changes)

    assert kind in {problem["type"] for problem in caught.value.errors()}


def test_a_ramp_runs_from_start_to_end_and_stays() -> None:
    linear = Ramp(start=1.0, end=0.2, env_steps=100)
    cosine = Ramp(start=1.0, end=0.0, env_steps=100, shape="cosine")

    assert [linear.at(steps) for steps in (0, 50, 100, 500)] == pytest.approx([1.0, 0.6, 0.2, 0.2])
    assert [cosine.at(steps) for steps in (0, 25, 50, 100)] == pytest.approx([1.0, 0.8535534, 0.5, 0.0])
    assert value_at(0.3, 10) == 0.3
