"""Which runs learn from copies that live on the device of their policy."""

from dataclasses import replace
from typing import Any

import pytest

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.resident import ResidentCore
from diorama.contracts.tiers import CoreRequest
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.operate.training.layers import Layer, settings_of
from diorama.operate.training.learners import resident_copies
from diorama.operate.training.plan import TrainingPlan, plan_training
from diorama.worlds.registry import load_world, world_ids


def planned(world: str, *, device: str, **execution: Any) -> TrainingPlan:
    """A plan for a device that need not be here."""
    plan = plan_training(settings_of([Layer(source="test", values={"world": world, "copies": 3, "seed": 9})]))
    changed = plan.settings.execution.model_copy(update={"device": device, **execution})
    return replace(plan, settings=plan.settings.model_copy(update={"execution": changed}))


def offering(plan: TrainingPlan, asked: list[CoreRequest]) -> TrainingPlan:
    """The same, in a world that says what it is asked for instead of going to the device."""

    def reside(config: WorldConfig, request: CoreRequest) -> ResidentCore:
        asked.append(request)
        raise TierUnavailable("there is no such device")

    world = replace(plan.venue.world, reside=reside)
    return replace(plan, venue=replace(plan.venue, world=world))


def test_on_a_gpu_all_copies_of_the_run_are_asked_for_with_its_seed() -> None:
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
def test_worlds_that_are_led_between_rollouts_are_stepped_on_the_host(part: str) -> None:
    plan = offering(planned("gameboy", device="cuda"), [])
    donor = next(world for world in map(load_world, world_ids()) if getattr(world, part) is not None)
    led = replace(plan.venue.world, **{part: getattr(donor, part)})

    assert resident_copies(replace(plan, venue=replace(plan.venue, world=led))) is None


def test_matches_are_played_on_the_host() -> None:
    plan = offering(planned("gameboy", device="cuda"), [])
    settings = plan.settings.model_copy(update={"self_play": SelfPlaySettings()})

    assert resident_copies(replace(plan, settings=settings)) is None
