"""A batch behind the C interface against the fast tier, bit for bit, and what it refuses."""

import ctypes
import json
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest

import diorama
from diorama.contracts.values import I32, canonical_json
from diorama.engine.batch import Batch
from diorama.rng import Pcg32
from diorama.worlds.tidebreak import fast
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.contract import HEAD_SIZES, NOOP_RUDDER, NOOP_THROTTLE
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from tests.capi.build import Build
from tests.capi.tidebreak_library import OK, Config, TideBatch, aligned, last_error, taken

SEATS: Final = 3
ENVS: Final = 4
BATTLES: Final = (4, 9)
SHARED_BUFFERS: Final = (
    "obs",
    "masks",
    "rewards",
    "terminated",
    "truncated",
    "alive",
    "episode_start",
    "metrics",
    "dt",
    "final_obs",
)
PACKAGES: Final = tuple(resolve(random_battle(battle)).document for battle in BATTLES)


@pytest.fixture(scope="module")
def library(build: Build) -> ctypes.CDLL:
    return ctypes.CDLL(str(build.library))


@pytest.fixture
def batch(library: ctypes.CDLL) -> Iterator[TideBatch]:
    config = {"envs": ENVS, "agents_per_env": SEATS, "plays_all": 1, "threads": 2, "collect_events": 1, "seed": 5}
    made = TideBatch(library, PACKAGES, config)
    yield made
    made.close()


def fast_batch(battle: int, copies: int) -> Batch:
    package = random_battle(battle).model_dump(mode="json")
    config = {"package": package, "seats": SEATS, "played": "all"}
    return diorama.make("tidebreak", config=config, copies=copies, tier="fast", seed=5)


def any_actions(rng: Pcg32, rows: int) -> I32:
    drawn = [rng.randint_exclusive(0, size) for _ in range(rows) for size in HEAD_SIZES]
    return np.array(drawn, np.int32).reshape(rows, len(HEAD_SIZES))


def differing(batch: TideBatch, twin: Batch) -> list[str]:
    return [name for name in SHARED_BUFFERS if batch.buffers[name].tobytes() != getattr(twin, name).tobytes()]


def test_the_usual_configuration_is_that_of_the_world(library: ctypes.CDLL) -> None:
    config, usual = Config(), TidebreakConfig()
    assert library.tb_config_default(ctypes.byref(config)) == OK

    assert tuple(config.weights) == usual.weights
    assert (config.team_share, bool(config.credit_dead)) == (0.3, usual.credit_dead)


@pytest.mark.parametrize("seeds", [None, [7, 8, 9, 2**64 - 1]])
def test_every_buffer_equals_that_of_the_fast_tier(batch: TideBatch, seeds: list[int] | None) -> None:
    twin = fast_batch(BATTLES[0], ENVS)
    rng = Pcg32.from_seed(3, 80)
    assert batch.reset(seeds) == OK
    twin.reset(seeds=seeds)

    for _ in range(120):
        assert differing(batch, twin) == []
        assert batch.buffers["state_hash"].tolist() == [twin.state_hash(copy) for copy in range(ENVS)]
        actions = any_actions(rng, batch.rows)
        assert batch.step(actions) == OK
        twin.step(actions)

    told = json.loads(json.dumps([twin.step_record(copy).info["reward_components"] for copy in range(ENVS)]))
    components = np.array([seat or [0.0] * 12 for seats in told for seat in seats], np.float32)
    assert batch.buffers["reward_components"].tolist() == components.tolist()


def test_environments_fight_the_template_that_they_are_assigned(batch: TideBatch) -> None:
    twin = fast_batch(BATTLES[1], 1)
    twin.reset(seeds=[12])
    assert batch.assign(2, 1) == OK
    assert batch.step() == 103
    assert batch.reset([10, 11, 12, 13]) == OK

    assert batch.state_hash(2) == twin.state_hash(0)
    assert batch.assign(0, 2) == batch.assign(ENVS, 0) == 3


