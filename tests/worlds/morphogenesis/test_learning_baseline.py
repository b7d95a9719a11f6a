"""The short run whose events are counted: one env, five epochs, a script for the sampler, and a real update."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.rounds import CollapseRule, EventLevel, RoundsPlan
from diorama.contracts.values import I32, JsonObject
from diorama.learn.trainer import Trainer
from diorama.training.envs import ReplaceableEnvs
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.learning.keeping import LOUD_EPOCHS
from tests.worlds.morphogenesis.learners import Closing, controller_settings, small_batch
from tests.worlds.morphogenesis.small_worlds import SMALL

SCRIPT = (LifecycleOp.GERMINATE, LifecycleOp.ADVANCE, LifecycleOp.PRUNE, LifecycleOp.WAIT, LifecycleOp.WAIT)
CONFIG = {"task": "digits_baseline", "max_epochs": len(SCRIPT), "min_prune_age": 1, "stabilization_epochs": 6}


class Scripted(ReplaceableEnvs):
    """Writes over what the sampler chose, so that everybody after it sees the script."""

    taken = 0

    def step(self, actions: I32, into: Buffers) -> None:
        actions[:] = PLACEHOLDERS
        actions[:, -1] = SCRIPT[self.taken % len(SCRIPT)]
        if actions[0, -1] == LifecycleOp.GERMINATE:
            actions[:, 1] = BlueprintAction.CONV_LIGHT
        self.taken += 1
        super().step(actions, into)

    def split(self, parts: int) -> list[ReplaceableEnvs]:
        assert parts == 1
        return [self]


BASELINE = {
    "ANALYTICS_SNAPSHOT": 7,
    "EPOCH_COMPLETED": 5,
    "SEED_STAGE_CHANGED": 3,
    "TRAINING_STARTED": 1,
    "SEED_GERMINATED": 1,
    "SEED_GATE_EVALUATED": 1,
    "SEED_PRUNED": 1,
    "EPISODE_OUTCOME": 1,
    "VALUE_COLLAPSE_DETECTED": 1,
    "PPO_UPDATE_COMPLETED": 1,
    "BATCH_EPOCH_COMPLETED": 1,
}


def short_run(**opted: bool) -> tuple[Closing, list[JsonObject]]:
    """Return what a short run told up to the end of its round."""
    listener, told = told_of(EventLevel.NORMAL, rounds=1, **opted)
    return listener, told[: tails(told)[0] + 1]


def told_of(level: EventLevel, *, rounds: int, **opted: bool) -> tuple[Closing, list[JsonObject]]:
    """Return everything that is told at a level, beyond the end of the last round, too."""
    config = {**CONFIG, **opted}
    settings = controller_settings(
        "scratch", copies=1, config={**SMALL, **config}, steps=len(SCRIPT), ppo={"update_epochs": 1}
    )
    told: list[JsonObject] = []
    copies: ReplaceableEnvs = Scripted(small_batch(1, config=config))
    plan = RoundsPlan(
        rounds=rounds,
        learning_rate=3e-4,
        clip_coef=0.2,
        entropy_coefficient=0.05,
        device="cpu",
        level=level,
        collapse_rule=CollapseRule.EXPLAINED_VARIANCE,
    )
    listener = Closing(copies.track_rounds(plan, told.append))
    trainer = Trainer(copies, settings.trainer, seed=1, callbacks=[listener])
    with torch.no_grad():
        trainer.policy.value_head.bias.add_(5.0)
    trainer.run(rounds * len(SCRIPT))
    return listener, told


def tails(told: list[JsonObject]) -> list[int]:
    """Return where rounds end."""
    return [place for place, event in enumerate(told) if "action_counts" in (event["data"] or {})]  # type: ignore[operator]


def kinds(told: list[JsonObject]) -> list[str]:
    return [str(event["event_type"]) for event in told]


def test_a_short_run_tells_exactly_what_it_should() -> None:
    listener, told = short_run()

    assert Counter(kinds(told)) == BASELINE
    (details,) = listener.details
    assert np.isfinite(details.grad_norm)
    assert details.epochs_done == 1


def test_what_is_asked_for_is_told_on_top_and_nothing_else_changes() -> None:
    _, told = short_run(causal_log=True, phase_profile=True, allocator_stats=True)

    # Five links each of a plant and an advance, six of a prune; a processor has no allocator to tell of.
    assert Counter(kinds(told)) == {**BASELINE, "MORPHOLOGY_CAUSAL_LOG": 16, "PHASE_PROFILE_COMPLETED": 5}
    last = max(place for place, kind in enumerate(kinds(told)) if kind == "PHASE_PROFILE_COMPLETED")
    assert kinds(told).index("EPISODE_OUTCOME") < last < kinds(told).index("VALUE_COLLAPSE_DETECTED")


def test_what_looks_wrong_is_followed_by_five_epochs_that_are_told_in_full() -> None:
    _, told = told_of(EventLevel.MINIMAL, rounds=3)

    ends = tails(told)
    spoken = [Counter(kinds(told[start:end])) for start, end in pairwise([0, *ends])]
    assert "EPOCH_COMPLETED" not in spoken[0]
    assert spoken[0]["VALUE_COLLAPSE_DETECTED"] == 1
    assert spoken[1]["EPOCH_COMPLETED"] == LOUD_EPOCHS == len(SCRIPT)


@pytest.mark.parametrize(("level", "tells"), [(EventLevel.NORMAL, False), (EventLevel.DEBUG, True)])
def test_layers_are_told_with_what_looks_wrong_where_everything_is_asked_for(level: EventLevel, tells: bool) -> None:
    _, told = told_of(level, rounds=1)

    (anomaly,) = (event["data"] for event in told if event["event_type"] == "VALUE_COLLAPSE_DETECTED")
    assert isinstance(anomaly, dict)
    assert (anomaly["gradient_stats"] is not None) is tells


def test_nothing_is_told_where_nothing_is_asked_for() -> None:
    assert told_of(EventLevel.OFF, rounds=1)[1] == []
