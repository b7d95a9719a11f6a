"""The batch interface, for every tier of every world that ships with one."""

import subprocess
import sys

import numpy as np
import pytest

import diorama
from diorama.contracts.buffers import Buffers
from diorama.contracts.capabilities import WakefulCore
from diorama.contracts.errors import ConfigError, ContractError, SnapshotError, TierUnavailable, UnknownName
from diorama.engine.batch import Batch
from diorama.engine.throughput import ValidActionSampler
from diorama.native import NativeCore
from diorama.rng import Pcg32, episode_seed

WORLD = "prospector"


def play(batch: Batch, steps: int, seed: int = 0) -> list[int]:
    """Step random valid actions, the same for every batch of as many rows, and return the hashes of all copies."""
    sampler = ValidActionSampler(batch.spec, seed=seed)
    for _ in range(steps):
        batch.step(sampler.sample(batch.masks))
    return [batch.state_hash(copy) for copy in range(batch.copies)]


@pytest.fixture(params=["reference", "fast"])
def tier(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_fast_tier_is_the_default() -> None:
    batch = diorama.make(WORLD)

    assert (batch.tier_selected, batch.tier_fallback_reason) == ("fast", None)


def test_buffers_have_the_shapes_and_types_of_the_contract(tier: str) -> None:
    batch = diorama.make(WORLD, copies=3, tier=tier)
    batch.reset()

    assert batch.obs.shape == (3, batch.spec.obs_width)
    assert batch.masks.shape == (3, len(batch.spec.option_names))
    assert batch.metrics.shape == (3, len(batch.spec.metrics))
    assert [array.dtype.name for array in (batch.dt, batch.events, batch.terminated)] == ["uint16", "uint64", "uint8"]
    assert batch.episode_start.tolist() == [1, 1, 1]
    assert batch.alive.tolist() == [1, 1, 1]


def test_both_tiers_give_the_same_hashes_through_auto_resets() -> None:
    hashes = []
    for tier in ("reference", "fast"):
        batch = diorama.make(WORLD, copies=2, config={"time_max": 40}, seed=3, tier=tier)
        batch.reset()
        hashes.append(play(batch, 60))

    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("threads", [2, 5])
def test_hashes_do_not_depend_on_threads(threads: int) -> None:
    hashes = []
    for count in (1, threads):
        batch = diorama.make(WORLD, copies=512, seed=11, threads=count)
        batch.reset()
        hashes.append(play(batch, 40))

    assert hashes[0] == hashes[1]


def test_a_copy_of_a_large_batch_equals_a_batch_of_one() -> None:
    large = diorama.make(WORLD, copies=4096, seed=21)
    large.reset()
    chosen = (0, 1, 1777, 4095)
    alone = {copy: diorama.make(WORLD, seed=1) for copy in chosen}
    for copy, batch in alone.items():
        batch.reset(seeds=[large.episode_seed(copy)])
    sampler = ValidActionSampler(large.spec, seed=0)

    for _ in range(30):
        actions = sampler.sample(large.masks)
        actions[actions == 68] = 6  # a copy alone would go on with another sequence after a cash-out
        large.step(actions)
        for copy, batch in alone.items():
            batch.step(actions[copy : copy + 1])

    for copy, batch in alone.items():
        assert batch.state_hash(0) == large.state_hash(copy)
        assert batch.obs.tobytes() == large.obs[copy].tobytes()


def test_hashes_are_the_same_in_a_fresh_process() -> None:
    batch = diorama.make(WORLD, copies=3, seed=8)
    batch.reset()
    expected = play(batch, 50)
    code = (
        "import diorama; from tests.engine.test_batch import play;"
        "batch = diorama.make('prospector', copies=3, seed=8, threads=2); batch.reset(); print(play(batch, 50))"
    )

    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == str(expected)


def test_snapshots_at_random_steps_continue_exactly(tier: str) -> None:
    steps = 60 if tier == "fast" else 12
    rng = Pcg32.from_seed(5, 1)
    for _ in range(4):
        batch = diorama.make(WORLD, copies=2, seed=rng.next_u32(), config={"time_max": 90}, tier=tier)
        batch.reset()
        play(batch, rng.randint_exclusive(0, steps))
        kept = [batch.snapshot(copy) for copy in range(2)]
        continued = play(batch, steps, seed=1)
        obs = batch.obs.tobytes()

        for copy in range(2):
            batch.restore(copy, kept[copy])

        assert [batch.snapshot(copy) for copy in range(2)] == kept
        assert play(batch, steps, seed=1) == continued
        assert batch.obs.tobytes() == obs


def test_a_snapshot_of_one_tier_restores_in_the_other() -> None:
    reference, fast = (diorama.make(WORLD, seed=4, tier=tier) for tier in ("reference", "fast"))
    for batch in (reference, fast):
        batch.reset()
    play(reference, 15)

    fast.restore(0, reference.snapshot(0))

    assert fast.snapshot(0) == reference.snapshot(0)
    assert play(fast, 10, seed=2) == play(reference, 10, seed=2)
    assert fast.render_state(0) == reference.render_state(0)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda data: b"XXXX" + data[4:], "begin", id="other-world"),
        pytest.param(lambda data: data[:4] + b"\x63\x00" + data[6:], "version", id="other-version"),
        pytest.param(lambda data: data[:-20], "bytes", id="cut-short"),
        pytest.param(lambda data: data + b"!", "bytes", id="too-long"),
        pytest.param(lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:], "corrupt", id="flipped-bit"),
        pytest.param(lambda data: b"", "bytes", id="empty"),
    ],
)
def test_a_damaged_snapshot_is_refused_and_changes_nothing(tier: str, damage: object, message: str) -> None:
    assert callable(damage)
    batch = diorama.make(WORLD, seed=4, tier=tier)
    batch.reset()
    before = batch.snapshot(0)

    with pytest.raises(SnapshotError, match=message):
        batch.restore(0, damage(before))

    assert batch.snapshot(0) == before


