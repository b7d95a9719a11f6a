import hashlib
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.errors import ContractError
from diorama.rng import GOLDEN, Pcg32, draw, episode_seed, mix, mix64, n4, pick, u01

SEEDS = st.integers(0, 2**64 - 1)


def fresh() -> Pcg32:
    return Pcg32.from_seed(42, 54)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, "47c28b93 b98f6a27 7d3dcb1e f0761116 9cc33f5b be0e744d"),
        (1, "9b6bdda9 0c31fc48 ce97f8ef 822c03d4 943e8cf2 1b75dde3"),
        (42, "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"),
        (42 - 2**64, "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"),
    ],
)
def test_the_generator_gives_the_spec_s_words(seed: int, words: str) -> None:
    rng = Pcg32.from_seed(seed, 54)

    assert " ".join(f"{rng.next_u32():08x}" for _ in range(6)) == words


def test_derived_draws_give_the_spec_s_numbers() -> None:
    units, normals = fresh(), fresh()

    assert [units.f64() for _ in range(3)] == [0.6303102204110473, 0.4815666696522385, 0.7270080558955669]
    assert [normals.normal(0.0, 1.0) for _ in range(3)] == pytest.approx(
        [-0.954336976917, -0.795006343094, 0.219600537638], abs=1e-12
    )
    assert fresh().dirichlet6() == pytest.approx(
        [0.171466395625, 0.271463908024, 0.118442930698, 0.246572601791, 0.107568286849, 0.084485877012], abs=1e-12
    )
    assert fresh().beta32() == pytest.approx(0.613178126095, abs=1e-12)


@pytest.mark.parametrize(
    ("act", "count"),
    [
        pytest.param(lambda rng: None, 0, id="seeding"),
        pytest.param(lambda rng: rng.next_u32(), 1, id="next_u32"),
        pytest.param(lambda rng: rng.f64(), 1, id="f64"),
        pytest.param(lambda rng: rng.uniform(1.0, 2.0), 1, id="uniform"),
        pytest.param(lambda rng: rng.randint_exclusive(0, 9), 1, id="randint_exclusive"),
        pytest.param(lambda rng: rng.choose_valid(np.array([0, 1, 1], np.uint8)), 1, id="choose_valid"),
        pytest.param(lambda rng: rng.exp_unit(), 1, id="exp_unit"),
        pytest.param(lambda rng: rng.normal(0.0, 1.0), 2, id="normal"),
        pytest.param(lambda rng: rng.lognormal(0.0, 1.0), 2, id="lognormal"),
        pytest.param(lambda rng: rng.dirichlet6(), 6, id="dirichlet6"),
        pytest.param(lambda rng: rng.beta32(), 5, id="beta32"),
        pytest.param(lambda rng: rng.choice_weighted({"a": 1.0, "b": 2.0}), 1, id="choice_weighted"),
        pytest.param(lambda rng: rng.advance(1000), 1000, id="advance"),
    ],
)
def test_every_draw_is_counted(act: Callable[[Pcg32], object], count: int) -> None:
    rng = fresh()

    act(rng)

    assert rng.draws == count


@given(seed=SEEDS, stream=SEEDS, n=st.integers(0, 300))
def test_advancing_equals_drawing(seed: int, stream: int, n: int) -> None:
    drawn = Pcg32.from_seed(seed, stream)
    advanced = Pcg32.from_seed(seed, stream)

    for _ in range(n):
        drawn.next_u32()
    advanced.advance(n)

    assert (advanced.state, advanced.inc, advanced.draws) == (drawn.state, drawn.inc, drawn.draws)


def test_a_stream_continues_from_its_three_numbers() -> None:
    rng = fresh()
    rng.normal(0.0, 1.0)

    continued = Pcg32(rng.state, rng.inc, rng.draws)

    assert continued.draws == 2
    assert [continued.next_u32() for _ in range(5)] == [rng.next_u32() for _ in range(5)]


