from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    PLACEHOLDERS,
    AlphaSpeedAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
)
from diorama.worlds.morphogenesis.contracts.blueprints import NUM_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError, ContractError
from diorama.worlds.morphogenesis.contracts.seeds import SeedMetrics, SeedStateReport
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.timings import QUICK_TIMINGS, STANDARD_TIMINGS, LifecycleTimings
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.decoding import decode
from diorama.worlds.morphogenesis.controller.features import observation_width
from diorama.worlds.morphogenesis.controller.mask_rules import MaskRules
from diorama.worlds.morphogenesis.controller.masks import ActionMasks, options, write_masks
from diorama.worlds.morphogenesis.controller.planting import PlantingMemory, next_blueprint
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.rules import ROTATIONS, RuleController
from diorama.worlds.morphogenesis.controller.schedules import Schedule, grow_norm, grow_three, plant_norm
from diorama.worlds.morphogenesis.controller.scripted import (
    RandomController,
    ReplayController,
    ScheduleController,
    WaitController,
)
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.hosting.slot import Moment, Ramp, SeedOrder
from diorama.worlds.morphogenesis.streams import Streams
from diorama.worlds.morphogenesis.vectorized_types import ActionSpec
from tests.worlds.morphogenesis.beds import Plot

SLOT_IDS = SlotConfig.default().slot_ids
RULES = MaskRules(topology="cnn", slot_ids=SLOT_IDS, min_prune_age=QUICK_TIMINGS.min_prune_age)
SETTLED = EnvReport(
    env_id=0,
    round_index=0,
    epoch=10,
    max_epochs=40,
    val_loss=1.0,
    val_acc=50.0,
    recent_losses=(1.0,),
    recent_accuracies=(50.0,),
    plateau_epochs=3,
    is_stabilized=True,
)
NO_OBS = np.zeros((1, observation_width(3)), np.float32)


def free_masks(envs: int = 1, without: Sequence[LifecycleOp] = ()) -> ActionMasks:
    masks = ActionMasks.allocate(envs, 3)
    for mask in (*masks.heads(), masks.slot_by_op):
        mask[:] = True
    masks.blueprint[:] = False
    masks.blueprint[:, list(RULES.blueprints)] = True
    for op in without:
        masks.slot_by_op[:, op] = masks.op[:, op] = False
    return masks


class Env:
    """Three slots without modules, run by a controller as an engine would run them; ramps take the plot's timings."""

    def __init__(self, plot: Plot, controller: Controller) -> None:
        self.plot, self.controller = plot, controller
        self.masks = ActionMasks.allocate(1, 3)
        self.planting = PlantingMemory()
        self.log: list[tuple[int, str, str]] = []

    def run_epoch(self) -> Action:
        self.plot.pass_epoch()
        growth, spec = self.plot.growth, ActionSpec()
        situations = situations_of(growth)
        write_masks(self.masks, 0, RULES, situations)
        report = replace(SETTLED, epoch=self.plot.epoch, seeds=growth.reports(), planting=self.planting)
        action = self.controller.decide(NO_OBS, self.masks, [report])[0]
        refusal = decode(spec, action, RULES, situations)
        if spec.op_idx != LifecycleOp.WAIT:
            accepted = not refusal and self._execute(spec)
            outcome = "done" if accepted else f"refused: {refusal}"
            self.log.append((self.plot.epoch, LifecycleOp(spec.op_idx).name, outcome))
        growth.step()
        return tuple(int(index) for index in action)

    def _execute(self, spec: ActionSpec) -> bool:
        growth, slot = self.plot.growth, self.plot.growth.slot(spec.target_slot)
        match spec.action_for_reward:
            case LifecycleOp.GERMINATE:
                order = SeedOrder(
                    blueprint=BlueprintAction(spec.blueprint_idx),
                    style=GerminationStyle(spec.style_idx),
                    tempo_epochs=growth.rules.timings.tempo_epochs(TempoAction(spec.tempo_idx)),
                    alpha_target=spec.alpha_target,
                )
                self.planting.note_planting(order.blueprint)
                return growth.germinate(spec.target_slot, order, Moment(epoch=self.plot.epoch))
            case LifecycleOp.ADVANCE:
                return slot.advance().passed
            case LifecycleOp.FOSSILIZE:
                return growth.fossilize(spec.target_slot).passed
            case LifecycleOp.PRUNE:
                return slot.prune(Ramp(steps=growth.rules.timings.speed_steps(AlphaSpeedAction(spec.alpha_speed_idx))))
            case LifecycleOp.SET_ALPHA_TARGET:
                steps = growth.rules.timings.speed_steps(AlphaSpeedAction(spec.alpha_speed_idx))
                return slot.set_alpha_target(spec.alpha_target, Ramp(steps=steps))
            case LifecycleOp.WAIT:
                return True