def test_seeds_follow_the_sequence_of_the_specification(tier: str) -> None:
    batch = diorama.make(WORLD, copies=2, seed=77, tier=tier)
    batch.reset()
    assert [batch.episode_seed(copy) for copy in range(2)] == [episode_seed(77, copy, 1) for copy in range(2)]

    batch.reset(seeds=[-1, 10])
    assert [batch.episode_seed(copy) for copy in range(2)] == [2**64 - 1, 10]

    batch.reset(copies=[1])
    assert [batch.episode_seed(copy) for copy in range(2)] == [2**64 - 1, episode_seed(10, 1, 1)]

    batch.step(np.array([6, 68]))  # copy 1 cashes out and is reset in the same step
    assert batch.terminated.tolist() == [0, 1]
    assert batch.episode_start.tolist() == [0, 1]
    assert batch.episode_seed(1) == episode_seed(10, 1, 2)


def test_an_ending_step_keeps_its_own_record_and_final_observation(tier: str) -> None:
    batch = diorama.make(WORLD, seed=1, tier=tier)
    batch.reset(seeds=[42])
    opening = batch.obs.copy()

    batch.step(np.array([68]))

    record = batch.step_record(0)
    assert record.events[-2:] == ("cash_out", "terminated")
    assert record.info["end_reason"] == "cash_out"
    assert batch.final_obs[0, 6] == np.float32(19999 / 20000)
    assert batch.obs[0, 6] == 1.0
    assert not np.array_equal(batch.obs, opening)
    assert batch.opening_record(0).info["ticks"] == 0


