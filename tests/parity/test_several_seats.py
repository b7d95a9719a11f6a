"""The harness over a world with two seats, two heads and byte observations, whose seats end one by one."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.plans import ActionSuite
from diorama.contracts.records import Decision
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import F32, U8
from diorama.contracts.world import World
from diorama.engine.reference_core import ReferenceCore
from diorama.parity.cases import Selection, plan_cases
from diorama.parity.matrix import check_case
from diorama.parity.profiles import Profile
from tests.engine.toy_world import TOY, ToyConfig, ToySimulation


class Swinger:
    """Walks through the options of both heads, from a start of its own."""

    def __init__(self, seed: int) -> None:
        self._turn = seed

    def reset(self, episode_seed: int) -> None:
        pass

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        self._turn += 1
        return self._turn % 3, self._turn % 2


class WrongByte(ToySimulation):
    def observe(self, obs: F32, obs_u8: U8) -> None:
        super().observe(obs, obs_u8)
        obs_u8[1, 1] += self._steps == 1


def toy_with(simulation: type[ToySimulation]) -> World[WorldConfig]:
    def accelerate(config: ToyConfig, request: CoreRequest) -> BatchCore:
        world = cast(World[WorldConfig], replace(TOY, simulate=simulation))
        return ReferenceCore.build(world, config, copies=request.copies, seed=request.seed)

    suite = ActionSuite(name="S", summary="swings", start=Swinger)
    plan = replace(TOY.parity, suites=(suite,), quick_suites=("S",), steps=10)
    return cast(World[WorldConfig], replace(TOY, accelerate=accelerate, parity=plan))


def test_two_tiers_of_a_world_with_seats_agree(tmp_path: Path) -> None:
    world = toy_with(ToySimulation)
    (case,) = plan_cases(world, Selection())

    result = check_case(world, case, Profile.EXACT, tmp_path)

    assert result.mismatch is None
    assert (result.steps, result.episodes) == (10, 3)


def test_a_difference_names_the_seat(tmp_path: Path) -> None:
    world = toy_with(WrongByte)
    (case,) = plan_cases(world, Selection())

    result = check_case(world, case, Profile.EXACT, tmp_path)

    assert result.mismatch is not None
    (found,) = result.mismatch.differences
    assert (result.mismatch.step, found.field, found.name) == (0, "obs_u8", "code[1] of seat 1")
    assert result.bundle is not None
    trace = np.load(result.bundle / "fast_trace.npz", allow_pickle=False)
    assert trace["obs_u8"].shape == (1, 2, 2)
    assert trace["action_received"].tolist() == [[[1, 1], [2, 0]]]
