"""What events hold: their keys as they are stored, and that they say what really was decided and measured."""

import json
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, LifecycleOp
from diorama.worlds.morphogenesis.contracts.events import ANALYTICS_PAYLOADS, EVENT_PAYLOADS, TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    ActionDistributionSnapshot,
    LastActionSnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.training import EpochCompletedPayload
from diorama.worlds.morphogenesis.controller.deciding import Actions
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.scripted import RandomController
from diorama.worlds.morphogenesis.engine.tellers import outcome_of, tell_outcome
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.morphogenesis.streams import Streams
from tests.worlds.morphogenesis.small_worlds import small_world

STORED = Path(__file__).parent / "payload_keys.json"


def keys_of(payload: type[Payload]) -> dict[str, list[str]]:
    required = [item.name for item in fields(payload) if item.default is MISSING and item.default_factory is MISSING]
    return {"required": required, "optional": [item.name for item in fields(payload) if item.name not in required]}


def all_keys() -> dict[str, dict[str, list[str]]]:
    """Return the keys of every payload; `python -m tests.worlds.morphogenesis.test_telemetry` stores them."""
    kinds = {kind.name: keys_of(payload) for kind, payload in EVENT_PAYLOADS.items()}
    return {**kinds, **{name: keys_of(payload) for name, payload in ANALYTICS_PAYLOADS.items()}}


def test_every_payload_has_the_keys_that_are_stored() -> None:
    assert all_keys() == json.loads(STORED.read_text())


class Noted:
    """Lets chance decide, and keeps what it decided."""

    def __init__(self, streams: Streams) -> None:
        self.chance = RandomController(streams)
        self.decided: list[Actions] = []

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        chosen = self.chance.decide(obs, masks, reports)
        self.decided.append(chosen.copy())
        return chosen


def test_what_is_told_of_a_decision_is_what_was_decided() -> None:
    log: list[TelemetryEvent] = []
    world = small_world({"max_epochs": 5, "min_prune_age": 1}, envs=2, log=log)

    controller = Noted(world.nursery.streams)
    play_rounds(world, controller, name="random", rounds=3)

    told = [event.data for event in log if isinstance(event.data, LastActionSnapshot)]
    slots, op, slot = world.nursery.slots.slot_ids, HEAD_NAMES.index("op"), HEAD_NAMES.index("slot")
    flat = np.concatenate(controller.decided)
    assert len(told) == len(flat) == 3 * 5 * 2
    for said, action in zip(told, flat, strict=True):
        assert said.action_name == LifecycleOp(action[op]).name
        assert said.slot_id == (None if said.action_name == "WAIT" else slots[action[slot]])
    counted = [event.data for event in log if isinstance(event.data, ActionDistributionSnapshot)]
    for kind in LifecycleOp:
        assert sum(one.action_counts[kind.name] for one in counted) == int((flat[:, op] == kind).sum())
        assert all(
            one.successes[kind.name] + one.failures[kind.name] == one.action_counts[kind.name] for one in counted
        )
    accuracies = [event.data.val_accuracy for event in log if isinstance(event.data, EpochCompletedPayload)]
    assert max(accuracies) > 1.0
    assert all(0.0 <= accuracy <= 100.0 for accuracy in accuracies)


@pytest.mark.parametrize(("accuracy", "wanted"), [(79.9, "timeout"), (80.0, "success"), (100.0, "success")])
def test_eighty_percent_are_a_success(accuracy: float, wanted: str) -> None:
    world = small_world()
    world.reset(0)
    env = world.envs[0]
    outcome = outcome_of(env, round_index=0, reward_mode="shaped")
    outcome.final_accuracy = accuracy

    assert tell_outcome(env, outcome, epochs=1, is_cut_short=False).outcome_type == wanted
    assert tell_outcome(env, outcome, epochs=1, is_cut_short=True).outcome_type == "early_termination"


if __name__ == "__main__":
    STORED.write_text(json.dumps(all_keys(), indent=1) + "\n")
