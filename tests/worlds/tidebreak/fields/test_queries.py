from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError
from diorama.contracts.values import F64
from diorama.worlds.tidebreak.reference.fields import DEFAULT_SHELLS, Field, FieldSpace, Op
from tests.worlds.tidebreak.fields.conftest import Open
from tests.worlds.tidebreak.fields.spaces import (
    ABYSSAL,
    BOUNDS,
    CELLS,
    DYNAMIC,
    SUBMERGED,
    SURFACE,
    Space,
    mod,
    stirred,
)

CENTERS: F64 = (np.arange(CELLS, dtype=np.float64) + 0.5) * 64.0 - 4096.0


def inside(x: float, y: float, radius_m: float) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = (CENTERS[None, :] - x) ** 2 + (CENTERS[:, None] - y) ** 2 <= radius_m**2
    return mask


def test_levels_are_means_of_the_blocks_around_a_cell(opened: Open) -> None:
    space = opened()
    ramp = np.tile(np.arange(CELLS, dtype=np.float32), (CELLS, 1))
    space.set_static(Field.DEPTH, SUBMERGED, ramp)

    values = [space.point(SUBMERGED, 10.0, 10.0, level)[Field.DEPTH] for level in range(6)]

    assert values == [64.0, 64.5, 65.5, 67.5, 71.5, 79.5]


@pytest.mark.parametrize("level", range(6))
def test_a_grid_holds_the_mean_of_every_block(opened: Open, level: int) -> None:
    space = stirred(opened())
    side = CELLS >> level

    for field in DYNAMIC:
        blocks = space.grid(field, SUBMERGED).astype(np.float64).reshape(side, CELLS // side, side, CELLS // side)
        assert space.grid(field, SUBMERGED, level) == pytest.approx(blocks.mean(axis=(1, 3)), rel=1e-5, abs=1e-6)


def test_every_summary_equals_brute_force(opened: Open) -> None:
    space = stirred(opened())
    layers = np.stack([[space.grid(field, layer) for field in DYNAMIC] for layer in range(3)]).astype(np.float64)

    for depth, spans in enumerate([[(0, 3)], [(0, 2), (2, 3)], *[[(0, 1), (1, 2), (2, 3)]] * 3]):
        side = CELLS >> depth
        for iz, (first, last) in enumerate(spans):
            for place in range(4**depth):
                ix, iy = place % 2**depth, place // 2**depth
                cells = layers[first:last, :, iy * side : (iy + 1) * side, ix * side : (ix + 1) * side]
                found = space.summary(depth, ix, iy, iz)
                assert found[:, 0] == pytest.approx(cells.mean(axis=(0, 2, 3)), rel=1e-5, abs=1e-6)
                assert np.array_equal(found[:, 1], cells.min(axis=(0, 2, 3)))
                assert np.array_equal(found[:, 2], cells.max(axis=(0, 2, 3)))
                assert found[:, 3] == pytest.approx((cells**2).mean(axis=(0, 2, 3)), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "radius_m"),
    [
        pytest.param(0.0, 0.0, 900.0, id="middle"),
        pytest.param(-310.0, 333.0, 64.0, id="small"),
        pytest.param(3900.0, -4000.0, 1500.0, id="at-the-edge"),
        pytest.param(5000.0, 0.0, 1200.0, id="centered-beyond-the-edge"),
        pytest.param(0.0, 0.0, 9000.0, id="everything"),
    ],
)
def test_a_circle_at_full_detail_equals_brute_force(opened: Open, x: float, y: float, radius_m: float) -> None:
    space = stirred(opened())
    mask = inside(x, y, radius_m)

    reading = space.volume(SURFACE, x, y, radius_m, 0)

    cells = np.stack([space.grid(field, SURFACE)[mask] for field in DYNAMIC]).astype(np.float64)
    assert reading["count"] == np.count_nonzero(mask)
    assert reading["mean"] == pytest.approx(cells.mean(axis=1), rel=1e-5, abs=1e-6)
    assert reading["variance"] == pytest.approx(cells.var(axis=1), rel=1e-5, abs=1e-3)
    assert np.array_equal(reading["min"], cells.min(axis=1))
    assert np.array_equal(reading["max"], cells.max(axis=1))


def test_means_of_a_circle_are_weighted_by_cells(opened: Open) -> None:
    space = opened()
    # One quarter of the layer at 100 dB is one large node among many small ones on a rim.
    space.stamp_box(1, -4096.0, -4096.0, -2048.0, -2048.0, mod(Field.NOISE, Op.SET, 100.0))

    reading = space.volume(SURFACE, -2100.0, -2100.0, 2500.0, 1)
    mask = inside(-2100.0, -2100.0, 2500.0)

    exact = space.grid(Field.NOISE, SURFACE)[mask].mean(dtype=np.float64)
    assert reading["nodes"] < reading["count"] / 4
    assert reading["mean"][1] == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize("level", range(6))
@pytest.mark.parametrize("radius_m", [100.0, 640.0, 2000.0, 4000.0])
def test_a_circle_costs_no_more_nodes_than_its_bound(opened: Open, level: int, radius_m: float) -> None:
    space = stirred(opened())

    reading = space.volume(SURFACE, 17.0, -45.0, radius_m, level)

    assert reading["nodes"] <= 48 + 8 * (2 * radius_m / (64 << level))


