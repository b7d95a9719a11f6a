"""Rollbacks by injected faults: where they are told, what they restore and what they cost."""

import math

import numpy as np
import pytest

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.governor import LifecycleMutationHealthSnapshot, LifecycleMutationVerdict
from diorama.worlds.morphogenesis.contracts.payloads.health import GovernorRollbackPayload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import SeedPrunedPayload
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import WAIT, compose
from diorama.worlds.morphogenesis.engine import executor
from diorama.worlds.morphogenesis.engine.env import EpochReading
from diorama.worlds.morphogenesis.engine.executor import transact
from diorama.worlds.morphogenesis.engine.protocol import RowScores
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.tellers import NO_NOTES
from diorama.worlds.morphogenesis.safety.pre_flight import review
from tests.worlds.morphogenesis.event_order import kind_of
from tests.worlds.morphogenesis.small_worlds import rows, small_world

PLANT = compose(LifecycleOp.GERMINATE, blueprint=BlueprintAction.NORM)
ADVANCE = compose(LifecycleOp.ADVANCE)


def test_a_panic_ends_the_row_with_the_penalty_and_the_next_action_is_ignored() -> None:
    log: list[TelemetryEvent] = []
    world = small_world(envs=2, log=log)
    world.reset()
    world.step(rows(PLANT, WAIT))
    world.nursery.engine.inject(0, "nan")

    panicked = world.step(rows(ADVANCE, WAIT))
    told_before = len(log)
    after = world.step(rows(PLANT, WAIT))

    env = world.envs[0]
    assert panicked.terminated.tolist() == [True, False]
    assert panicked.rewards[0] == -10.0
    assert env.raw_rewards[-1] == -10.0
    assert np.isfinite(panicked.obs).all()
    assert (after.info[0].action_ignored, after.info[1].action_ignored) == (True, False)
    assert after.terminated.tolist() == [False, False]
    assert math.isfinite(after.info[0].val_loss)
    kinds = [(kind_of(event), event.to_dict()["data"]) for event in log[told_before:]]
    assert [kind for kind, data in kinds if isinstance(data, dict) and data["env_id"] == 0] == [
        "SEED_STAGE_CHANGED",
        "SEED_PRUNED",
        "GOVERNOR_ROLLBACK",
        "EPOCH_COMPLETED",
    ]
    pruned = next(event.data for event in log if isinstance(event.data, SeedPrunedPayload))
    assert (pruned.reason, pruned.initiator, pruned.auto_pruned) == ("governor_nan", "governor", True)
    rolled = next(event.data for event in log if isinstance(event.data, GovernorRollbackPayload))
    assert (rolled.reason, rolled.raw_penalty) == ("governor_nan", -10.0)
    assert env.growth.stages()[0] is SeedStage.PRUNED
    assert env.governor.rollbacks == 1
    assert world.nursery.epoch == 4


def test_a_mask_during_a_panic_allows_nothing_but_waiting() -> None:
    world = small_world()
    world.reset()
    world.nursery.engine.inject(0, "nan")

    masks = world.step(rows(WAIT)).masks

    assert masks.op[0].tolist() == [True, False, False, False, False, False]


def test_a_rollback_brings_the_host_back_byte_by_byte() -> None:
    world = small_world({"max_epochs": 3})
    world.reset()
    engine = world.nursery.engine
    kept = {name: array for name, array in engine.write_row(0).items() if name.startswith("snapshot.")}
    engine.inject(0, "nan")
    world.step(rows(WAIT))
    world.step(rows(WAIT))

    # Nothing trains after the last epoch, so that the restored host still lies there.
    engine.inject(0, "nan")
    world.envs[0].governor.order_rollback(1.0)
    world.step(rows(WAIT))

    host = engine.write_row(0)
    assert not world.is_open
    assert all(np.array_equal(host[name.removeprefix("snapshot.")], array) for name, array in kept.items())


class FaultyEngine(ReferenceEngine):
    """Ruins the first row right after its first two epochs of training."""

    def train_epoch(self, epoch: int) -> RowScores:
        scores = super().train_epoch(epoch)
        if epoch <= 2:
            self.inject(0, "nan")
        return scores


def test_a_panic_before_any_decision_costs_nobody_anything() -> None:
    world = small_world(make_engine=FaultyEngine)

    opened = world.reset()
    ignored = world.step(rows(WAIT))
    healthy = world.step(rows(WAIT))

    assert [bool(stepped.terminated[0]) for stepped in (opened, ignored, healthy)] == [True, True, False]
    assert ignored.rewards[0] == 0.0
    assert world.envs[0].counts.unattributed_rollbacks == 2
    assert world.envs[0].raw_rewards == []


def test_a_seed_made_permanent_after_the_snapshot_is_removed_and_an_older_one_stays() -> None:
    world = small_world({"max_epochs": 40})
    env, engine = world.envs[0], world.nursery.engine
    world.reset()
    for slot in range(2):
        script = {0: compose(LifecycleOp.GERMINATE, slot, blueprint=BlueprintAction.NORM)}
        script |= {step: compose(LifecycleOp.ADVANCE, slot) for step in (1, 5, 8)}
        script[9] = compose(LifecycleOp.FOSSILIZE, slot)
        for step in range(10 + (slot == 0)):
            if slot == 1 and step == 9:
                engine.inject(0, "nan")  # so that the epoch in which a snapshot is due does not pass the check
            assert world.step(rows(script.get(step, WAIT))).info[0].action_success
    assert env.count_stage(SeedStage.FOSSILIZED) == 2

    world.step(rows(WAIT))

    assert engine.snapshot_slots(0) == {"r0c0"}
    assert env.growth.stages()[:2] == (SeedStage.FOSSILIZED, SeedStage.PRUNED)


def test_a_twin_that_fails_takes_the_gain_of_its_group_with_it() -> None:
    world = small_world(envs=2)
    world.reset()
    twin = world.nursery.layout.twin_row(0)
    assert twin is not None
    world.nursery.engine.inject(twin, "nan")

    gains = [world.step(rows(WAIT, WAIT)).info[1].gain_over_control for _ in range(2)]
    world.reset(1)

    assert gains == [None, None]
    assert world.step(rows(WAIT, WAIT)).info[1].gain_over_control == 0.0


def test_a_veto_turns_an_operation_into_waiting(caplog: pytest.LogCaptureFixture) -> None:
    world = small_world({"max_seeds": 1})
    world.reset()
    env = world.envs[0]
    env.readings[-1] = EpochReading(val_loss=math.inf, val_acc=env.reading.val_acc)

    transact(world.nursery, env, PLANT, world.masks, notes=NO_NOTES)

    assert not env.record.action_outcome.action_success
    assert env.record.action_outcome.action_name == "GERMINATE"
    assert env.growth.stages()[0] is SeedStage.DORMANT
    assert "val_loss_finite" in caplog.text


def test_the_review_of_an_operation_knows_how_long_its_slot_cools_down(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[LifecycleMutationHealthSnapshot] = []
    world = small_world()
    world.reset()
    env = world.envs[0]

    def noted(snapshot: LifecycleMutationHealthSnapshot) -> LifecycleMutationVerdict:
        seen.append(snapshot)
        return review(snapshot)

    monkeypatch.setattr(executor, "review", noted)
    monkeypatch.setattr(type(env.growth.slots[0]), "cooldown_epochs", 4)

    transact(world.nursery, env, PLANT, world.masks, notes=NO_NOTES)

    assert [snapshot.cooldown_epochs_remaining for snapshot in seen] == [4]
