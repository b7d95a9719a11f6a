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


def test_every_field_says_what_it_is() -> None:
    missing = [
        f"{model.__name__}.{name}"
        for model in models(TrainerSettings)
        for name, field in model.model_fields.items()
        if not field.description
    ]

    assert missing == []


def test_settings_survive_their_json() -> None:
    settings = TrainerSettings.model_validate(
        {
            "optimizer": {"learning_rate": {"start": 1e-3, "end": 0.0, "env_steps": 100, "shape": "cosine"}},
            "policy": {"heads": {"op": {"exploration": 0.1}}},
            "cloning": {"bot": "somebody"},
        }
    )

    assert TrainerSettings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        pytest.param({"ppo": {"rollout_step": 3}}, "Extra inputs", id="unknown-key"),
        pytest.param({"ppo": {"gamma": 1.5}}, "less than or equal to 1", id="discount-above-one"),
        pytest.param({"optimizer": {"learning_rate": -1.0}}, "greater than or equal to 0", id="negative-rate"),
        pytest.param({"ppo": {"rollout_steps": 100, "sequence_length": 32}}, "32 must divide", id="ragged-sequences"),
        pytest.param({"execution": {"precision": "tfloat32"}}, "needs a GPU", id="tensor-cores-of-the-cpu"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        TrainerSettings.model_validate(changes)


def test_a_ramp_runs_from_start_to_end_and_stays() -> None:
    linear = Ramp(start=1.0, end=0.2, env_steps=100)
    cosine = Ramp(start=1.0, end=0.0, env_steps=100, shape="cosine")

    assert [linear.at(steps) for steps in (0, 50, 100, 500)] == pytest.approx([1.0, 0.6, 0.2, 0.2])
    assert [cosine.at(steps) for steps in (0, 25, 50, 100)] == pytest.approx([1.0, 0.8535534, 0.5, 0.0])
    assert value_at(0.3, 10) == 0.3