def test_stepping_writes_into_the_callers_arrays(tier: str) -> None:
    spec = diorama.make(WORLD).spec
    storage = np.full((3, 2, spec.obs_width), -9.0, np.float32)
    sets = [Buffers.allocate(spec, 2) for _ in range(3)]
    slots = [
        Buffers(**{name: getattr(item, name) for name in Buffers.__slots__} | {"obs": storage[place]})
        for place, item in enumerate(sets)
    ]
    batch = diorama.make(WORLD, copies=2, seed=3, tier=tier, buffers=slots[0])
    batch.reset()

    for place in (1, 2):
        batch.step(np.array([6, 6]), into=slots[place])

    assert (storage != -9.0).all()
    assert batch.obs.base is storage or np.shares_memory(batch.obs, storage)
    assert storage[0, 0, 6] > storage[1, 0, 6] > storage[2, 0, 6]


def test_parts_of_a_split_batch_continue_like_the_whole(tier: str) -> None:
    whole, halved = (diorama.make(WORLD, copies=5, seed=6, tier=tier) for _ in range(2))
    for batch in (whole, halved):
        batch.reset()
        batch.step(np.full(5, 6))
    parts = halved.split(2)

    for action in (0, 7, 68, 6):
        whole.step(np.full(5, action))
        for part in parts:
            part.step_async(np.full(part.copies, action))
        for part in parts:
            part.wait()

    assert [part.copies for part in parts] == [2, 3]
    assert halved.obs.tobytes() == whole.obs.tobytes()
    assert [part.state_hash(copy) for part in parts for copy in range(part.copies)] == [
        whole.state_hash(copy) for copy in range(5)
    ]
    with pytest.raises(ContractError, match="was split"):
        halved.step(np.full(5, 6))


def test_parts_of_a_split_batch_that_step_at_the_same_time_come_to_what_the_whole_does() -> None:
    whole, batch = (diorama.make(WORLD, copies=256, seed=6, tier="fast") for _ in range(2))
    whole.reset()
    batch.reset()
    parts = batch.split(4)

    for _ in range(200):
        whole.step(np.full(whole.copies, 6))
        for part in parts:
            part.step_async(np.full(part.copies, 6))
        for part in parts:
            part.wait()

    hashes = [part.state_hash(copy) for part in parts for copy in range(part.copies)]
    assert hashes == [whole.state_hash(copy) for copy in range(whole.copies)]


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint64])
def test_any_integer_type_is_accepted_and_out_of_range_is_invalid(tier: str, dtype: type[np.integer]) -> None:
    batch = diorama.make(WORLD, tier=tier)
    batch.reset()

    batch.step(np.array([np.iinfo(dtype).max], dtype))

    assert batch.step_record(0).info["invalid_action"] is True


@pytest.mark.parametrize("actions", [np.array([1.0]), np.array([True]), ["6"]])
def test_actions_that_are_no_integers_raise_type_error(tier: str, actions: object) -> None:
    batch = diorama.make(WORLD, tier=tier)
    batch.reset()

    with pytest.raises(TypeError, match="must be integers"):
        batch.step(actions)  # type: ignore[arg-type]


def test_misuse_is_refused_with_what_would_be_right() -> None:
    batch = diorama.make(WORLD, copies=2)
    with pytest.raises(ContractError, match="call reset"):
        batch.step(np.zeros(2, np.int32))
    batch.reset()
    with pytest.raises(ContractError, match=r"this batch takes \(2, 1\) or \(2,\)"):
        batch.step(np.zeros(3, np.int32))
    with pytest.raises(ContractError, match=r"no copy 2; this batch has 0\.\.1"):
        batch.snapshot(2)
    with pytest.raises(ContractError, match="got 1 seeds for 2 copies"):
        batch.reset(seeds=[1])
    with pytest.raises(ContractError, match="twice"):
        batch.reset(copies=[1, 1])
    with pytest.raises(ContractError, match="nothing to wait for"):
        batch.wait()
    with pytest.raises(ContractError, match=r"use 1\.\.2"):
        batch.split(3)
    batch.step_async(np.zeros(2, np.int32))
    with pytest.raises(ContractError, match=r"call wait\(\) first"):
        batch.snapshot(0)
    batch.wait()
    batch.close()
    with pytest.raises(ContractError, match="closed"):
        batch.reset()


