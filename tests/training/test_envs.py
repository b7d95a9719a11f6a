"""How the copies of a run are made: on the device or the host, and with how many threads."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import TierUnavailable, UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.resident import ResidentCore
from diorama.contracts.tiers import CoreRequest
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.training.envs import EventSums, ReplaceableEnvs, resident_copies, training_share
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.settings import TrainingSettings
from diorama.worlds.registry import load_world, world_ids
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.refusals import refused

SPEC = toy_spec(ToyConfig())


def planned(world: str, *, device: str, **execution: Any) -> TrainingPlan:
    """A plan for a device that this machine need not have."""
    plan = plan_training(settings_of([Layer(source="test", values={"world": world, "copies": 3, "seed": 9})]))
    changed = plan.settings.execution.model_copy(update={"device": device, **execution})
    return replace(plan, settings=plan.settings.model_copy(update={"execution": changed}))


def offering(plan: TrainingPlan, asked: list[CoreRequest]) -> TrainingPlan:
    """The same plan in a world that records what it is asked for and has no device."""

    def reside(config: WorldConfig, request: CoreRequest) -> ResidentCore:
        asked.append(request)
        raise TierUnavailable("there is no such device")

    world = replace(plan.venue.world, reside=reside)
    return replace(plan, venue=replace(plan.venue, world=world))


def test_on_a_gpu_all_copies_of_the_run_are_requested_with_its_seed() -> None:
    asked: list[CoreRequest] = []

    with pytest.raises(TierUnavailable, match="no such device"):
        resident_copies(offering(planned("gameboy", device="cuda:1"), asked))

    assert asked == [CoreRequest(copies=3, seed=9, threads=1, device="cuda:1")]


@pytest.mark.parametrize(
    ("world", "execution"),
    [
        pytest.param("gameboy", {"device": "cpu"}, id="policy-on-the-cpu"),
        pytest.param("gameboy", {"device": "cuda", "pipeline": False}, id="no-pipeline"),
        pytest.param("prospector", {"device": "cuda"}, id="world-of-the-host"),
    ],
)
def test_elsewhere_copies_are_stepped_on_the_host(world: str, execution: dict[str, Any]) -> None:
    assert resident_copies(planned(world, **execution)) is None


@pytest.mark.parametrize("part", ["course", "rounds", "telemetry"])
def test_worlds_that_change_between_rollouts_are_stepped_on_the_host(part: str) -> None:
    plan = offering(planned("gameboy", device="cuda"), [])
    donor = next(world for world in map(load_world, world_ids()) if getattr(world, part) is not None)
    world = replace(plan.venue.world, **{part: getattr(donor, part)})

    assert resident_copies(replace(plan, venue=replace(plan.venue, world=world))) is None


def test_matches_are_played_on_the_host() -> None:
    plan = offering(planned("gameboy", device="cuda"), [])
    settings = plan.settings.model_copy(update={"self_play": SelfPlaySettings()})

    assert resident_copies(replace(plan, settings=settings)) is None


CORES = 16


@pytest.mark.parametrize(
    ("execution", "stepping"),
    [
        pytest.param({"pipeline": True}, 14, id="beside-a-device-all-but-two-cores"),
        pytest.param({"pipeline": True, "threads": 3}, 3, id="beside-a-device-no-more-than-the-limit"),
        pytest.param({"pipeline": True, "threads": 1}, 1, id="beside-a-device-one"),
        pytest.param({"pipeline": True, "threads": 99}, 14, id="beside-a-device-no-more-than-cores"),
        pytest.param({"lane_copies": 8}, 16, id="one-shard-has-all-cores"),
        pytest.param({"lane_copies": 8, "threads": 3}, 3, id="one-shard-has-no-more-than-the-limit"),
        pytest.param({"lane_copies": 2}, 4, id="shards-share-the-cores"),
        pytest.param({"lane_copies": 2, "threads": 9}, 2, id="shards-share-the-limit"),
        pytest.param({"lane_copies": 2, "threads": 2}, 1, id="fewer-threads-than-shards"),
    ],
)
def test_no_more_threads_step_than_the_settings_allow(execution: dict[str, object], stepping: int) -> None:
    values = {"world": "prospector", "copies": 8, "tier": "fast", "execution": execution}
    plan = plan_training(TrainingSettings.model_validate(values))

    batch = training_share(plan, 0, 1, cores=CORES)

    batch.close()
    assert batch.facts.threads == stepping


class Stepped:
    """A batch of two copies after a step, whose events carry payloads."""

    def __init__(self, *payloads: Mapping[str, JsonObject]) -> None:
        self._payloads = payloads
        bits = [sum(1 << SPEC.event_names.index(name) for name in payload) for payload in payloads]
        self.events = np.array(bits, np.uint64)

    def step_record(self, copy: int) -> Any:
        return SimpleNamespace(event_data=self._payloads[copy])


def record(sums: EventSums, *payloads: Mapping[str, JsonObject]) -> None:
    sums.record(cast(Batch, Stepped(*payloads)))


def test_event_sums_add_up_the_numbers_of_a_rollout_and_begin_again() -> None:
    sums = EventSums(TelemetryPlan(sums={"all": ("moved", "by")}, means={"mean": ("moved", "by")}), SPEC)
    record(sums, {"moved": {"by": 2}}, {})
    record(sums, {"moved": {"records": [{"by": 3}, {"by": 4}]}}, {"moved": {"by": 1}, "ended": {"by": 100}})

    assert sums.pop() == {"all": 10.0, "mean": 2.5}
    assert sums.pop() == {"all": 0.0, "mean": 0.0}


def test_event_sums_of_parts_are_merged_and_reset() -> None:
    whole = EventSums(TelemetryPlan(sums={"all": ("moved", "by")}), SPEC)
    part = whole.empty()
    record(part, {"moved": {"by": 2}})
    record(whole, {"moved": {"by": 5}})

    whole.merge(part)

    assert whole.pop() == {"all": 7.0}
    assert part.pop() == {"all": 0.0}


def test_sums_of_an_event_that_the_world_does_not_have_are_refused() -> None:
    with refused(UnknownName, "unknown_event", name="slept", known=("moved", "ended")):
        EventSums(TelemetryPlan(means={"a": ("slept", "hours")}), SPEC)


def opened(copies: int, seed: int) -> Batch:
    return make_batch(load_world("prospector"), copies=copies, seed=seed)


def test_replaced_environments_go_on_as_the_batch_that_replaces_them() -> None:
    envs, successor = ReplaceableEnvs(opened(4, seed=1)), opened(4, seed=2)
    buffers = [Buffers.allocate(envs.spec, 2) for _ in range(2)]
    parts = envs.split(2)
    for part, storage in zip(parts, buffers, strict=True):
        part.adopt(storage)
        part.reset()
        part.step(np.zeros((2, 1), np.int32), storage)
    successor.reset()
    expected = successor.obs.copy()

    envs.replace(opened(4, seed=2))

    assert np.array_equal(np.concatenate([storage.obs for storage in buffers]), expected)
    actions = np.ones((4, 1), np.int32)
    successor.step(actions)
    for part, storage, chosen in zip(parts, buffers, np.split(actions, 2), strict=True):
        part.step(chosen, storage)
    assert np.array_equal(np.concatenate([storage.obs for storage in buffers]), successor.obs)


def test_environments_without_event_sums_have_no_event_fields() -> None:
    assert ReplaceableEnvs(opened(2, seed=1)).pop_event_fields() == {}
