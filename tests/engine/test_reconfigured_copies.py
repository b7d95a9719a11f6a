"""Copies of one core in different configurations: `ReconfigurableCore`, in both tiers."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.capabilities import ReconfigurableCore
from diorama.contracts.errors import ContractError, SnapshotError
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import I32
from diorama.engine.tiers import build_core
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.matches import MATCHES, sides

WORLD = load_world("tidebreak")
LIMIT = 10  # ticks of an episode
SHORT: dict[str, object] = {"seats": 2, "observation": "compact", "time_limit_s": LIMIT}
IDLE: dict[str, object] = {**SHORT, "stage": 1, "opponents": "idle"}
MIRRORED: dict[str, object] = {**SHORT, "stage": 2, "played": "all"}
SPEC = WORLD.describe(WORLD.config_type.model_validate(IDLE))
AGENTS = SPEC.agents
SEED = 91
TIERS = pytest.mark.parametrize("tier", ["reference", "fast"])
OPENED = ("obs", "masks", "alive", "episode_start")


def core_of(config: dict[str, object], tier: str, *, copies: int = 1, seed: int = 4, threads: int = 1) -> BatchCore:
    request = CoreRequest(copies=copies, seed=seed, threads=threads, device="cpu")
    return build_core(WORLD, WORLD.config_type.model_validate(config), tier, request)[2]


def reconfigure(core: BatchCore, copies: Sequence[int], config: dict[str, object], tier: str, into: Buffers) -> None:
    assert isinstance(core, ReconfigurableCore)
    prototype = core_of(config, tier)
    core.reconfigure(copies, [prototype] * len(copies), [SEED + copy for copy in copies], into)


def actions_at(step: int, copies: int) -> I32:
    numbers = np.random.default_rng(step)
    chosen = [numbers.integers(0, len(head.options), copies * AGENTS) for head in SPEC.heads]
    return np.stack(chosen, axis=1).astype(np.int32)


def play(core: BatchCore, buffers: Buffers, steps: range, copies: int, first: int = 0, total: int = 3) -> None:
    for step in steps:
        chosen = actions_at(step, total)[first * AGENTS : (first + copies) * AGENTS]
        core.step(np.ascontiguousarray(chosen), buffers)


def of_copy(buffers: Buffers, copy: int) -> dict[str, bytes]:
    own = buffers.copies_slice(copy, copy + 1, agents=AGENTS)
    return {item.name: getattr(own, item.name).tobytes() for item in fields(Buffers)}


def mixed(tier: str) -> tuple[BatchCore, Buffers]:
    """Return three copies of which the second has gone on, after a match, in another configuration."""
    core, buffers = core_of(IDLE, tier, copies=3), Buffers.allocate(SPEC, 3)
    core.reset([0, 1, 2], None, buffers)
    play(core, buffers, range(LIMIT), 3)
    reconfigure(core, [1], MIRRORED, tier, buffers)
    return core, buffers


@TIERS
def test_a_copy_goes_on_as_the_only_one_of_a_core_in_the_other_configuration(tier: str) -> None:
    core, buffers = mixed(tier)
    alone, own = core_of(MIRRORED, tier, seed=SEED + 1), Buffers.allocate(SPEC, 1)
    alone.reset([0], None, own)
    assert {name: of_copy(buffers, 1)[name] for name in OPENED} == {name: of_copy(own, 0)[name] for name in OPENED}

    buffers.final_obs[:] = 0.0  # the match before
    # Past the end of two episodes: the seeds are those of the other core, too.
    for step in range(LIMIT, 3 * LIMIT):
        play(core, buffers, range(step, step + 1), 3)
        play(alone, own, range(step, step + 1), 1, first=1)

        assert of_copy(buffers, 1) == of_copy(own, 0)
        assert core.snapshot(1) == alone.snapshot(0)
        assert core.step_record(1) == alone.step_record(0)
        assert core.render_state(1) == alone.render_state(0)
    assert core.episode_seed(1) == alone.episode_seed(0)


@TIERS
def test_the_others_and_the_outcome_of_the_last_step_stay(tier: str) -> None:
    core, buffers = core_of(IDLE, tier, copies=3), Buffers.allocate(SPEC, 3)
    untouched, other = core_of(IDLE, tier, copies=3), Buffers.allocate(SPEC, 3)
    for each, into in ((core, buffers), (untouched, other)):
        each.reset([0, 1, 2], None, into)
        play(each, into, range(LIMIT), 3)
    assert buffers.truncated.any(), "the match has just ended"

    reconfigure(core, [1, 2], MIRRORED, tier, buffers)

    for copy in range(3):
        ours, theirs = of_copy(buffers, copy), of_copy(other, copy)
        assert {name for name in ours if ours[name] != theirs[name]} <= (set(OPENED) if copy else set())
        assert core.step_record(copy) == untouched.step_record(copy)
    assert MATCHES.parts_of(core, 3).tolist() == MATCHES.parts_of(untouched, 3).tolist()
    assert core.opening_record(1) != untouched.opening_record(1)
    play(core, buffers, range(LIMIT, 2 * LIMIT), 3)
    play(untouched, other, range(LIMIT, 2 * LIMIT), 3)
    assert of_copy(buffers, 0) == of_copy(other, 0)


def test_both_tiers_play_mixed_copies_alike() -> None:
    shown: list[list[object]] = []
    for tier in ("reference", "fast"):
        core, buffers = mixed(tier)
        seen: list[object] = []
        for step in range(LIMIT, 3 * LIMIT):
            play(core, buffers, range(step, step + 1), 3)
            seen.append([(of_copy(buffers, copy), core.snapshot(copy)) for copy in range(3)])
        shown.append(seen)

    assert shown[0] == shown[1]


@TIERS
def test_a_snapshot_is_of_the_configuration_of_its_copy(tier: str) -> None:
    core, buffers = mixed(tier)
    data = core.snapshot(1)
    alone, own = core_of(MIRRORED, tier), Buffers.allocate(SPEC, 1)
    alone.reset([0], None, own)

    alone.restore(0, data, own)

    assert alone.snapshot(0) == data
    with pytest.raises(SnapshotError, match="configuration"):
        core.restore(0, data, buffers)
    core.restore(1, data, buffers)
    assert core.snapshot(1) == data


@TIERS
def test_parts_of_a_core_keep_the_configurations_of_their_copies(tier: str) -> None:
    core, buffers = mixed(tier)
    whole, other = mixed(tier)
    play(whole, other, range(LIMIT, 2 * LIMIT), 3)

    parts = core.split([1, 2])

    bounds, own_sides = [(0, 1), (1, 2)], []
    for part, (first, copies) in zip(parts, bounds, strict=True):
        own = buffers.copies_slice(first, first + copies, agents=AGENTS)
        play(part, own, range(LIMIT, 2 * LIMIT), copies, first=first)
        for copy in range(copies):
            assert part.snapshot(copy) == whole.snapshot(first + copy)
            assert part.render_state(copy) == whole.render_state(first + copy)
            own_sides.append(seats_taken(part.opening_record(copy)))
    assert own_sides == [1, 2, 1]


def seats_taken(record: StepRecord) -> int:
    return sum(side >= 0 for side in sides(TidebreakConfig.model_validate(IDLE), record))


def test_the_threads_that_step_do_not_change_mixed_copies() -> None:
    shown = []
    for threads in (1, 2):
        core, buffers = core_of(IDLE, "fast", copies=24, threads=threads), Buffers.allocate(SPEC, 24)
        core.reset(range(24), None, buffers)
        reconfigure(core, range(0, 24, 3), MIRRORED, "fast", buffers)
        play(core, buffers, range(2 * LIMIT), 24, total=24)
        shown.append([of_copy(buffers, copy) for copy in range(24)])

    assert shown[0] == shown[1]


@TIERS
@pytest.mark.parametrize(
    ("world", "config"),
    [
        pytest.param("prospector", {}, id="other-world"),
        pytest.param("tidebreak", {**IDLE, "seats": 3}, id="other-shape"),
    ],
)
def test_prototypes_that_do_not_fit_are_refused_and_nothing_changes(
    tier: str, world: str, config: dict[str, object]
) -> None:
    core, buffers = mixed(tier)
    request = CoreRequest(copies=1, seed=1, threads=1, device="cpu")
    entry = load_world(world)
    _, _, prototype = build_core(entry, entry.config_type.model_validate(config), tier, request)
    before = [core.snapshot(copy) for copy in range(3)]
    assert isinstance(core, ReconfigurableCore)

    with pytest.raises(ContractError):
        core.reconfigure([0], [prototype], [SEED], buffers)

    assert [core.snapshot(copy) for copy in range(3)] == before


def test_a_core_of_the_other_tier_is_no_prototype() -> None:
    for tier, other in (("reference", "fast"), ("fast", "reference")):
        core, buffers = mixed(tier)
        assert isinstance(core, ReconfigurableCore)
        with pytest.raises(ContractError, match=r"prototype|configuration"):
            core.reconfigure([0], [core_of(IDLE, other)], [SEED], buffers)


def test_native_copies_of_a_world_with_one_configuration_are_refused() -> None:
    entry = load_world("prospector")
    request = CoreRequest(copies=2, seed=1, threads=1, device="cpu")
    core, prototype = (build_core(entry, entry.config_type(), "fast", request)[2] for _ in range(2))
    buffers = Buffers.allocate(entry.describe(entry.config_type()), 2)
    core.reset([0, 1], None, buffers)
    assert isinstance(core, ReconfigurableCore)

    with pytest.raises(ContractError, match="one configuration"):
        core.reconfigure([1], [prototype], [SEED], buffers)
