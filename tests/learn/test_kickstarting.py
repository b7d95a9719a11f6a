"""The loss against a teacher: its value, its gradient, what it counts, and that a policy learns from it alone."""

import pytest
import torch
from pydantic import ValidationError

import diorama
from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import TaughtUpdateReport
from diorama.contracts.values import I32
from diorama.learn.collector import Collector
from diorama.learn.envs import TrainingEnvs
from diorama.learn.experience import Experience, TeachingTargets, prepare_rollout
from diorama.learn.keyed_random import DrawKey
from diorama.learn.kickstarting import cross_entropies
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.head_plan import HeadLayout
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.ppo import PpoUpdate, UpdateContext
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.state import TEACHER_MEMORIES, TrainerState
from diorama.learn.teachers import ExpertTeacher, PolicyTeacher, TeacherMaker, TeacherPolicy, TeacherViews
from diorama.learn.trainer import Trainer
from diorama.learn.workers import Workers
from diorama.training.teachers import bot_teacher
from diorama.worlds.registry import load_world
from tests.learn.recording_callback import RecordingCallback
from tests.learn.test_reproducibility import assert_same
from tests.learn.toys import Recall, Workshop
from tests.refusals import refused

LAYOUT = HeadLayout(names=("a", "b"), sizes=(4, 3), noops=(0, 0))
HEADS: dict[str, dict[str, object]] = {
    "op": {"hidden": [8]},
    "slot": {
        "inputs": ["op"],
        "hidden": [8],
        "conditional_mask": {"given": "op", "extra": "slot_by_op"},
        "relevance": {"given": "op", "options": ["op1", "op2"]},
    },
}
CONTEXT = UpdateContext(seed=1, update=0, env_steps=0, exploration=(0.0,))


class Foreman:
    """Teaches to use the full slot in even rows and to wait in odd ones; its memory counts what it was asked."""

    def __init__(self, rows: int) -> None:
        self.asked = torch.zeros(rows, 1, dtype=torch.int64)

    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        assert isinstance(envs, Workshop)
        uses = torch.arange(len(self.asked)) % 2 == 0
        full = torch.from_numpy(envs.state[:, 0])
        out.choices[:, 0] = torch.where(uses, full, 0)
        out.choices[:, 1] = uses.int()
        self.asked += 1

    def memories(self) -> torch.Tensor:
        return self.asked.clone()

    def load_memories(self, memories: torch.Tensor) -> None:
        self.asked = memories.clone()


FOREMAN = TeacherMaker(make=lambda spec, rows: Foreman(rows))


