"""Bots for whole batches decide exactly as one Python bot per row does."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pytest

from diorama.contracts.bots import BatchedBot
from diorama.contracts.errors import SnapshotError, TierUnavailable, UnknownName
from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.engine.batched_bots import BotRows, open_batched_bot
from diorama.engine.make import make_batch
from diorama.native import NativeBotRows
from diorama.rng import Pcg32
from diorama.worlds.registry import load_world
from tests.refusals import refused

COPIES = 6
CASES = [
    ("prospector", "prudent_hauler", {"time_max": 400.0}, 600),
    ("prospector", "refiner", {"time_max": 400.0}, 600),
    ("prospector", "explorer", {"time_max": 1000.0}, 900),
    ("tidebreak", "hunter", {"stage": 3, "time_limit_s": 120}, 260),
    ("tidebreak", "hunter", {"stage": 2, "observation": "compact", "time_limit_s": 90}, 120),
    ("tidebreak", "stalker", {"stage": 5, "time_limit_s": 120}, 260),
]
LONG_CASES = [
    *((world, bot, {}, 6_000) for world, bot in (("prospector", "prudent_hauler"), ("prospector", "explorer"))),
    *(("tidebreak", bot, {"stage": stage}, 1_500) for bot in ("hunter", "stalker") for stage in (1, 2, 3, 4, 5, 6)),
]


def play(
    world_id: str, bot: str, config: Mapping[str, object], steps: int, *, seed: int, random_share: float
) -> tuple[int, int]:
    """Play with a native bot and Python bots beside it; count episodes that ended and different decisions."""
    world = load_world(world_id)
    batch = make_batch(world, copies=COPIES, config=config, seed=seed, threads=1)
    native = open_batched_bot(world, bot, batch.spec, batch.rows)
    readable = BotRows(world.bots[bot], batch.spec, batch.rows)
    assert isinstance(native, NativeBotRows)
    batch.reset()
    rng, ended, met = Pcg32.from_seed(seed, 1), 0, set()
    for step in range(steps):
        opened = batch.episode_start.nonzero()[0].tolist()
        ended += 0 if step == 0 else len(opened) // batch.spec.agents
        _open(batch, (native, readable), opened)
        expected = readable.act(batch.obs, batch.obs_u8, batch.masks)
        np.testing.assert_array_equal(native.act(batch.obs, batch.obs_u8, batch.masks), expected, f"step {step}")
        met |= {tuple(row) for row in expected.tolist()}
        batch.step(_disturbed(expected, batch, rng, random_share))
    batch.close()
    return ended, len(met)


def _open(batch: Batch, bots: tuple[BatchedBot, ...], rows: list[int]) -> None:
    for bot in bots:
        bot.reset(rows, [batch.episode_seed(row // batch.spec.agents) for row in rows])


def _disturbed(actions: I32, batch: Batch, rng: Pcg32, share: float) -> I32:
    """Replace the actions of some rows by random valid ones, so that states are met that the bot would not get into."""
    disturbed = actions.copy()
    bounds = np.cumsum([0, *(len(head.options) for head in batch.spec.heads)])
    for row in range(len(disturbed)):
        if rng.f64() < share:
            for head, (start, stop) in enumerate(pairwise(bounds)):
                if batch.masks[row, start:stop].any():
                    disturbed[row, head] = rng.choose_valid(batch.masks[row, start:stop])
    return disturbed


@pytest.mark.parametrize("random_share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("world", "bot", "config", "steps"), CASES)
def test_native_bots_decide_as_python_bots_do(
    world: str, bot: str, config: dict[str, object], steps: int, random_share: float
) -> None:
    ended, met = play(world, bot, config, steps, seed=3, random_share=random_share)

    assert ended >= 2
    assert met >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13])
@pytest.mark.parametrize("random_share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize(("world", "bot", "config", "steps"), LONG_CASES)
def test_native_bots_decide_as_python_bots_do_in_long_play(
    world: str, bot: str, config: dict[str, object], steps: int, random_share: float, seed: int
) -> None:
    play(world, bot, config, steps, seed=seed, random_share=random_share)


BOTS = [(world, bot) for world in ("prospector", "tidebreak", "townlet", "gameboy") for bot in load_world(world).bots]
ROWS = [(world, bot, False) for world, bot in BOTS]
NATIVE = [(world, bot, True) for world, bot in BOTS if bot in load_world(world).batched_bots]


@pytest.mark.parametrize(("world_id", "bot", "is_native"), [*ROWS, *NATIVE])
def test_a_batched_bot_goes_on_from_its_memories(world_id: str, bot: str, is_native: bool) -> None:
    world = load_world(world_id)
    batch = make_batch(world, copies=2, seed=5, threads=1)

    def fresh() -> BatchedBot:
        return (
            open_batched_bot(world, bot, batch.spec, batch.rows)
            if is_native
            else BotRows(world.bots[bot], batch.spec, batch.rows)
        )

    def acted(bot: BatchedBot) -> I32:
        return bot.act(batch.obs, batch.obs_u8, batch.masks).copy()

    first, second = fresh(), fresh()
    batch.reset()
    _open(batch, (first,), list(range(batch.rows)))
    for _ in range(12):
        batch.step(acted(first))
    memories = first.memories()
    second.load_memories(np.pad(memories, ((0, 0), (0, 0 if is_native else 3))))
    for _ in range(12):
        expected = acted(first)
        np.testing.assert_array_equal(acted(second), expected)
        batch.step(expected)
    np.testing.assert_array_equal(first.memories(), second.memories())
    batch.close()


def test_memories_of_other_rows_are_refused() -> None:
    world = load_world("prospector")
    spec = world.describe(world.config_type())
    for bot in (open_batched_bot(world, "prudent_hauler", spec, 2), BotRows(world.bots["prudent_hauler"], spec, 2)):
        with pytest.raises(SnapshotError):
            bot.load_memories(np.zeros((3, 3), np.int64))


def test_without_the_native_core_a_bot_is_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable() -> None:
        raise TierUnavailable("the native core does not load")

    world = load_world("prospector")
    monkeypatch.setattr("diorama.worlds.prospector.fast.load_native", unavailable)

    bot = open_batched_bot(world, "prudent_hauler", world.describe(world.config_type()), 2)

    assert isinstance(bot, BotRows)


def test_an_unknown_bot_is_refused() -> None:
    world = load_world("prospector")
    with refused(UnknownName, "unknown_bot", name="nobody"):
        open_batched_bot(world, "nobody", world.describe(world.config_type()), 1)