def test_several_ticks_are_single_ticks_with_the_same_actions(library: ctypes.CDLL) -> None:
    config = {"agents_per_env": SEATS, "plays_all": 1}
    slow, quick = (TideBatch(library, PACKAGES[:1], config) for _ in range(2))
    for batch in (slow, quick):
        assert batch.reset([3]) == OK
    actions = any_actions(Pcg32.from_seed(4, 80), SEATS)
    rewards = np.zeros(SEATS, np.float32)

    for _ in range(30):
        assert slow.step(actions) == OK
        rewards += slow.buffers["rewards"].astype(np.float32)
    assert quick.step(actions, ticks=30) == OK

    assert quick.buffers["state_hash"] == slow.buffers["state_hash"]
    assert (quick.buffers["rewards"].tolist(), quick.buffers["dt"].tolist()) == (rewards.tolist(), [30])
    slow.close()
    quick.close()


def test_a_battle_that_ends_leaves_its_result_and_opens_the_next(library: ctypes.CDLL) -> None:
    batch, twin = TideBatch(library, PACKAGES[:1], {"agents_per_env": SEATS, "plays_all": 1}), fast_batch(BATTLES[0], 1)
    assert batch.reset([3]) == OK
    twin.reset(seeds=[3])
    noops = np.array([[NOOP_THROTTLE, NOOP_RUDDER, 0, 0, 0, 0, 0]] * SEATS, np.int32)

    assert batch.step(noops, ticks=2**20) == OK
    while True:
        twin.step(noops)
        if twin.episode_start[0]:
            break

    assert (batch.buffers["env_done"].tolist(), batch.buffers["tick"].tolist()) == ([1], [0])
    assert batch.state_hash(0) == twin.state_hash(0)
    assert json.loads(batch.result(0)[1]) == twin.step_record(0).info["battle_result"]
    for name in ("obs", "terminated", "truncated", "final_obs", "metrics"):
        assert batch.buffers[name].tobytes() == getattr(twin, name).tobytes()
    batch.close()


def test_events_are_handed_out_once(batch: TideBatch) -> None:
    assert batch.reset([1, 2, 3, 4]) == OK
    assert batch.step(ticks=60) == OK

    events = batch.events(1)

    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert events[0].kind == 0
    assert batch.events(1) == []


def test_a_snapshot_goes_on_where_it_was_taken(batch: TideBatch) -> None:
    assert batch.reset([1, 2, 3, 4]) == OK
    assert batch.step(ticks=20) == OK
    data, before = batch.snapshot(1), batch.buffers["obs"][SEATS : 2 * SEATS].tobytes()
    assert batch.step(ticks=20) == OK
    later = batch.state_hash(1)

    assert batch.restore(1, data) == OK
    assert batch.buffers["obs"][SEATS : 2 * SEATS].tobytes() == before
    assert batch.buffers["tick"].tolist() == [40, 20, 40, 40]
    assert batch.step(ticks=20) == OK
    assert batch.state_hash(1) == later


def test_a_battle_is_fought_to_the_result_of_the_fast_tier(library: ctypes.CDLL) -> None:
    package = resolve(random_battle(BATTLES[0]))
    ship = json.loads(package.document)["units"][0]["ship_id"]
    controllers = {ship: "script:evader"}
    given = canonical_json(controllers).encode()
    data, size = ctypes.c_void_p(), ctypes.c_size_t()

    code = library.tb_simulate(
        package.document,
        ctypes.c_size_t(len(package.document)),
        given,
        ctypes.c_size_t(len(given)),
        ctypes.byref(data),
        ctypes.byref(size),
    )

    assert code == OK, last_error(library)
    result = BattleResult.model_validate_json(taken(library, data, size.value))
    assert result == fast.simulate(package, controllers)