def settings_of(**sections: object) -> TrainerSettings:
    chosen: dict[str, object] = {
        "policy": {"arch": "mlp-16-tanh-v1"},
        "ppo": {"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 1, "ent_coef": 0.0},
        "execution": {"threads": 1},
        "kickstarting": {"teacher": "any"},
    }
    return TrainerSettings.model_validate({**chosen, **sections})


def taught_rollout(envs: TrainingEnvs, policy: Policy, settings: TrainerSettings, teacher: TeacherMaker) -> Experience:
    collector = Collector(envs, policy, settings, Workers(1), teacher)
    collector.reset()
    exploration = policy.heads.plan.exploration(0)
    params = SamplingParams(seed=1, update=0, exploration=exploration, use_masks=True, asks_teacher=True)
    collector.collect(policy, params)
    scaler = RewardScaler(settings.normalization, collector.rollout.shape.rows, settings.ppo.gamma)
    return prepare_rollout(collector.rollout, policy, settings, scaler)


def policy_teacher(spec: WorldSpec, **policy: object) -> TeacherMaker:
    settings = settings_of(policy={"actor_gain": 8.0, **policy})
    source = TeacherPolicy(build_policy(spec, settings, seed=9))
    return TeacherMaker(make=lambda spec, rows: PolicyTeacher(source, spec, rows), has_probabilities=True)


@pytest.mark.parametrize("has_masks", [False, True])
@pytest.mark.parametrize("has_probabilities", [False, True])
def test_cross_entropy_and_its_gradient_are_those_of_plain_torch(*, has_probabilities: bool, has_masks: bool) -> None:
    g = torch.Generator().manual_seed(3)
    logits = torch.randn(30, LAYOUT.options, generator=g)
    masks = (torch.rand(30, LAYOUT.options, generator=g) < 0.7).to(torch.uint8)
    masks[:, [0, 4]] = 1
    choices = torch.zeros(30, 2, dtype=torch.int32)
    probabilities = torch.rand(30, LAYOUT.options, generator=g)
    targets = TeachingTargets(
        choices=choices, probabilities=probabilities if has_probabilities else None, head_weights=torch.ones(30, 2)
    )

    def plain(logits: torch.Tensor) -> torch.Tensor:
        rows = []
        for row in range(30):
            columns = []
            for part in LAYOUT.slices():
                open_options = masks[row, part] != 0 if has_masks else torch.ones_like(masks[row, part]) != 0
                log_probs = torch.log_softmax(logits[row, part][open_options], dim=0)
                wanted = probabilities[row, part][open_options] if has_probabilities else torch.eye(len(log_probs))[0]
                columns.append(-(wanted / wanted.sum() * log_probs).sum())
            rows.append(torch.stack(columns))
        return torch.stack(rows)

    own, expected = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    found = cross_entropies(own, masks if has_masks else None, targets, LAYOUT)
    reference = plain(expected)

    torch.testing.assert_close(found, reference, rtol=1e-5, atol=1e-6)
    weights = torch.linspace(-1.0, 1.0, 60).view(30, 2)
    (found * weights).sum().backward()
    (reference * weights).sum().backward()
    torch.testing.assert_close(own.grad, expected.grad, rtol=1e-5, atol=1e-6)


def test_heads_count_where_they_matter_and_leave_a_choice() -> None:
    envs = Workshop(6)
    settings = settings_of(policy={"arch": "mlp-16-tanh-v1", "heads": HEADS})
    policy = build_policy(envs.spec, settings, seed=2)

    experience = taught_rollout(envs, policy, settings, FOREMAN)

    assert experience.teaching is not None
    weights = experience.teaching.head_weights.view(8, 6, 2)
    # The slot matters only for ops 1 and 2, and then a single slot is open: there is nothing to learn about it.
    assert (weights[:, :, 0] == 0).all()
    assert (weights[:, :, 1] == 1).all()


def test_a_choice_that_the_conditional_mask_rules_out_is_not_followed() -> None:
    class Wrong(Foreman):
        def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
            super().teach(envs, buffers, out, key)
            out.choices[:, 0] = 1 - out.choices[:, 0]

    class Lenient(Workshop):
        def advance(self, actions: I32, buffers: Buffers) -> None:
            buffers.terminated[:] = 1

    heads = {**HEADS, "slot": {key: value for key, value in HEADS["slot"].items() if key != "relevance"}}
    settings = settings_of(policy={"arch": "mlp-16-tanh-v1", "heads": heads})
    policy = build_policy(Workshop.spec, settings, seed=2)

    def slot_weights(teacher: type[Foreman]) -> torch.Tensor:
        maker = TeacherMaker(make=lambda spec, rows: teacher(rows))
        taught = taught_rollout(Lenient(4), policy, settings, maker).teaching
        assert taught is not None
        return taught.head_weights.view(8, 4, 2)[:, :, 0]

    assert slot_weights(Foreman)[:, 1::2].eq(1).all()  # waiting leaves both slots open
    assert slot_weights(Foreman)[:, ::2].eq(0).all()  # using leaves one
    assert slot_weights(Wrong)[:, ::2].eq(0).all()


@pytest.mark.parametrize("arch", ["mlp-24x16-tanh-v1", "mingru-16-v1"])
@pytest.mark.parametrize("is_policy", [False, True])
def test_native_gradients_are_those_of_torch(arch: str, *, is_policy: bool) -> None:
    world = load_world("prospector")
    spec = world.describe(world.config_type())
    teacher = policy_teacher(spec, arch="mingru-12-v1") if is_policy else bot_teacher(world, "prudent_hauler")

    def learned(*, native: bool) -> tuple[torch.Tensor, object]:
        settings = settings_of(
            policy={"arch": arch},
            ppo={"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 1, "sequence_length": 4},
            execution={"threads": 1, "native": native, "shard_rows": 40, "lane_copies": 5},
            kickstarting={"teacher": "any", "weight": 3.0},
        )
        policy = build_policy(spec, settings, seed=4)
        envs = diorama.make("prospector", copies=13, seed=6, config={"time_max": 60})
        update = PpoUpdate(policy, settings, Workers(1))
        statistics = update.learn(taught_rollout(envs, policy, settings, teacher), CONTEXT)
        return update.gradient, statistics

    (own, statistics), (expected, others) = learned(native=True), learned(native=False)

    torch.testing.assert_close(own, expected, rtol=1e-3, atol=2e-6)
    for name in ("loss_total", "loss_kickstarting", "teacher_agreement"):
        assert getattr(statistics, name) == pytest.approx(getattr(others, name), rel=1e-4), name


def test_the_loss_has_its_weight_and_shards_add_up() -> None:
    def report(weight: float, shard_rows: int) -> TaughtUpdateReport:
        callback = RecordingCallback()
        settings = settings_of(
            policy={"arch": "mlp-16-tanh-v1", "heads": HEADS},
            execution={"threads": 1, "shard_rows": shard_rows},
            kickstarting={"teacher": "any", "weight": weight},
        )
        Trainer(Workshop(16), settings, seed=1, callbacks=[callback], teacher=FOREMAN).run(1)
        found = callback.reports[0]
        assert isinstance(found, TaughtUpdateReport)
        return found

    one, double, sharded = report(1.0, 1000), report(2.0, 1000), report(1.0, 7)

    assert one.loss_kickstarting == double.loss_kickstarting > 0.5
    assert double.loss_total - one.loss_total == pytest.approx(one.loss_kickstarting, rel=1e-5)
    assert sharded.loss_kickstarting == pytest.approx(one.loss_kickstarting, rel=1e-5)
    assert sharded.teacher_agreement == pytest.approx(one.teacher_agreement)
    assert (one.kickstarting_weight, double.kickstarting_weight) == (1.0, 2.0)


def agreement_after(weight: float, *, native: bool) -> float:
    """Return how often a policy that began from nothing agrees with a bot after so many updates."""
    world, callback = load_world("prospector"), RecordingCallback()
    settings = settings_of(
        policy={"arch": "mlp-64-tanh-v1"},
        ppo={"rollout_steps": 64, "num_minibatches": 16, "update_epochs": 4, "ent_coef": 0.0, "vf_coef": 0.0},
        optimizer={"learning_rate": 0.003, "max_grad_norm": 20.0},
        normalization={"observations": True},
        execution={"threads": 1, "native": native},
        kickstarting={"teacher": "prudent_hauler", "weight": weight},
    )
    envs = diorama.make("prospector", copies=32, seed=3)
    teacher = bot_teacher(world, "prudent_hauler")
    trainer = Trainer(envs, settings, seed=1, callbacks=[callback], teacher=teacher)
    trainer.run(16 * 64 * 32)
    trainer.close()
    agreements = [report.teacher_agreement for report in callback.reports if isinstance(report, TaughtUpdateReport)]
    return min(agreements[-3:])


@pytest.mark.parametrize("native", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_policy_comes_to_agree_with_a_bot_by_kickstarting_alone(*, native: bool) -> None:
    # Rewards alone do not lead there. The bot remembers what this policy cannot know, so that agreement stays below 1.
    assert agreement_after(1e-9, native=native) < 0.4
    assert agreement_after(20.0, native=native) > 0.65


def test_a_policy_learns_from_another_policy_with_heads_that_depend_on_one_another() -> None:
    callback = RecordingCallback()
    policy = {"arch": "mlp-16-tanh-v1", "heads": HEADS}
    teacher = policy_teacher(Workshop.spec, **policy)
    settings = settings_of(
        policy=policy,
        optimizer={"learning_rate": 0.01},
        ppo={"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 2, "ent_coef": 0.0, "vf_coef": 0.0},
        kickstarting={"teacher": "any", "weight": 10.0},
    )
    trainer = Trainer(Workshop(64), settings, seed=1, callbacks=[callback], teacher=teacher)

    trainer.run(80 * 8 * 64)

    losses = [report.loss_kickstarting for report in callback.reports if isinstance(report, TaughtUpdateReport)]
    views = TeacherViews(torch.zeros(1, 2, dtype=torch.int32), torch.zeros(1, 5))
    envs = Workshop(1)
    envs.reset()
    teacher.make(Workshop.spec, 1).teach(envs, envs.buffers, views)
    assert views.probabilities is not None
    op = views.probabilities[0, 2:]
    entropy = float(-(op * op.log()).sum())
    # A single slot is open for every op, so that the entropy of the ops is all that is left of the cross-entropy.
    assert losses[0] > entropy + 0.05
    assert losses[-1] == pytest.approx(entropy, abs=0.01)


class _Asked(Foreman):
    def __init__(self, rows: int, log: list[int]) -> None:
        super().__init__(rows)
        self.log = log

    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        super().teach(envs, buffers, out, key)
        self.log.append(len(self.asked))


def test_the_teacher_is_not_asked_any_more_once_its_weight_is_zero() -> None:
    log: list[int] = []
    callback = RecordingCallback()
    settings = settings_of(
        policy={"arch": "mlp-16-tanh-v1", "heads": HEADS},
        kickstarting={"teacher": "any", "weight": {"start": 1.0, "end": 0.0, "env_steps": 128}},
    )
    maker = TeacherMaker(make=lambda spec, rows: _Asked(rows, log))
    trainer = Trainer(Workshop(8), settings, seed=1, callbacks=[callback], teacher=maker)

    trainer.run(4 * 64)

    assert len(log) == 2 * 8
    assert [isinstance(report, TaughtUpdateReport) for report in callback.reports] == [True, True, False, False]


def _prospector(bot: str, *, threads: int = 1) -> Trainer:
    chosen = settings_of(
        policy={"arch": "mingru-8-v1"},
        ppo={"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 2, "sequence_length": 4},
        execution={"threads": threads, "lane_copies": 3, "shard_rows": 20},
    )
    envs = diorama.make("prospector", copies=8, seed=11, config={"time_max": 40})
    teacher = bot_teacher(load_world("prospector"), bot)
    return Trainer(envs, chosen, seed=5, callbacks=[RecordingCallback()], teacher=teacher)


def _recall(teacher: TeacherMaker) -> Trainer:
    chosen = settings_of(
        policy={"arch": "mingru-8-v1"}, execution={"threads": 1, "lane_copies": 3, "shard_rows": 20, "native": False}
    )
    return Trainer(Recall(8), chosen, seed=5, callbacks=[RecordingCallback()], teacher=teacher)


@pytest.mark.parametrize("teacher", ["prudent_hauler", "random_valid", "policy"])
def test_a_run_with_a_teacher_resumes_bit_for_bit(teacher: str) -> None:
    def fresh() -> Trainer:
        return _recall(policy_teacher(Recall.spec, arch="mingru-6-v1")) if teacher == "policy" else _prospector(teacher)

    whole, first = fresh(), fresh()
    whole.run(5 * 64)
    first.run(2 * 64)
    stored = first.state()
    assert TEACHER_MEMORIES in stored.tensors

    second = fresh()
    second.load_state(TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots))
    second.run(5 * 64)

    assert_same(whole.state(), second.state())


def test_the_number_of_threads_changes_nothing_with_a_teacher() -> None:
    states = []
    for threads in (1, 3):
        trainer = _prospector("prudent_hauler", threads=threads)
        trainer.run(3 * 64)
        states.append(trainer.state())
        trainer.close()

    assert_same(states[0], states[1])


def test_a_section_without_a_teacher_and_a_teacher_without_a_section_are_refused() -> None:
    for settings, teacher in ((settings_of(), None), (settings_of(kickstarting=None), FOREMAN)):
        with refused(ConfigError, "kickstarting_incomplete"):
            Trainer(Workshop(2), settings, seed=1, teacher=teacher)


def test_copies_without_a_controller_have_no_expert_to_learn_from() -> None:
    envs = Workshop(2)
    envs.reset()

    with refused(ConfigError, "expert_missing"):
        ExpertTeacher(2).teach(envs, envs.buffers, TeacherViews(torch.zeros(2, 2, dtype=torch.int32)))


def test_a_pipeline_is_refused() -> None:
    with pytest.raises(ValidationError, match="where the copies are stepped"):
        settings_of(execution={"pipeline": True})
