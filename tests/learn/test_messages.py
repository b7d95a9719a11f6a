"""The wording of errors that users of the trainer can cause; other tests assert codes and fields."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from pydantic import ValidationError

import diorama
from diorama.contracts.errors import ConfigError, DioramaError
from diorama.contracts.matches import CurriculumStage, opposing_seats
from diorama.contracts.spec import Dtype, ObservationField
from diorama.contracts.validation import first_problem
from diorama.learn.distributed import Team
from diorama.learn.evaluation.contest import check_contenders, consecutive_seeds
from diorama.learn.evaluation.matchups import select_scripts
from diorama.learn.evaluation.protocol import judge
from diorama.learn.evaluation.report import check_new_file
from diorama.learn.imitation.datasets import check_action_balance, open_dataset
from diorama.learn.imitation.demonstrations import split_holdout
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.imitation.validation import Agreement, check_gate
from diorama.learn.normalization import ObservationNormalizer
from diorama.learn.policies.head_plan import plan_heads
from diorama.learn.policies.names import parse_name
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.curriculum import Curriculum
from diorama.learn.settings import HeadSettings, NormalizationSettings, PolicySettings, TrainerSettings
from diorama.learn.settings.imitation import GateSettings
from diorama.learn.settings.selfplay import CurriculumSettings
from diorama.learn.settings.starts import StartSource, StartsSettings
from diorama.learn.start_library import StartLibrary
from diorama.learn.state import Counters
from diorama.learn.trainer import Trainer
from diorama.worlds.registry import load_world
from tests.learn.evaluation.factories import toy_contest
from tests.learn.imitation.episodes import episode
from tests.learn.toys import Corridor, Cues, head, toy_spec

BYTES = toy_spec(
    (
        ObservationField(name="kind", start=0, dtype=Dtype.UINT8, low=0, high=9, meaning="a name"),
        ObservationField(name="owner", start=1, dtype=Dtype.UINT8, low=0, high=9, meaning="a name"),
    ),
    (head("move", 3), head("slot", 2)),
)
ROCKS = toy_spec(
    (
        ObservationField(name="rocks", start=0, shape=(3, 2), meaning="a table"),
        ObservationField(name="ways", start=6, shape=(1, 2), meaning="a table"),
    ),
    (head("move", 3), head("slot", 2)),
)
FIELDS = toy_spec((ObservationField(name="wide", start=0, shape=(2,), meaning="numbers"),), (head("move", 3),))


def build_policy(**policy: object) -> None:
    Policy(BYTES, PolicySettings.model_validate(policy), NormalizationSettings(), seed=1)


def build_pointing_policy(**policy: object) -> None:
    Policy(ROCKS, PolicySettings.model_validate(policy), NormalizationSettings(), seed=1)


def plan(**heads: dict[str, object]) -> None:
    plan_heads(BYTES, {name: HeadSettings.model_validate(item) for name, item in heads.items()})


def normalize(*passthrough: str) -> None:
    ObservationNormalizer(FIELDS, passthrough=passthrough, clip=5.0, momentum=None)


def trainer(envs: Corridor | Cues, **sections: object) -> Trainer:
    settings = {"ppo": {"rollout_steps": 2, "num_minibatches": 1}, "execution": {"threads": 1}, **sections}
    return Trainer(envs, TrainerSettings.model_validate(settings), seed=1)


def train_without_extra_arrays() -> None:
    mask = {"second": {"conditional_mask": {"given": "first", "extra": "valid"}}}
    trainer(Cues(2), policy={"arch": "mlp-8-tanh-v1", "heads": mask})


def belt_trainer(*components: str) -> Trainer:
    belt = diorama.make("prospector", copies=1, config={"reward_profile": "v2"}, tier="reference")
    policy = {"arch": "mlp-8-tanh-v1", "value_components": dict.fromkeys(components, 1.0)}
    return Trainer(belt, TrainerSettings.model_validate({"policy": policy, "execution": {"threads": 1}}), seed=1)


def train_with_another_term() -> None:
    belt_trainer("luck")


def learn_components_offline() -> None:
    training = belt_trainer("credits", "ore", "time", "damage", "heat", "invalid", "terminal")
    training.set_offline_buffer(OfflineBuffer([episode(1)], BYTES, training.settings, seed=1))


def resume_with_fewer_copies() -> None:
    trainer(Corridor(3)).load_state(trainer(Corridor(4)).state())


def train_with_nan() -> None:
    training = trainer(Corridor(2))
    with torch.no_grad():
        training.policy.value_head.bias.fill_(torch.nan)
    training.update()


def train_with_infinite_weights() -> None:
    training = trainer(Corridor(2))
    with torch.no_grad():
        next(training.policy.encoder.parameters()).fill_(torch.inf)
    training.update()


def lose_a_process() -> None:
    with Team(rank=0, size=2, local_size=2)._connected():
        raise RuntimeError("Connection closed by peer")


def check_settings(**sections: object) -> None:
    try:
        TrainerSettings.model_validate(sections)
    except ValidationError as error:
        raise ConfigError(first_problem(error), code=error.errors()[0]["type"]) from None


STAGE = CurriculumStage(name="one", lessons=({},), promote_at=0.8)
POOR_CLONE = Agreement(decisions=10, accuracy=0.5, frames={}, recalls={}, value_error=0.0)


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        pytest.param(
            lambda: parse_name("mlp-v1"),
            "policy.arch: 'mlp-v1' is not a policy name; names look like mlp-256x256-tanh-v1, mlp-128-relu-separate-v1,"
            " mlp-256x128-relu-mingru-v1, cnn-v1, cnn-small-v1, mingru-128-v1, lstm-128-v1, cnn-mingru-256-v1,"
            " branches-lstm-128-v1, residual-lstm-128-v1",
            id="policy_name_invalid",
        ),
        pytest.param(
            lambda: build_policy(arch="cnn-v1"),
            "policy.arch: 'toy' has no picture (a uint8 field with 2 or 3 dimensions); use mlp-...",
            id="picture_missing",
        ),
        pytest.param(
            lambda: build_policy(arch="mlp-8-tanh-v1", embeddings={"kind": 4}),
            "policy.embeddings: mlp-8-tanh-v1 has no embeddings; use residual-lstm-...",
            id="embeddings_unsupported",
        ),
        pytest.param(
            lambda: build_pointing_policy(arch="residual-lstm-8-v1", entities={"rocks": {}}),
            "policy.entities: residual-lstm-8-v1 has no layers over a flat observation; use mlp-... or mingru-...",
            id="entities_unsupported",
        ),
        pytest.param(
            lambda: build_pointing_policy(
                arch="mlp-8-tanh-v1", entities={"rocks": {}}, auxiliary={"a": {"target": "b", "width": 1}}
            ),
            "policy.entities cannot be combined with policy.auxiliary",
            id="entities_with_auxiliary_heads",
        ),
        pytest.param(
            lambda: build_pointing_policy(arch="mlp-8-tanh-v1", entities={"rock": {}}),
            "no table of entities is called 'rock' (did you mean 'rocks'?); there are: rocks, ways",
            id="unknown_entity_table",
        ),
        pytest.param(
            lambda: build_pointing_policy(arch="mlp-8-tanh-v1", entities={"rocks": {}, "ways": {}}),
            "policy.entities: leave out one field; entities are judged by what is observed besides",
            id="entities_without_context",
        ),
        pytest.param(
            lambda: build_pointing_policy(arch="mlp-8-tanh-v1", entities={"rocks": {"options": "slot"}}),
            "policy.entities.rocks.options: 'slot' must be the beginning of one option for each of the 3 entities,"
            " slot0 to slot2",
            id="entity_options_mismatch",
        ),
        pytest.param(
            lambda: build_pointing_policy(
                arch="mlp-8-tanh-v1", entities={"rocks": {"options": "move"}}, heads={"slot": {"inputs": ["move"]}}
            ),
            "policy.entities: options cannot point at entities where heads have inputs, layers or masks of their own;"
            " leave out the options",
            id="pointers_unsupported",
        ),
        pytest.param(
            lambda: build_policy(arch="residual-lstm-8-v1", embeddings={"kind": 4}),
            "policy.embeddings: list all byte fields or none; 'owner' is missing",
            id="embedding_missing",
        ),
        pytest.param(
            lambda: build_policy(arch="residual-lstm-8-v1", embeddings={"kinds": 4}),
            "no byte field is called 'kinds' (did you mean 'kind'?); there are: kind, owner",
            id="unknown_byte_field",
        ),
        pytest.param(
            lambda: plan(move={"inputs": ["slot"]}, slot={"inputs": ["move"]}),
            "policy.heads: move, slot depend on one another in a cycle",
            id="heads_depend_in_cycle",
        ),
        pytest.param(
            lambda: plan(jump={}),
            "no action head is called 'jump'; there are: move, slot",
            id="unknown_action_head",
        ),
        pytest.param(
            lambda: plan(slot={"placeholder": "slot9"}),
            "no option of head 'slot' is called 'slot9' (did you mean 'slot1'?); there are: slot0, slot1",
            id="unknown_action_option",
        ),
        pytest.param(
            lambda: normalize("tall"),
            "no float32 observation field is called 'tall'; there are: wide",
            id="unknown_observation_field",
        ),
        pytest.param(
            lambda: normalize("wide[0:3]"),
            "normalization.observation_passthrough: 'wide[0:3]' is outside of wide[0:2]",
            id="passthrough_out_of_range",
        ),
        pytest.param(
            train_without_extra_arrays,
            "policy: the world 'toy' has no extra arrays, but the policy reads 'valid'",
            id="extra_arrays_missing",
        ),
        pytest.param(
            lambda: trainer(Corridor(2), ppo={"rollout_steps": 2, "num_minibatches": 1, "teacher_share": 0.5}),
            "ppo.teacher_share: the environments have no expert to share decisions with; use 0",
            id="expert_missing",
        ),
        pytest.param(
            resume_with_fewer_copies,
            "the checkpoint has 4 copies, the training has 3; use the same number of copies",
            id="snapshot_count_mismatch",
        ),
        pytest.param(
            lambda: Counters.of({"updates": "three"}),
            "trainer state: 'updates' is 'three'; it must be an integer",
            id="state_value_not_integer",
        ),
        pytest.param(
            train_with_nan,
            "update 0: values became nan; lower optimizer.learning_rate or optimizer.max_grad_norm, or check the"
            " rewards",
            id="statistic_not_finite",
        ),
        pytest.param(
            train_with_infinite_weights,
            "the policy's logits are not finite in 2 of 2 rows",
            id="logits_not_finite",
        ),
        pytest.param(
            lose_a_process,
            "another process of the run has ended; training cannot continue without it",
            id="process_lost",
        ),
        pytest.param(
            lambda: check_settings(ppo={"rollout_steps": 100, "sequence_length": 32}),
            "ppo.sequence_length 32 must divide ppo.rollout_steps 100",
            id="sequence_length_indivisible",
        ),
        pytest.param(
            lambda: check_settings(ppo={"vtrace": {}, "teacher_share": 0.5}),
            "ppo.vtrace needs decisions of the policy alone; leave ppo.teacher_share at 0",
            id="vtrace_with_teacher",
        ),
        pytest.param(
            lambda: check_settings(policy={"value_components": {"ore": 1.0}}, ppo={"failing_rewards": 2}),
            "policy.value_components cannot be combined with ppo.failing_rewards; leave one of them out",
            id="components_unsupported",
        ),
        pytest.param(
            lambda: trainer(Corridor(2), policy={"arch": "mlp-8-tanh-v1", "value_components": {"ore": 1.0}}),
            "policy.value_components: the terms of the rewards of 'toy' are not known; leave them out",
            id="reward_terms_missing",
        ),
        pytest.param(
            train_with_another_term,
            "policy.value_components: the terms are luck; name all of credits, ore, time, damage, heat, invalid,"
            " terminal",
            id="value_components_differ",
        ),
        pytest.param(
            learn_components_offline,
            "policy.value_components: stored episodes have whole rewards alone; leave the components out",
            id="components_need_rollouts",
        ),
        pytest.param(
            lambda: check_settings(execution={"precision": "tfloat32"}),
            "execution.precision tfloat32 needs a GPU; use float32 on the cpu",
            id="precision_needs_gpu",
        ),
        pytest.param(
            lambda: check_settings(execution={"overlap": True}),
            "execution.overlap needs execution.pipeline, which is off on the cpu by default",
            id="overlap_needs_pipeline",
        ),
        pytest.param(
            lambda: check_settings(kickstarting={"teacher": "greedy"}, execution={"pipeline": True}),
            "kickstarting asks its teacher where the copies are stepped; use execution.device cpu without"
            " execution.pipeline",
            id="kickstarting_needs_cpu",
        ),
        pytest.param(
            lambda: check_settings(cloning={}),
            "cloning: name either a bot or a dataset to imitate",
            id="bot_or_dataset_needed",
        ),
        pytest.param(
            lambda: check_settings(cloning={"dataset": "first", "rounds": 2}),
            "cloning: rounds above 1 need a bot, and cannot be combined with anneal",
            id="rounds_need_bot",
        ),
        pytest.param(
            lambda: check_settings(cloning={"bot": "greedy", "gate": {}}),
            "cloning: a gate needs held-out episodes of a dataset; name a dataset",
            id="gate_needs_dataset",
        ),
        pytest.param(
            lambda: check_settings(starts={"ordinary_share": 1.5}),
            "starts: ordinary_share is 1.5; use 0 to 1",
            id="ordinary_share_above_one",
        ),
        pytest.param(
            lambda: check_settings(starts={"sources": ["replays"]}),
            "starts: sources names replays where, and only where, replays lists their files",
            id="replays_go_together",
        ),
        pytest.param(
            lambda: check_settings(starts={"bot": "greedy"}),
            "starts: bot needs demonstrations among the sources",
            id="bot_needs_demonstrations",
        ),
        pytest.param(
            lambda: check_settings(starts={"sources": ["demonstrations"], "memory": "stored"}),
            "starts: memory stored needs rollouts among the sources; others have none",
            id="stored_memory_needs_rollouts",
        ),
        pytest.param(
            lambda: StartLibrary(StartsSettings(library_mib=1)).add(bytes(2_000_000), StartSource.ROLLOUTS),
            "starts.library_mib is 1, but a single state takes 2,000,000 bytes; allow more",
            id="start_state_too_large",
        ),
        pytest.param(
            lambda: trainer(Corridor(2), starts={}, execution={"threads": 1, "pipeline": True}),
            "starts needs copies that this process alone steps on the host; leave out the pipeline, remote copies and"
            " other processes",
            id="starts_need_local_copies",
        ),
        pytest.param(
            lambda: open_dataset(Path("nowhere"), FIELDS),
            "nowhere is not a dataset: it has no manifest.json; name a folder that a capture has written",
            id="not_a_dataset",
        ),
        pytest.param(
            lambda: check_action_balance({"wait": 9, "move": 1}, where="first"),
            "dataset first: wait makes up 90% of its 10 decisions; at most 80% may be one option, capture more varied"
            " scenes",
            id="dataset_dominated_by_option",
        ),
        pytest.param(
            lambda: split_holdout([episode(0)], 0.1, seed=1),
            "there are too few episodes (1) to hold out a share of 0.1; use more episodes or a smaller share",
            id="too_few_episodes_to_hold_out",
        ),
        pytest.param(
            lambda: check_gate(POOR_CLONE, GateSettings()),
            "the clone does not pass its gate: accuracy is 0.500; at least 0.9 is required",
            id="clone_misses_gate",
        ),
        pytest.param(
            lambda: Curriculum((STAGE,) * 3, CurriculumSettings(last=4), copies=1),
            "curriculum: stages 1..4 do not exist; use 1..3",
            id="curriculum_stages_out_of_range",
        ),
        pytest.param(
            lambda: Curriculum((), CurriculumSettings(), copies=1),
            "curriculum: the world has no stages; leave the section out",
            id="no_curriculum_stages",
        ),
        pytest.param(
            lambda: consecutive_seeds(1, 0),
            "episodes is 0; use 1 or more",
            id="episodes_out_of_range",
        ),
        pytest.param(
            lambda: check_contenders([]),
            "there are no contenders to evaluate; name at least one",
            id="no_contenders",
        ),
        pytest.param(
            lambda: judge(toy_contest({"mine": [1.0], "zero": [1.0]}), "mien"),
            "no contender is called 'mien' (did you mean 'mine'?); there are: mine, zero",
            id="unknown_contender",
        ),
        pytest.param(
            lambda: select_scripts(load_world("prospector"), ()),
            "'prospector' has no scripted opponents",
            id="no_scripted_opponents",
        ),
        pytest.param(
            lambda: opposing_seats((0, -1), 1, "hunter"),
            "a match against 'hunter' needs seats on both sides, and config.seats is 2; raise it",
            id="opponent_has_no_seat",
        ),
        pytest.param(
            lambda: check_new_file(Path("/")),
            "/ exists already and is never overwritten; choose another file",
            id="report_exists",
        ),
    ],
)
def test_messages_are_worded_like_this(
    cause: Callable[[], object], message: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(DioramaError) as caught:
        cause()

    assert str(caught.value) == message
    assert caught.value.code == request.node.callspec.id