def test_bad_arguments_of_make_name_what_would_be_right() -> None:
    with pytest.raises(UnknownName, match="prospector"):
        diorama.make("prospecter")
    with pytest.raises(ConfigError, match="auto, reference or fast"):
        diorama.make(WORLD, tier="quick")
    with pytest.raises(ConfigError, match=r"prospector\.time_max: -1 is wrong; .*greater than 0"):
        diorama.make(WORLD, config={"time_max": -1})
    with pytest.raises(
        ConfigError, match=r"prospector\.time_mx: there is no such key .*; keys are: time_max, reward_p"
    ):
        diorama.make(WORLD, config={"time_mx": 1})
    with pytest.raises(
        ConfigError, match=r"townlet\.world\.seat: there is no such key .*'seats'.*; keys are: (?!config_id)"
    ):
        diorama.make("townlet", config={"world": {"seat": 1}})
    with pytest.raises(ConfigError, match="copies is 0"):
        diorama.make(WORLD, copies=0)
    with pytest.raises(ConfigError, match="threads is 0"):
        diorama.make(WORLD, threads=0)
    with pytest.raises(TierUnavailable, match="cuda"):
        diorama.make(WORLD, tier="fast", device="cuda:0")


def test_buffers_that_do_not_fit_are_refused_by_name() -> None:
    spec = diorama.make(WORLD).spec
    fitting = Buffers.allocate(spec, 2)
    fields = {name: getattr(fitting, name) for name in Buffers.__slots__}
    for name, wrong in (
        ("obs", fitting.obs.astype(np.float64)),
        ("masks", fitting.masks[:, :5]),
        ("dt", fitting.dt[:1]),
    ):
        with pytest.raises(ContractError, match=f"buffer '{name}'"):
            diorama.make(WORLD, copies=2, buffers=Buffers(**(fields | {name: wrong})))


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_that_stay_awake_step_to_the_same_states(tier: str, threads: int) -> None:
    asleep, awake = (diorama.make(WORLD, copies=32, seed=6, tier=tier, threads=threads) for _ in range(2))
    asleep.reset()
    awake.reset()
    steps = 20
    hashes = [play(asleep, steps, seed) for seed in range(3)]

    found = []
    for seed in range(3):
        with awake.awake():
            found.append(play(awake, steps, seed))

    assert found == hashes


class RecordingCore(NativeCore):
    """A fast core that remembers when its threads were to stay awake and when to rest."""

    def __init__(self, core: NativeCore) -> None:
        super().__init__(core._batch, core._render)
        self.told: list[str] = []

    def stay_awake(self) -> None:
        self.told.append("stay awake")
        super().stay_awake()

    def rest(self) -> None:
        self.told.append("rest")
        super().rest()


@pytest.fixture
def recorded() -> tuple[Batch, RecordingCore]:
    batch = diorama.make(WORLD, copies=4, tier="fast", threads=2)
    assert isinstance(batch._core, NativeCore)
    core = RecordingCore(batch._core)
    return Batch(batch.facts, core, batch.copies), core


def test_threads_of_the_fast_tier_can_stay_awake() -> None:
    assert isinstance(diorama.make(WORLD, tier="fast")._core, WakefulCore)


def test_threads_stay_awake_inside_the_block_and_rest_after_it(recorded: tuple[Batch, RecordingCore]) -> None:
    batch, core = recorded
    batch.reset()

    for _ in range(2):
        with batch.awake():
            assert core.told[-1] == "stay awake"
            play(batch, 3)
            assert core.told[-1] == "stay awake"

    assert core.told == ["stay awake", "rest"] * 2


def test_threads_rest_after_a_block_that_raises(recorded: tuple[Batch, RecordingCore]) -> None:
    batch, core = recorded

    with pytest.raises(ContractError, match="has not been reset"), batch.awake():
        batch.step([0] * batch.copies)

    assert core.told == ["stay awake", "rest"]