def test_every_op_of_grow_three_is_valid_at_its_step_and_succeeds() -> None:
    env = Env(Plot(), ScheduleController(grow_three(SLOT_IDS)))

    for _ in range(40):
        env.run_epoch()

    assert [(epoch, outcome) for epoch, _, outcome in env.log] == [
        (epoch, "done") for epoch in (4, 5, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 24, 26)
    ]
    assert env.plot.growth.stages() == (SeedStage.FOSSILIZED,) * 3


@pytest.mark.parametrize(("timings", "fossilize"), [(QUICK_TIMINGS, 10), (STANDARD_TIMINGS, 18)])
def test_one_norm_is_made_permanent_as_soon_as_timings_allow(timings: LifecycleTimings, fossilize: int) -> None:
    schedule = grow_norm(SLOT_IDS, timings)

    assert max(schedule.actions) == fossilize
    env = Env(Plot(timings), ScheduleController(schedule))
    for _ in range(fossilize):
        env.run_epoch()
    assert {outcome for _, _, outcome in env.log} == {"done"}
    assert env.plot.growth.stages()[0] is SeedStage.FOSSILIZED
    assert plant_norm(SLOT_IDS).actions == {
        1: compose(LifecycleOp.GERMINATE, 0, blueprint=BlueprintAction.NORM, style=GerminationStyle.LINEAR_ADD)
    }


def test_a_schedule_has_one_action_an_epoch_and_a_hash_of_what_it_does() -> None:
    advance = compose(LifecycleOp.ADVANCE)
    schedule = Schedule.of("mine", [(3, advance), (1, compose(LifecycleOp.PRUNE))])

    assert list(schedule.actions) == [1, 3]
    assert schedule.at(2) == WAIT
    assert schedule.schedule_hash() == replace(schedule, schedule_id="yours").schedule_hash()
    assert schedule.schedule_hash() != grow_three(SLOT_IDS).schedule_hash()
    with pytest.raises(ConfigError, match=r"two actions at epochs \[3\]"):
        Schedule.of("mine", [(3, advance), (3, advance)])
    with pytest.raises(ConfigError, match="slot r0c2, which is not enabled"):
        grow_three(("r0c0", "r0c1"))


def test_waiting_and_replaying() -> None:
    log = np.array([[compose(LifecycleOp.ADVANCE, 1), WAIT], [WAIT, compose(LifecycleOp.PRUNE, 2)]], np.int64)
    reports = [replace(SETTLED, epoch=2, env_id=row) for row in range(2)]

    assert WaitController().decide(NO_OBS, free_masks(2), reports).tolist() == [list(WAIT)] * 2
    replay = ReplayController(log)
    assert replay.decide(NO_OBS, free_masks(2), reports).tolist() == log[1].tolist()
    late = [replace(report, epoch=3) for report in reports]
    assert replay.decide(NO_OBS, free_masks(2), late).tolist() == [list(WAIT)] * 2
    with pytest.raises(ContractError, match="the log has 2 envs, the run 1"):
        replay.decide(NO_OBS, free_masks(), reports[:1])
    with pytest.raises(ContractError, match="epochs × envs × 8"):
        ReplayController(log[0])


def test_random_decisions_are_valid_canonical_and_even() -> None:
    masks, controller = free_masks(without=[LifecycleOp.PRUNE]), RandomController(Streams(3))
    masks.slot_by_op[0, LifecycleOp.GERMINATE] = [False, True, False]
    taken = [
        tuple(controller.decide(NO_OBS, masks, [replace(SETTLED, epoch=epoch)])[0].tolist()) for epoch in range(1, 1501)
    ]

    for action in taken:
        op = LifecycleOp(action[-1])
        for head, valid in enumerate(options(masks, 0, op)):
            assert valid[action[head]] if CAUSAL_RELEVANCE[op][head] else action[head] == PLACEHOLDERS[head]
    ops = Counter(action[-1] for action in taken)
    assert set(ops) == set(LifecycleOp) - {LifecycleOp.PRUNE}
    assert all(abs(count / len(taken) - 0.2) < 0.05 for count in ops.values())
    assert {action[1] for action in taken if action[-1] == LifecycleOp.GERMINATE} == set(RULES.blueprints)


