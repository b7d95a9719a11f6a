"""Episodes of consoles that cannot be: both tiers refuse their snapshots in the same words."""

from collections.abc import Callable

import numpy as np
import pytest

import diorama
from diorama.contracts.values import U64
from diorama.engine.batch import Batch
from diorama.snapshots import pack_snapshot, unpack_snapshot
from tests.worlds.spoiled import SEQUENCE_WORDS, TIERS, assert_refused_alike

# Words of an episode: its seed, these, the console's length, then the console itself.
STEPS, SLOT, STAGE, REWARD, DISTANCE, LENGTH, CONSOLE = (SEQUENCE_WORDS + place for place in range(1, 8))
LAST_PICTURE = -3  # before what the referee of a goal remembers


def _set(place: int, value: int) -> Callable[[U64], U64]:
    def change(words: U64) -> U64:
        words[place] = np.int64(value).view(np.uint64)
        return words

    return change


def _measure(place: int, value: float) -> Callable[[U64], U64]:
    def change(words: U64) -> U64:
        words[place] = np.float64(value).view(np.uint64)
        return words

    return change


def _shorten_console(words: U64) -> U64:
    end = CONSOLE + -(-int(words[LENGTH]) // 8)
    words[LENGTH] = 8
    return np.delete(words, slice(CONSOLE + 1, end))


@pytest.fixture(scope="module")
def batches() -> list[Batch]:
    made = [diorama.make("gameboy", copies=1, seed=5, tier=tier, threads=1) for tier in TIERS]
    for batch in made:
        batch.reset()
    return made


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(_set(STEPS, -1), "the episode: steps is -1; it must be 0 to 1073741824$", id="steps"),
        pytest.param(_set(SLOT, 1 << 40), "the episode: slot is 1099511627776; it must be 0", id="slot"),
        pytest.param(_set(STAGE, -7), "the episode: stage is -7; it must be 0", id="stage"),
        pytest.param(_measure(REWARD, float("nan")), "is nan; it must be a number of 32 bits$", id="reward"),
        pytest.param(_measure(DISTANCE, 1e300), r"is 1e\+300; it must be a number of 32 bits$", id="distance"),
        pytest.param(_set(LENGTH, 1 << 60), "cannot read 144115188075855872 state words", id="endless-console"),
        pytest.param(_shorten_console, "8 bytes are no console; there must be at least", id="no-console"),
        pytest.param(_set(CONSOLE, -1), " is outside ", id="register"),
        pytest.param(_set(LAST_PICTURE, -1), "a shade is 255; it must be 0 to 3$", id="picture"),
        pytest.param(lambda words: words[:-1], "cannot read .* state words", id="cut"),
        pytest.param(lambda words: np.append(words, words[-1:]), "1 of .* state words are left over", id="longer"),
    ],
)
def test_an_episode_that_cannot_be_is_refused_by_both_tiers(
    batches: list[Batch], spoil: Callable[[U64], U64], words: str
) -> None:
    spec = batches[0].spec
    form = spec.snapshot_magic, spec.snapshot_version
    header, whole = unpack_snapshot(batches[1].snapshot(0), *form)
    data = pack_snapshot(*form, header, spoil(whole.copy()))

    assert_refused_alike(batches, data, words)