def test_wrong_buffers_are_refused_with_their_codes(batch: TideBatch) -> None:
    rows = batch.rows
    read_only = aligned((rows,), "f4")
    read_only.flags.writeable = False
    shape = (rows, sum(HEAD_SIZES))
    wrong = {
        10: ("rewards", aligned((rows,), "i4")),
        11: ("rewards", aligned((rows + 1,), "f4")),
        12: ("masks", aligned((rows, 2 * sum(HEAD_SIZES)), "u1")[:, ::2]),
        13: ("masks", aligned(shape, "u1", offset=1)),
        14: ("rewards", read_only),
        105: ("final_obs", batch.buffers["obs"]),
    }

    for code, (name, buffer) in wrong.items():
        assert batch.register(name, buffer) == code
        assert batch.last_error().startswith(f"C{code:03d} buffer ")
    read_only_actions = aligned(*batch.form("actions"))
    read_only_actions.flags.writeable = False
    assert batch.register("actions", read_only_actions) == OK
    assert batch.reset() == OK


def test_an_option_that_does_not_exist_changes_nothing(batch: TideBatch) -> None:
    assert batch.reset([1, 2, 3, 4]) == OK
    before = [batch.state_hash(env) for env in range(ENVS)]
    actions = np.zeros((batch.rows, len(HEAD_SIZES)), np.int32)
    actions[-1, 5] = HEAD_SIZES[5]

    assert batch.step(actions) == 2
    assert batch.last_error() == f"C002 target is 17; it must be 0 to 16 (row {batch.rows - 1})"
    assert [batch.state_hash(env) for env in range(ENVS)] == before


def test_what_comes_too_early_or_names_nobody_is_refused(library: ctypes.CDLL) -> None:
    empty = TideBatch(library, [], {})
    assert empty.reset() == empty.step() == 103
    assert empty.add_template(PACKAGES[0]) == OK
    assert empty.step() == 103
    assert empty.reset() == OK
    assert empty.step(ticks=0) == 106
    assert (empty.result(0)[0], empty.result(1)[0]) == (104, 3)
    empty.close()
    assert library.tb_batch_step(None, 1) == 101
    config, handle = Config(), ctypes.c_void_p()
    assert library.tb_config_default(ctypes.byref(config)) == OK
    config.opponents = b"script:nobody"
    assert library.tb_batch_new(ctypes.byref(config), ctypes.byref(handle)) == 102
    assert "nobody" in last_error(library)


def test_damaged_snapshots_are_refused_and_change_nothing(batch: TideBatch) -> None:
    assert batch.reset([1, 2, 3, 4]) == OK
    assert batch.step(ticks=10) == OK
    data, before = batch.snapshot(0), batch.state_hash(0)
    rng = Pcg32.from_seed(6, 80)

    for _ in range(200):
        damaged = bytearray(data)
        damaged[rng.randint_exclusive(0, len(damaged))] ^= 1 + rng.randint_exclusive(0, 255)
        assert batch.restore(0, bytes(damaged)) in {20, 21}
        assert batch.restore(0, data[: rng.randint_exclusive(0, len(data))]) in {20, 21}
    assert batch.assign(1, 1) == OK
    assert batch.reset(mask=[0, 1, 0, 0]) == OK
    assert batch.restore(1, data) == 21
    assert batch.state_hash(0) == before


def test_fuzzed_packages_never_crash_the_reader(library: ctypes.CDLL) -> None:
    batch = TideBatch(library, [], {"agents_per_env": SEATS})
    rng = Pcg32.from_seed(7, 80)
    codes = set()

    for _ in range(300):
        damaged = bytearray(PACKAGES[0])
        for _ in range(1 + rng.randint_exclusive(0, 4)):
            damaged[rng.randint_exclusive(0, len(damaged))] = rng.randint_exclusive(32, 127)
        codes.add(batch.add_template(bytes(damaged)))
        codes.add(batch.add_template(PACKAGES[0][: rng.randint_exclusive(0, len(PACKAGES[0]))]))

    assert 1 in codes
    assert codes <= {OK, 1, 30}
    batch.close()