def test_a_circle_in_which_nothing_counts_reads_the_cell_it_is_centered_in(opened: Open) -> None:
    space = stirred(opened())

    reading = space.volume(SURFACE, -310.0, 240.0, 1.0, 3)

    assert (reading["count"], reading["nodes"]) == (1, 1)
    assert np.array_equal(reading["mean"], space.point(SURFACE, -310.0, 240.0)[list(DYNAMIC)])
    assert space.volume(SURFACE, 90_000.0, 0.0, 1.0, 0)["mean"].tolist() == [18.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        pytest.param(-310.0, 240.0, id="stirred"),
        pytest.param(0.0, 64.0, id="border-of-cells"),
        pytest.param(-4096.0, 4096.0, id="corner"),
        pytest.param(4096.1, 0.0, id="beyond"),
        pytest.param(0.0, -9000.0, id="far-beyond"),
    ],
)
def test_one_value_is_what_the_point_has_for_it(x: float, y: float) -> None:
    space = FieldSpace(BOUNDS)
    stirred(space)

    for layer in (SURFACE, SUBMERGED, ABYSSAL):
        assert [space.value(field, layer, x, y) for field in Field] == space.point(layer, x, y).tolist()


def test_beyond_the_domain_everything_is_occupied_and_at_its_default(opened: Open) -> None:
    space = opened()
    space.set_static(Field.SALINITY, SURFACE, np.full((CELLS, CELLS), 30.0, dtype=np.float32))

    assert space.point(SURFACE, 4096.0, -4096.0)[[Field.OCCUPANCY, Field.SALINITY]].tolist() == [0.0, 30.0]
    assert space.point(SURFACE, 4096.1, 0.0).tolist() == [0.0, 1.0, 35.0, 0.0, 0.0, 18.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(("x", "y", "sector"), [(700.0, 0.0, 0), (0.0, 700.0, 4), (-700.0, 0.0, 8), (0.0, -700.0, 12)])
def test_sectors_run_counter_clockwise_from_ahead(opened: Open, x: float, y: float, sector: int) -> None:
    space = opened()
    space.stamp_circle(1, x, y, 250.0, mod(Field.NOISE, Op.MAX, 90.0))

    seen = space.foveated(SURFACE, 0.0, 0.0, 0.0, [Field.NOISE])

    assert seen.shape == (28,)
    assert int(seen.argmax()) == sector


def test_an_observer_turns_with_its_heading(opened: Open) -> None:
    space = stirred(opened())

    ahead = space.foveated(SURFACE, 100.0, 50.0, 0.0, [Field.TEMPERATURE], [(0.0, 1000.0, 4, 0)])
    turned = space.foveated(SURFACE, 100.0, 50.0, np.pi / 2, [Field.TEMPERATURE], [(0.0, 1000.0, 4, 0)])

    assert np.array_equal(np.roll(ahead, -1), turned)


def test_the_usual_view_takes_no_more_samples_than_its_bound(opened: Open) -> None:
    fields = [Field.TEMPERATURE, Field.NOISE, Field.OCCUPANCY, Field.SONAR_RETURN]

    seen = opened().foveated(SURFACE, 0.0, 0.0, 0.3, fields)

    assert 4 * seen.size == 448
    assert np.array_equal(seen, opened().foveated(SURFACE, 0.0, 0.0, 0.3, fields, DEFAULT_SHELLS))


def refused_queries(space: Space) -> dict[str, Callable[[], object]]:
    return {
        "no layer 3": lambda: space.point(3, 0.0, 0.0),
        "no level 6": lambda: space.point(0, 0.0, 0.0, 6),
        "point has nan": lambda: space.point(0, float("nan"), 0.0),
        "radius is -1": lambda: space.volume(0, 0.0, 0.0, -1.0, 0),
        "circle has inf": lambda: space.volume(0, 0.0, 0.0, float("inf"), 0),
        "no field 11": lambda: space.grid(11, 0),
        "no depth 5": lambda: space.summary(5, 0, 0, 0),
        r"no node \(2, 0, 0\) at depth 1": lambda: space.summary(1, 2, 0, 0),
        "is no ring": lambda: space.foveated(0, 0.0, 0.0, 0.0, [5], [(100.0, 100.0, 4, 0)]),
        "0 sectors": lambda: space.foveated(0, 0.0, 0.0, 0.0, [5], [(0.0, 100.0, 0, 0)]),
        "nothing to look at": lambda: space.foveated(0, 0.0, 0.0, 0.0, []),
        "wind has nan": lambda: space.propagate(float("nan"), 0.0),
        "field 5 is not static": lambda: space.set_static(5, 0, np.zeros((CELLS, CELLS), dtype=np.float32)),
        r"shape \(2, 2\)": lambda: space.set_static(0, 0, np.zeros((2, 2), dtype=np.float32)),
        "not finite": lambda: space.set_static(0, 0, np.full((CELLS, CELLS), np.nan, dtype=np.float32)),
        "occupancy must be": lambda: space.set_static(1, 0, np.full((CELLS, CELLS), 2.0, dtype=np.float32)),
    }


def test_what_makes_no_sense_is_refused_by_name(opened: Open) -> None:
    for said, ask in refused_queries(opened()).items():
        with pytest.raises(ContractError, match=f"(?i){said}"):
            ask()


def test_static_fields_are_set_before_the_first_stamp(opened: Open) -> None:
    space = stirred(opened())
    walls = np.ones((CELLS, CELLS), dtype=np.float32)

    with pytest.raises(ContractError, match="before the first stamp"):
        space.set_static(Field.OCCUPANCY, SURFACE, walls)

    space.reset()
    space.set_static(Field.OCCUPANCY, SURFACE, walls)
    assert space.point(SURFACE, 0.0, 0.0)[Field.OCCUPANCY] == 1.0