def test_a_named_stream_is_seeded_through_sha256() -> None:
    digest = hashlib.sha256(b"7/3:world").digest()
    expected = Pcg32.from_seed(int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little"))

    named = Pcg32.named("7/3", "world")

    assert (named.state, named.inc, named.draws) == (expected.state, expected.inc, 0)
    assert Pcg32.named(7, "world").state == Pcg32.named("7", "world").state
    assert Pcg32.named(7, "world").inc != Pcg32.named(7, "events").inc


@given(seed=SEEDS, lo=st.integers(-1000, 1000), span=st.integers(1, 2**32))
def test_integers_stay_in_their_range(seed: int, lo: int, span: int) -> None:
    rng = Pcg32.from_seed(seed, 54)

    assert lo <= rng.randint_exclusive(lo, lo + span) < lo + span
    assert lo <= rng.randint_inclusive(lo, lo + span - 1) < lo + span


def test_the_inclusive_integer_rejects_the_biased_words() -> None:
    n = 3_000_000_000
    rng = Pcg32.from_seed(0, 54)
    rejected, accepted = 0x47C28B93, 0xB98F6A27

    drawn = rng.randint_inclusive(10, 10 + n - 1)

    assert rejected < 2**32 % n <= accepted
    assert drawn == 10 + accepted % n
    assert rng.draws == 2


def test_only_options_that_the_mask_allows_are_chosen_each_as_likely() -> None:
    rng, mask = fresh(), np.array([0, 1, 0, 1, 1], np.uint8)

    chosen = Counter(rng.choose_valid(mask) for _ in range(3000))

    assert sorted(chosen) == [1, 3, 4]
    assert all(abs(count - 1000) < 120 for count in chosen.values())


@pytest.mark.parametrize(("lo", "hi"), [(5, 5), (5, 4)])
def test_an_empty_exclusive_range_is_refused(lo: int, hi: int) -> None:
    with pytest.raises(ContractError, match="hi must exceed lo"):
        fresh().randint_exclusive(lo, hi)


@pytest.mark.parametrize(("lo", "hi"), [(5, 4), (0, 2**32)])
def test_an_inclusive_range_that_cannot_be_drawn_is_refused(lo: int, hi: int) -> None:
    with pytest.raises(ContractError, match="can be drawn from"):
        fresh().randint_inclusive(lo, hi)


@given(seed=SEEDS, items=st.lists(st.integers(0, 20)))
def test_shuffling_is_fisher_yates_from_the_end(seed: int, items: list[int]) -> None:
    shuffled, expected = list(items), list(items)
    rng = Pcg32.from_seed(seed, 54)

    Pcg32.from_seed(seed, 54).shuffle(shuffled)
    for i in reversed(range(1, len(expected))):
        j = rng.randint_inclusive(0, i)
        expected[i], expected[j] = expected[j], expected[i]

    assert shuffled == expected


def test_weights_steer_the_choice_whatever_the_order_of_keys() -> None:
    first, second = fresh(), fresh()

    chosen = [first.choice_weighted({"c": 3.0, "a": 0.0, "b": 1.0}) for _ in range(4000)]
    reordered = [second.choice_weighted({"b": 1.0, "c": 3.0, "a": 0.0}) for _ in range(4000)]

    assert chosen == reordered
    assert set(chosen) == {"b", "c"}
    assert Counter(chosen)["b"] == pytest.approx(1000, abs=120)


def test_a_choice_without_a_positive_weight_is_refused() -> None:
    with pytest.raises(ContractError, match="needs a positive weight"):
        fresh().choice_weighted({"a": 0.0})


def test_normal_draws_have_the_asked_mean_and_deviation() -> None:
    rng = fresh()

    values = np.array([rng.normal(3.0, 2.0) for _ in range(20_000)])

    assert values.mean() == pytest.approx(3.0, abs=0.05)
    assert values.std() == pytest.approx(2.0, abs=0.05)


def test_mixing_gives_the_spec_s_vectors() -> None:
    assert mix(1) == 0x5692161D100B05E5
    assert mix64(7) == mix(7 + GOLDEN)
    assert mix(-1) == mix(2**64 - 1)


def test_episode_seeds_follow_their_definition() -> None:
    assert episode_seed(5, 3, 2) == mix64(5 ^ mix64(3 * 2**32 + 2))
    assert episode_seed(-1, 0, 1) == episode_seed(2**64 - 1, 0, 1)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((0, 0, 0, 0, 0, 0), 0x2D8F9048509B426B),
        ((42, 3, 7, 1, 2, 0), 0xEBCFD58490C6FAAD),
        ((42, 3, 7, 1, 2, 1), 0xC3A5BB94D2F450D9),
        ((2**64 - 1, 8, 600, 64, 511, 15), 0x2837B78FE1D530EC),
    ],
)
def test_keyed_draws_give_the_spec_s_vectors(keys: tuple[int, int, int, int, int, int], expected: int) -> None:
    assert draw(*keys) == expected


def test_a_keyed_draw_becomes_a_fraction_an_index_and_a_bell_shaped_number() -> None:
    word = draw(42, 3, 7, 1, 2, 0)

    assert u01(word) == 0.92114004599059374
    assert n4(word) == 2.25153920502683791
    assert pick(word, 10) == 9
    assert pick(2**64 - 1, 7) == 6


def test_streams_of_keyed_draws_are_centered_and_uncorrelated() -> None:
    streams = np.array([[n4(draw(9, stream, 0, 0, 0, k)) for k in range(40_000)] for stream in range(2)])

    assert np.abs(streams.mean(axis=1)) == pytest.approx(0.0, abs=0.015)
    assert streams.var(axis=1) == pytest.approx(1.0, abs=0.02)
    assert np.corrcoef(streams)[0, 1] == pytest.approx(0.0, abs=0.015)