def test_a_random_env_draws_the_same_whoever_runs_beside_it() -> None:
    controller = RandomController(Streams(3))
    reports = [replace(SETTLED, env_id=env_id) for env_id in range(4)]

    together = controller.decide(NO_OBS, free_masks(4), reports)

    assert controller.decide(NO_OBS, free_masks(1), reports[2:3])[0].tolist() == together[2].tolist()
    assert len({tuple(row) for row in together.tolist()}) > 1


def seed(
    stage: SeedStage,
    *,
    epochs: int = 6,
    improvement: float = 0.0,
    contribution: float | None = None,
    alpha: float = 1.0,
    slot: int = 0,
    name: str = "s0",
) -> dict[str, SeedStateReport]:
    metrics = SeedMetrics(
        epochs_in_current_stage=epochs,
        improvement_since_stage_start=improvement,
        counterfactual_contribution=contribution,
    )
    slot_id = SLOT_IDS[slot]
    report = SeedStateReport(
        seed_id=name, slot_id=slot_id, blueprint_id="conv_light", stage=stage, alpha=alpha, metrics=metrics
    )
    return {slot_id: report}


def ruled(
    seeds: dict[str, SeedStateReport], reference: float | None = None, without: Sequence[LifecycleOp] = ()
) -> str:
    references = dict.fromkeys(SLOT_IDS, reference)
    report = replace(SETTLED, seeds=seeds, reference_improvement=references)
    action = RuleController("cnn", SLOT_IDS).decide(NO_OBS, free_masks(without=without), [report])[0]
    return f"{LifecycleOp(action[-1]).name} {action[0]}"


@pytest.mark.parametrize(
    ("seeds", "reference", "masked", "decision"),
    [
        pytest.param(seed(SeedStage.GERMINATED, slot=2), None, [], "ADVANCE 2", id="germinated"),
        pytest.param(seed(SeedStage.TRAINING), None, [], "ADVANCE 0", id="trained"),
        pytest.param(seed(SeedStage.TRAINING), None, ["ADVANCE"], "WAIT 0", id="gate-shut"),
        pytest.param(seed(SeedStage.TRAINING, improvement=-2.1), None, [], "PRUNE 0", id="failing"),
        pytest.param(seed(SeedStage.TRAINING, improvement=-2.1, epochs=4), None, [], "ADVANCE 0", id="too-early"),
        pytest.param(seed(SeedStage.TRAINING, improvement=-2.0), None, [], "ADVANCE 0", id="just-bearable"),
        pytest.param(seed(SeedStage.BLENDING, improvement=-9.0), None, [], "PRUNE 0", id="failing-blend"),
        pytest.param(seed(SeedStage.BLENDING, alpha=0.8), None, [], "WAIT 0", id="ramp"),
        pytest.param(seed(SeedStage.BLENDING), None, [], "ADVANCE 0", id="blended"),
        pytest.param(seed(SeedStage.HOLDING), None, [], "WAIT 0", id="unmeasured"),
        pytest.param(seed(SeedStage.HOLDING, contribution=9.0, epochs=2), 9.0, [], "WAIT 0", id="too-early-to-judge"),
        pytest.param(seed(SeedStage.HOLDING, contribution=9.0, epochs=3), 9.0, [], "FOSSILIZE 0", id="judged"),
        pytest.param(seed(SeedStage.HOLDING, contribution=0.2), -0.1, [], "PRUNE 0", id="hostage"),
        pytest.param(seed(SeedStage.HOLDING, contribution=0.6), 0.0, [], "FOSSILIZE 0", id="useful"),
        pytest.param(seed(SeedStage.HOLDING, contribution=0.6), None, [], "FOSSILIZE 0", id="twin-failed"),
        pytest.param(seed(SeedStage.HOLDING, contribution=0.6), 0.0, ["FOSSILIZE"], "WAIT 0", id="masked"),
        pytest.param(seed(SeedStage.HOLDING, contribution=0.5), 1.0, [], "PRUNE 0", id="useless"),
        pytest.param(seed(SeedStage.HOLDING, contribution=9.0), -1.0, ["PRUNE"], "WAIT 0", id="stuck-hostage"),
        pytest.param(
            seed(SeedStage.BLENDING, alpha=0.5) | seed(SeedStage.GERMINATED, slot=1), None, [], "ADVANCE 1", id="next"
        ),
        pytest.param(seed(SeedStage.FOSSILIZED), None, [], "GERMINATE 0", id="permanent-is-not-live"),
    ],
)
def test_live_seeds_are_tended_by_stage(
    seeds: dict[str, SeedStateReport], reference: float | None, masked: list[str], decision: str
) -> None:
    assert ruled(seeds, reference, [LifecycleOp[name] for name in masked]) == decision


