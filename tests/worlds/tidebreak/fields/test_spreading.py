import numpy as np
import pytest

from diorama.numerics import exp
from diorama.worlds.tidebreak.reference.fields import Field, Op
from tests.worlds.tidebreak.fields.conftest import Open
from tests.worlds.tidebreak.fields.spaces import ABYSSAL, SUBMERGED, SURFACE, mod, walls_around

NO_DECAY = [0.0] * 6


def test_a_closed_box_keeps_its_mass_without_decay(opened: Open) -> None:
    space = opened(decay=NO_DECAY)
    space.set_static(Field.OCCUPANCY, SURFACE, walls_around(56, 16))
    space.stamp_circle(1, 100.0, -80.0, 400.0, mod(Field.SEDIMENT, Op.SET, 1.0))
    before = space.grid(Field.SEDIMENT, SURFACE)

    for _ in range(200):
        space.propagate()

    after = space.grid(Field.SEDIMENT, SURFACE)
    assert before.max() > 0.9
    assert after.max() < 0.8
    assert after.sum(dtype=np.float64) == pytest.approx(before.sum(dtype=np.float64), rel=1e-5)


def test_what_does_not_spread_decays_by_its_factor_exactly(opened: Open) -> None:
    space = opened()
    space.stamp_circle(2, 10.0, 10.0, 300.0, mod(Field.SONAR_RETURN, Op.SET, 0.9))
    before = space.grid(Field.SONAR_RETURN, SUBMERGED)

    space.propagate(7.0, 0.0)

    assert before.max() > 0.5
    assert np.array_equal(space.grid(Field.SONAR_RETURN, SUBMERGED), before * np.float32(exp(-0.5 * 2.0)))


def test_an_even_field_fades_toward_its_default_exactly(opened: Open) -> None:
    space = opened(field_period=5)
    space.set_static(Field.OCCUPANCY, ABYSSAL, walls_around(64, 8))
    space.stamp_box(4, 0.0, 0.0, 512.0, 512.0, mod(Field.TEMPERATURE, Op.SET, 104.0))

    space.propagate()

    expected = np.float32(4.0) + np.float32(100.0) * np.float32(exp(-0.002 * 5.0))
    assert np.all(space.grid(Field.TEMPERATURE, ABYSSAL)[64:72, 64:72] == expected)
    assert space.point(ABYSSAL, 600.0, 10.0)[Field.TEMPERATURE] == 4.0


def test_a_turned_stamp_set_gives_turned_fields(opened: Open) -> None:
    stamps = [(310.0, -75.0, 250.0), (-900.0, 420.0, 400.0), (33.0, 7.0, 90.0), (3900.0, 3000.0, 300.0)]
    mods = [(Field.TEMPERATURE, Op.ADD, 35.0, 1.0), (Field.NOISE, Op.MAX, 60.0, 1.0), (Field.SMOKE, Op.LERP, 0.9, 0.5)]
    straight, turned = opened(), opened()
    for x, y, radius_m in stamps:
        straight.stamp_circle(1, x, y, radius_m, mods)
        turned.stamp_circle(1, -y, x, radius_m, mods)

    for _ in range(25):
        straight.propagate()
        turned.propagate()

    for field in (Field.TEMPERATURE, Field.NOISE, Field.SMOKE):
        # Rows run from south to north, so numpy's turn is the other way round.
        assert np.array_equal(np.rot90(straight.grid(field, SURFACE), k=-1), turned.grid(field, SURFACE))


@pytest.mark.parametrize(
    ("wind", "axis", "sign"),
    [
        pytest.param((12.0, 0.0), 1, 1, id="west-wind"),
        pytest.param((-12.0, 0.0), 1, -1, id="east-wind"),
        pytest.param((0.0, 12.0), 0, 1, id="south-wind"),
        pytest.param((0.0, -12.0), 0, -1, id="north-wind"),
    ],
)
def test_smoke_drifts_downwind(opened: Open, wind: tuple[float, float], axis: int, sign: int) -> None:
    space = opened()
    space.stamp_circle(1, 0.0, 0.0, 400.0, mod(Field.SMOKE, Op.SET, 1.0))

    def center() -> float:
        smoke = space.grid(Field.SMOKE, SURFACE).astype(np.float64)
        along = smoke.sum(axis=1 - axis)
        return float((along * np.arange(len(along))).sum() / along.sum())

    before = center()
    for _ in range(10):
        space.propagate(*wind)

    assert sign * (center() - before) > 1.0


def test_nothing_enters_or_passes_a_closed_cell(opened: Open) -> None:
    walls = walls_around(60, 8)
    space = opened(max_bricks=768)
    space.set_static(Field.OCCUPANCY, SURFACE, walls)

    stamped = space.stamp_box(1, -4000.0, -4000.0, 4000.0, 4000.0, mod(Field.NOISE, Op.SET, 100.0))
    for _ in range(20):
        space.propagate(20.0, 20.0)

    assert stamped == 64
    assert np.all(space.grid(Field.NOISE, SURFACE)[walls > 0.5] == 0.0)


def test_half_occupied_cells_are_open(opened: Open) -> None:
    space = opened()
    space.set_static(Field.OCCUPANCY, SURFACE, np.full((128, 128), 0.5, dtype=np.float32))

    assert space.stamp_circle(1, 0.0, 0.0, 200.0, mod(Field.NOISE, Op.SET, 100.0)) > 0


def test_nothing_happens_in_a_space_that_is_switched_off(opened: Open) -> None:
    space = opened(is_dynamic=False)
    space.set_static(Field.DEPTH, SURFACE, np.full((128, 128), 900.0, dtype=np.float32))

    assert space.sonar_ping(SUBMERGED, 0.0, 0.0) == 0
    assert space.propagate(3.0, 3.0) == 0

    assert space.brick_keys == []
    assert not space.is_saturated
    assert space.point(SURFACE, 0.0, 0.0)[Field.DEPTH] == 900.0
    assert space.state_words().tolist() == [0, 0]


def test_a_step_costs_at_most_six_times_sixty_four_cells_a_brick(opened: Open) -> None:
    space = opened()
    space.sonar_ping(SUBMERGED, 0.0, 0.0)
    bricks = len(space.brick_keys)

    assert 0 < space.propagate() <= bricks * 6 * 64
