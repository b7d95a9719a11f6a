import numpy as np
import pytest

from diorama.contracts.errors import SnapshotError
from diorama.snapshots import hash_words
from diorama.worlds.tidebreak.reference.fields import Field, Op
from tests.worlds.tidebreak.fields.conftest import Open
from tests.worlds.tidebreak.fields.spaces import SURFACE, mod, stirred, walls_around

BRICK_WORDS = 2 + 6 * 32


def test_words_hold_parity_count_and_bricks_in_key_order(opened: Open) -> None:
    space = opened()
    space.stamp_circle(2, -288.0, -288.0, 10.0, mod(Field.NOISE, Op.SET, 64.0))
    space.propagate()

    words = space.state_words()

    assert words.dtype == np.uint64
    assert words[:4].tolist() == [1, 1, 256 + 63, 0]
    assert len(words) == 2 + BRICK_WORDS
    cells = words[4:].view("<f4").reshape(6, 8, 8)
    assert np.array_equal(cells[1], space.grid(Field.NOISE, 1)[56:64, 56:64])
    assert space.state_hash() == hash_words(words)


def test_the_first_word_remembers_saturation(opened: Open) -> None:
    space = opened(max_bricks=1)
    space.stamp_circle(1, 0.0, 0.0, 300.0, mod(Field.NOISE, Op.SET, 64.0))
    words = space.state_words()
    other = opened(max_bricks=1)

    other.restore(words)

    assert int(words[0]) == 2
    assert other.is_saturated


@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_a_restored_space_goes_on_like_the_original(opened: Open, steps: int) -> None:
    original, restored = stirred(opened()), stirred(opened())
    for _ in range(steps):
        original.propagate(3.0, 1.0)
    restored.sinking(900.0, 900.0)
    restored.restore(original.state_words())

    for space in (original, restored):
        space.explosion_underwater(-500.0, 20.0)
        for _ in range(5):
            space.propagate(-4.0, 9.0)

    assert np.array_equal(original.state_words(), restored.state_words())
    assert np.array_equal(original.summary(0, 0, 0, 0), restored.summary(0, 0, 0, 0))


@pytest.mark.parametrize(
    ("place", "word", "said"),
    [
        pytest.param(0, 4, "swap parity and saturation is 4", id="parity"),
        pytest.param(1, 5, "brick count is 5", id="more-than-fit"),
        pytest.param(2, 768, "brick key is 768", id="no-such-brick"),
        pytest.param(2 + BRICK_WORDS, 0, "brick key is 0", id="out-of-order"),
        pytest.param(3, 2, "dormant count is 2", id="should-have-been-freed"),
        pytest.param(4, 0x7FC00000, "a cell of nan", id="not-a-number"),
        pytest.param(4, 0x43C88000, "a cell of 401", id="too-hot"),
    ],
)
def test_words_that_make_no_sense_are_refused_and_nothing_changes(
    opened: Open, place: int, word: int, said: str
) -> None:
    space = opened(max_bricks=4)
    space.stamp_circle(1, 0.0, 0.0, 300.0, mod(Field.NOISE, Op.SET, 64.0))
    words = space.state_words()
    spoiled = words.copy()
    spoiled[place] = word

    with pytest.raises(SnapshotError, match=f"(?i){said}"):
        space.restore(spoiled)

    assert np.array_equal(space.state_words(), words)


@pytest.mark.parametrize(("cut", "said"), [(-1, "cannot read"), (1, "left over")])
def test_words_that_are_too_few_or_too_many_are_refused(opened: Open, cut: int, said: str) -> None:
    space = stirred(opened())
    words = space.state_words()
    spoiled = words[:cut] if cut < 0 else np.append(words, np.uint64(0))

    with pytest.raises(SnapshotError, match=said):
        space.restore(spoiled)

    assert np.array_equal(space.state_words(), words)


def test_words_of_a_space_with_other_walls_are_refused(opened: Open) -> None:
    walled = opened()
    walled.set_static(Field.OCCUPANCY, SURFACE, walls_around(0, 8))

    with pytest.raises(SnapshotError, match="closed cell"):
        walled.restore(stirred(opened()).state_words())