@pytest.mark.parametrize(
    ("changes", "plants"),
    [
        ({}, True),
        ({"epoch": 5}, True),
        ({"epoch": 4}, False),
        ({"is_stabilized": False}, False),
        ({"plateau_epochs": 2}, False),
        ({"plateau_epochs": 0, "is_flat": True}, True),
    ],
)
def test_a_seed_is_planted_once_the_host_has_settled(changes: dict[str, int], plants: bool) -> None:
    report = replace(SETTLED, **changes)  # type: ignore[arg-type]

    action = RuleController("cnn", SLOT_IDS).decide(NO_OBS, free_masks(), [report])[0]

    planting = compose(LifecycleOp.GERMINATE, 0, blueprint=BlueprintAction.CONV_LIGHT)
    assert tuple(action) == (planting if plants else WAIT)
    held = RuleController("cnn", SLOT_IDS).decide(NO_OBS, free_masks(without=[LifecycleOp.GERMINATE]), [report])[0]
    assert tuple(held) == WAIT


def test_nothing_is_planted_for_five_epochs_after_a_prune() -> None:
    controller, pruned = RuleController("cnn", SLOT_IDS), PlantingMemory()
    pruned.note_prune(BlueprintAction.CONV_LIGHT, epoch=10)
    reports = [replace(SETTLED, epoch=epoch, planting=pruned) for epoch in range(11, 18)]

    planted = [controller.decide(NO_OBS, free_masks(), [report])[0][-1] == LifecycleOp.GERMINATE for report in reports]

    assert planted == [False] * 4 + [True] * 3


def test_blueprints_are_tried_in_turn_and_penalized_ones_passed_over() -> None:
    allowed = np.zeros(NUM_BLUEPRINTS, np.bool_)
    allowed[list(RULES.blueprints)] = True
    memory, rotation = PlantingMemory(), ROTATIONS["cnn"]

    taken = []
    for _ in range(6):
        taken.append(next_blueprint(memory, rotation, allowed))
        memory.note_planting(taken[-1])

    assert taken == [*rotation, BlueprintAction.CONV_LIGHT]
    for _ in range(2):
        memory.note_prune(BlueprintAction.CONV_HEAVY, epoch=9)
    assert next_blueprint(memory, rotation, allowed) is BlueprintAction.ATTENTION
    memory.pass_epoch()
    assert memory.penalties[BlueprintAction.CONV_HEAVY] == 2.0
    for _ in range(5):
        memory.pass_epoch()
    assert not any(memory.penalties)


def test_if_everything_is_penalized_the_least_is_taken() -> None:
    allowed = np.ones(NUM_BLUEPRINTS, np.bool_)
    memory, rotation = PlantingMemory(), ROTATIONS["transformer"]
    for blueprint, penalty in zip(rotation, (5.0, 3.0, 3.0, 4.0), strict=True):
        memory.penalties[blueprint] = penalty

    assert next_blueprint(memory, rotation, allowed) is BlueprintAction.LORA
    memory.note_planting(BlueprintAction.LORA)
    assert next_blueprint(memory, rotation, allowed) is BlueprintAction.ATTENTION


def test_a_run_that_allows_nothing_of_the_rotation_gets_what_it_allows() -> None:
    only = np.zeros(NUM_BLUEPRINTS, np.bool_)
    only[BlueprintAction.BOTTLENECK] = True

    assert next_blueprint(PlantingMemory(), ROTATIONS["cnn"], only) is BlueprintAction.BOTTLENECK


def test_the_rules_grow_a_host_that_has_settled_and_is_helped() -> None:
    env = Env(Plot(), RuleController("cnn", SLOT_IDS))

    for _ in range(40):
        env.run_epoch()

    assert {outcome for _, _, outcome in env.log} == {"done"}
    assert env.plot.growth.stages() == (SeedStage.FOSSILIZED,) * 3
    assert [op for _, op, _ in env.log] == ["GERMINATE", *["ADVANCE"] * 3, "FOSSILIZE"] * 3
