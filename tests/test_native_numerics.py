from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from diorama import numerics
from diorama.native import load_native
from diorama.rng import Pcg32, draw, episode_seed
from diorama.snapshots import hash_words

Floats = NDArray[np.float64]
Native = Any

QUICK_COUNT = 50_000
SPEC_COUNT = 1_000_000
SEED, STREAM = 2**63 + 5, 54
SIZES = [pytest.param(QUICK_COUNT, id="quick"), pytest.param(SPEC_COUNT, id="million", marks=pytest.mark.slow)]

EVERYWHERE = "everywhere"
ANGLES = "angles"
EXPONENTS = "exponents"
UNARY = {
    "ceil": EVERYWHERE,
    "cos": ANGLES,
    "exp": EXPONENTS,
    "floor": EVERYWHERE,
    "ln": EVERYWHERE,
    "log10": EVERYWHERE,
    "log1p": EVERYWHERE,
    "norm2pi": ANGLES,
    "round_half_up": EVERYWHERE,
    "sgn": EVERYWHERE,
    "sigmoid": EXPONENTS,
    "sin": ANGLES,
    "wrap": ANGLES,
}
EDGES = np.array(
    [
        0.0,
        0.5,
        1.0,
        1.4142135623730951,
        2.0**51,
        2.0**52,
        2.0**53,
        700.0,
        1e300,
        5e-324,
        2.2250738585072014e-308,
        np.inf,
    ]
)


@pytest.fixture(scope="module")
def native() -> Native:
    return load_native()


def arguments(kind: str, count: int, seed: int) -> Floats:
    """Numbers of any size, or of the sizes the function is for, with every edge among them."""
    random = np.random.default_rng(seed)
    half = count // 2
    signs = random.choice([-1.0, 1.0], half)
    near = random.uniform(-10.0, 10.0, count - half)
    far = {
        EVERYWHERE: signs * 2.0 ** random.uniform(-1074.0, 1023.0, half),
        ANGLES: signs * 2.0 ** random.uniform(-60.0, 52.0, half),
        EXPONENTS: signs * 2.0 ** random.uniform(-60.0, 10.0, half),
    }[kind]
    return np.concatenate([EDGES, -EDGES, [np.nan], near, far])


def assert_same_bits(native_values: Floats, python_values: Iterator[float], inputs: Any) -> None:
    expected = np.fromiter(python_values, dtype=np.float64)
    both_nan = np.isnan(native_values) & np.isnan(expected)
    differing = np.flatnonzero((native_values.view(np.uint64) != expected.view(np.uint64)) & ~both_nan)

    assert differing.size == 0, f"first of {differing.size} at {inputs[differing[0]]!r}"


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number_agree_bit_for_bit(native: Native, name: str, count: int) -> None:
    x = arguments(UNARY[name], count, seed=1)
    function: Callable[[float], float] = getattr(numerics, name)

    assert_same_bits(native.numerics_map(name, x), map(function, x.tolist()), x)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("name", ["atan2", "fmax", "fmin", "hyp"])
def test_functions_of_two_numbers_agree_bit_for_bit(native: Native, name: str, count: int) -> None:
    a = arguments(EVERYWHERE, count, seed=1)
    b = np.random.default_rng(3).permutation(arguments(EVERYWHERE, count, seed=2))
    function: Callable[[float, float], float] = getattr(numerics, name)

    assert_same_bits(
        native.numerics_map2(name, a, b), map(function, a.tolist(), b.tolist()), list(zip(a, b, strict=True))
    )


def test_unknown_names_are_refused(native: Native) -> None:
    with pytest.raises(ValueError, match="no function of one number is called"):
        native.numerics_map("tan", EDGES)
    with pytest.raises(ValueError, match="no function of two numbers is called"):
        native.numerics_map2("pow", EDGES, EDGES)
    with pytest.raises(ValueError, match="no draw is called"):
        native.pcg32_draws(1, 2, "gamma", 3)


@pytest.mark.parametrize("count", SIZES)
def test_generators_agree_word_for_word(native: Native, count: int) -> None:
    rng, named = Pcg32.from_seed(SEED, STREAM), Pcg32.named("7/3", "world")

    assert native.pcg32_u32(SEED, STREAM, count).tolist() == [rng.next_u32() for _ in range(count)]
    assert native.pcg32_named_u32("7/3", "world", count).tolist() == [named.next_u32() for _ in range(count)]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize(
    ("kind", "bounds"),
    [
        ("beta32", ()),
        ("exp_unit", ()),
        ("f64", ()),
        ("lognormal", (0.25, 0.5)),
        ("normal", (-1.5, 2.25)),
        ("randint_exclusive", (-5, 33)),
        ("randint_inclusive", (-5, 3_000_000_000)),
        ("uniform", (20.0, 112.0)),
    ],
)
def test_derived_draws_agree_bit_for_bit(native: Native, kind: str, bounds: tuple[float, ...], count: int) -> None:
    rng = Pcg32.from_seed(SEED, STREAM)
    python_draw: Callable[..., float] = getattr(rng, kind)

    drawn = native.pcg32_draws(SEED, STREAM, kind, count, *bounds)

    assert_same_bits(drawn, (python_draw(*bounds) for _ in range(count)), range(count))


def test_dirichlet_draws_agree_bit_for_bit(native: Native) -> None:
    rng = Pcg32.from_seed(SEED, STREAM)

    drawn = native.pcg32_draws(SEED, STREAM, "dirichlet6", 6000)

    assert_same_bits(drawn, (share for _ in range(1000) for share in rng.dirichlet6()), range(6000))


def test_shuffles_and_choices_agree(native: Native) -> None:
    items = list(range(1000))
    Pcg32.from_seed(SEED, STREAM).shuffle(items)
    rng = Pcg32.from_seed(SEED, STREAM)
    weights = {"a": 0.3, "b": 0.0, "c": 1.7, "d": 0.1}

    chosen = native.pcg32_choices(SEED, STREAM, list(weights.values()), 5000)

    assert native.pcg32_shuffle(SEED, STREAM, 1000).tolist() == items
    assert ["abcd"[index] for index in chosen] == [rng.choice_weighted(weights) for _ in range(5000)]


@pytest.mark.parametrize("count", SIZES)
def test_keyed_draws_agree(native: Native, count: int) -> None:
    keys = np.random.default_rng(4).integers(0, 2**64, size=(count, 6), dtype=np.uint64)

    assert native.keyed_draws(keys).tolist() == [draw(*row) for row in keys.tolist()]


def test_keyed_draws_refuse_other_widths(native: Native) -> None:
    with pytest.raises(ValueError, match="a draw has 6 keys, not 5"):
        native.keyed_draws(np.zeros((2, 5), dtype=np.uint64))


@pytest.mark.parametrize("count", [0, 1, 7, 4096])
def test_state_hashes_agree(native: Native, count: int) -> None:
    words = np.random.default_rng(5).integers(0, 2**64, size=count, dtype=np.uint64)

    assert native.hash_words(words) == hash_words(words)


def test_episode_seeds_agree(native: Native) -> None:
    counts = np.arange(1, 1000, dtype=np.uint64)

    assert native.episode_seeds(SEED, 17, counts).tolist() == [episode_seed(SEED, 17, k) for k in counts.tolist()]
