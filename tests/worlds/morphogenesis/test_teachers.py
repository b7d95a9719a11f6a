"""Learning from teachers where masks depend on the operation: DAgger rounds, and kickstarting by bots and policies."""

from pathlib import Path

import pytest

from diorama.learn.imitation.demonstrations import demonstrations_from_recording, record_demonstrations
from diorama.learn.policies.heads import had_choice
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.teachers import bot_teacher
from diorama.worlds.registry import load_world
from tests.training.small_runs import train_small
from tests.worlds.morphogenesis.learners import controller_policy, small_batch

QUICK = {
    "world": "morphogenesis",
    "steps": 24,
    "evaluation": {"closing_episodes": 0, "replays_per_window": 0},
}


def quick_plan(**changes: object) -> TrainingPlan:
    layers = [load_preset("morphogenesis", "quick"), Layer(source="test", values={**QUICK, **changes})]
    return plan_training(settings_of(layers))


@pytest.mark.parametrize("bot", ["rules", "grow_three"])
@pytest.mark.parametrize("policy_acts", [False, True])
def test_demonstrations_hold_the_masks_that_depend_on_the_operation(bot: str, *, policy_acts: bool) -> None:
    policy, teacher = controller_policy(), bot_teacher(load_world("morphogenesis"), bot)

    recording = record_demonstrations([small_batch()], teacher, policy, decisions=16, length=4, policy_acts=policy_acts)
    demonstrations = demonstrations_from_recording(recording, policy, length=4, gamma=0.9)

    inputs = demonstrations.inputs
    assert set(inputs.extras) == {"slot_by_op"}
    assert inputs.extras["slot_by_op"].any()
    free = had_choice(policy.heads.plan, inputs.masks, inputs.extras, inputs.actions)
    assert ((demonstrations.head_weights == 0) | (free != 0)).all()
    assert demonstrations.head_weights.any()


def test_dagger_rounds_train_a_policy_with_conditional_masks(tmp_path: Path) -> None:
    cloning = {"bot": "grow_three", "decisions": 24, "copies": 2, "epochs": 1, "rounds": 2, "minibatch_rows": 12}

    outcome = train_small(tmp_path, "run", quick_plan(cloning=cloning))

    assert outcome.env_steps_total == 24


def test_bots_and_policies_kickstart_a_policy_with_conditional_masks(tmp_path: Path) -> None:
    def agreement(run_id: str, teacher: str) -> tuple[object, RunLayout]:
        layout = train_small(tmp_path, run_id, quick_plan(steps=48, kickstarting={"teacher": teacher})).layout
        return [*Run(layout).windows()][-1]["teacher_agreement"], layout

    by_rules, layout = agreement("rules", "rules")
    by_clock, _ = agreement("clock", "grow_three")
    by_policy, _ = agreement("policy", str(layout.directory))

    for share in (by_rules, by_clock, by_policy):
        assert isinstance(share, float)
        assert 0.0 <= share <= 1.0
