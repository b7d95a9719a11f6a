"""The world on the readable engine: rounds, twins, rewards, events and what is refused."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch

import diorama.worlds.morphogenesis as package
from diorama.contracts.values import JsonValue
from diorama.worlds.morphogenesis.contracts.actions import AlphaSpeedAction, LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError, WorldStateError
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import SeedStageChangedPayload
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose
from diorama.worlds.morphogenesis.controller.scripted import RandomController
from tests.worlds.morphogenesis.event_order import check_env_order, kind_of
from tests.worlds.morphogenesis.small_worlds import play, rows, small_world

PLANT = compose(LifecycleOp.GERMINATE, blueprint=BlueprintAction.CONV_LIGHT)
ADVANCE = compose(LifecycleOp.ADVANCE)
PRUNE = compose(LifecycleOp.PRUNE, alpha_speed=AlphaSpeedAction.INSTANT)
FAST_LIFE: Mapping[str, object] = {"max_epochs": 12, "min_prune_age": 1}
TIME_FIELDS = {"timestamp", "compute_time_ms"}


def grow_one() -> dict[int, Action]:
    """Plan one seed from planting to permanence under quick timings."""
    fossilize = compose(LifecycleOp.FOSSILIZE)
    return {1: PLANT, 2: ADVANCE, 6: ADVANCE, 9: ADVANCE, 10: fossilize}


def timeless(event: TelemetryEvent) -> dict[str, JsonValue]:
    return {key: value for key, value in event.to_dict().items() if key not in TIME_FIELDS}


def test_an_env_that_waits_equals_its_control_twin_bit_for_bit() -> None:
    world = small_world(envs=2)
    world.reset()

    gains = []
    while world.is_open:
        gains.append(world.step(rows(WAIT, PLANT)).info[0].gain_over_control)

    engine, twin = world.nursery.engine, world.nursery.layout.twin_row(0)
    assert twin is not None
    waiting, control = engine.write_row(0), engine.write_row(twin)
    assert set(gains) == {0.0}
    assert all(np.array_equal(waiting[name], control[name]) for name in control)


def test_a_short_scripted_run_tells_exactly_the_events_of_the_baseline() -> None:
    log: list[TelemetryEvent] = []
    world = small_world(
        {"task": "digits_baseline", "max_epochs": 5, "min_prune_age": 1, "stabilization_epochs": 6, "val_subset": None},
        log=log,
    )

    play(world, [PLANT, ADVANCE, PRUNE, WAIT, WAIT])

    assert Counter(kind_of(event) for event in log) == {
        "last_action": 5,
        "EPOCH_COMPLETED": 5,
        "SEED_STAGE_CHANGED": 3,
        "SEED_GERMINATED": 1,
        "SEED_GATE_EVALUATED": 1,
        "SEED_PRUNED": 1,
        "EPISODE_OUTCOME": 1,
    }
    entered = [event.data.to_stage for event in log if isinstance(event.data, SeedStageChangedPayload)]
    assert entered == ["TRAINING", "PRUNED", "EMBARGOED"]
    assert [event.event_id for event in log] == [f"run-{number:012d}" for number in range(1, len(log) + 1)]


def test_events_of_random_rounds_keep_their_order_and_two_runs_tell_the_same() -> None:
    logs: list[list[TelemetryEvent]] = [[], []]
    for log in logs:
        world = small_world({"max_epochs": 9, "min_prune_age": 1, "auto_forward_g1": True}, envs=2, log=log)
        controller = RandomController(world.nursery.streams)
        for round_index in range(3):
            stepped = world.reset(round_index)
            while world.is_open:
                stepped = world.step(controller.decide(stepped.obs, world.masks, world.reports()))

    first, second = logs
    for round_index in range(3):
        for env_id in range(2):
            check_env_order(
                [
                    event
                    for event in first
                    if (payload := event.to_dict()["data"]) is not None
                    and isinstance(payload, dict)
                    and payload.get("env_id") == env_id
                    and payload.get("episode_idx") == round_index
                ]
            )
    assert [timeless(event) for event in first] == [timeless(event) for event in second]


def test_a_seed_goes_all_the_way_and_its_contribution_is_measured() -> None:
    log: list[TelemetryEvent] = []
    world = small_world(FAST_LIFE, log=log)
    plan = grow_one()
    world.reset()

    worked = []
    while world.is_open:
        epoch = world.nursery.epoch
        info = world.step(rows(plan.get(epoch, WAIT))).info[0]
        worked.append(info.action_success)

    env = world.envs[0]
    assert all(worked)
    assert env.growth.stages()[0] is SeedStage.FOSSILIZED
    assert env.counts.fossilized == env.counts.germinated == 1
    state = env.growth.slot("r0c0").state
    assert state is not None
    assert state.metrics.epochs_since_counterfactual == 0
    assert kind_of(log[-1]) == "shapley_computed"
    assert env.table is not None
    assert env.table.main_accuracy == env.reading.val_acc


@pytest.mark.parametrize("mode", ["shaped", "escrow", "basic", "basic_plus", "sparse", "minimal", "simplified", "loss"])
def test_every_mode_pays_what_its_parts_add_up_to(mode: str) -> None:
    settings = {"reward_family": "loss"} if mode == "loss" else {"reward_mode": mode}
    world = small_world({**FAST_LIFE, **settings})
    plan = grow_one()
    world.reset()

    while world.is_open:
        stepped = world.step(rows(plan.get(world.nursery.epoch, WAIT)))
        parts = stepped.info[0].reward_components
        assert parts is not None
        assert stepped.rewards[0] == np.float32(parts.total_reward)

    assert world.envs[0].episode_reward == pytest.approx(sum(world.envs[0].raw_rewards))


def test_adding_an_env_changes_nothing_for_the_others_and_one_can_be_run_again_alone() -> None:
    script = [PLANT, ADVANCE, WAIT, PRUNE]

    alone, beside = small_world(), small_world(envs=3)
    again = small_world({"episode": {"round": 2, "env": 1, "envs": 3}})
    rewards = [play(world, script, round_index=2) for world in (alone, beside, again)]

    assert rewards[0] == rewards[1]
    hosts = [world.nursery.engine.write_row(row) for world, row in ((alone, 0), (beside, 0))]
    assert all(np.array_equal(hosts[0][name], hosts[1][name]) for name in hosts[0])
    third, repeated = beside.nursery.engine.write_row(1), again.nursery.engine.write_row(0)
    assert all(np.array_equal(third[name], repeated[name]) for name in third)


def test_an_operation_that_is_not_allowed_changes_nothing_and_is_called_by_its_name() -> None:
    world = small_world()
    world.reset()

    info = world.step(rows(compose(LifecycleOp.FOSSILIZE))).info[0]

    assert not info.action_success
    assert world.envs[0].record.action_outcome.action_name == "FOSSILIZE"
    assert world.envs[0].previous_op is LifecycleOp.WAIT
    assert set(info.stages) == {SeedStage.DORMANT}


def test_contributions_are_measured_every_so_many_epochs_and_at_the_last() -> None:
    log: list[TelemetryEvent] = []
    world = small_world({**FAST_LIFE, "counterfactual_interval": 5}, log=log)
    plan = grow_one()
    world.reset()

    while world.is_open:
        world.step(rows(plan.get(world.nursery.epoch, WAIT)))

    measured = [event.epoch for event in log if kind_of(event) == "COUNTERFACTUAL_MATRIX_COMPUTED"]
    assert measured == [10, 12]


def test_without_twins_progress_is_counted_in_accuracy() -> None:
    world = small_world({"control_twins": False})
    world.reset()
    world.step(rows(PLANT))

    stepped = world.step(rows(ADVANCE))

    env = world.envs[0]
    state = env.growth.slot("r0c0").state
    assert state is not None
    assert stepped.info[0].gain_over_control is None
    assert env.progress_of(state) == env.reading.val_acc - env.readings[0].val_acc


def test_calls_out_of_order_and_misshapen_actions_are_refused() -> None:
    world = small_world({"max_epochs": 1})

    with pytest.raises(WorldStateError, match="reset"):
        world.step(rows(WAIT))
    world.reset()
    with pytest.raises(ContractError, match="shape"):
        world.step(np.zeros((1, 3), np.int64))
    with pytest.raises(ContractError, match="float"):
        world.step(np.zeros((1, 8), np.float32))
    world.step(rows(WAIT))
    with pytest.raises(WorldStateError, match="reset"):
        world.step(rows(WAIT))


def test_an_episode_that_is_ended_early_says_so() -> None:
    log: list[TelemetryEvent] = []
    world = small_world(log=log)
    world.reset()

    world.end_early()

    payload = log[-1].to_dict()["data"]
    assert isinstance(payload, dict)
    assert payload["outcome_type"] == "early_termination"
    assert not world.is_open


def test_reward_inputs_are_built_at_one_place() -> None:
    root = Path(package.__file__).parent
    builders = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if "ContributionRewardInputs(\n" in (text := path.read_text()) or "LossRewardInputs(\n" in text
    ]

    assert builders == ["engine/reward_inputs.py"]


def test_a_world_is_built_for_every_topology() -> None:
    world = small_world({"task": "tokens", "max_epochs": 2, "val_subset": 8})

    rewards = play(world, [compose(LifecycleOp.GERMINATE, 1, blueprint=BlueprintAction.LORA)])

    assert np.isfinite(rewards).all()
    assert world.envs[0].growth.stages() == (SeedStage.DORMANT, SeedStage.GERMINATED)


def test_hosts_learn_while_the_caller_records_no_gradients() -> None:
    script = [PLANT, ADVANCE, WAIT]
    usual = play(small_world(), script)

    with torch.inference_mode():
        unseen = play(small_world(), script)

    assert unseen == usual
