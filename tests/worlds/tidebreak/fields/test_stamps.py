import math

import numpy as np
import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.reference.fields import Field, Op
from diorama.worlds.tidebreak.reference.fields.effects import blast_intensity
from tests.worlds.tidebreak.fields.conftest import Open
from tests.worlds.tidebreak.fields.spaces import ABYSSAL, SUBMERGED, SURFACE, mod


@pytest.mark.parametrize(
    ("op", "value", "factor", "expected"),
    [
        pytest.param(Op.SET, 30.0, 1.0, 30.0, id="set"),
        pytest.param(Op.ADD, 30.0, 1.0, 80.0, id="add"),
        pytest.param(Op.SUB, 30.0, 1.0, 20.0, id="sub"),
        pytest.param(Op.MUL, 2.0, 1.0, 100.0, id="mul"),
        pytest.param(Op.MAX, 30.0, 1.0, 50.0, id="max-keeps"),
        pytest.param(Op.MAX, 70.0, 1.0, 70.0, id="max-raises"),
        pytest.param(Op.MIN, 30.0, 1.0, 30.0, id="min-lowers"),
        pytest.param(Op.MIN, 70.0, 1.0, 50.0, id="min-keeps"),
        pytest.param(Op.LERP, 70.0, 0.25, 55.0, id="lerp"),
        pytest.param(Op.ADD, 500.0, 1.0, 120.0, id="clamped-above"),
        pytest.param(Op.SUB, 500.0, 1.0, 0.0, id="clamped-below"),
    ],
)
def test_an_op_changes_a_cell(opened: Open, op: Op, value: float, factor: float, expected: float) -> None:
    space = opened()
    space.stamp_circle(1, 32.0, 32.0, 10.0, mod(Field.NOISE, Op.SET, 50.0))

    space.stamp_circle(1, 32.0, 32.0, 10.0, mod(Field.NOISE, op, value, factor))

    assert space.point(SURFACE, 32.0, 32.0)[Field.NOISE] == expected


def test_falloff_weakens_an_effect_by_distance(opened: Open) -> None:
    space = opened()

    space.stamp_circle(1, 32.0, 32.0, 128.0, mod(Field.NOISE, Op.SET, 100.0))

    row = space.grid(Field.NOISE, SURFACE)[64]
    assert row[61:68].tolist() == [0.0, 0.0, 50.0, 100.0, 50.0, 0.0, 0.0]


def test_a_stamp_without_falloff_is_even(opened: Open) -> None:
    space = opened()

    stamped = space.stamp_circle(1, 0.0, 0.0, 320.0, mod(Field.NOISE, Op.SET, 100.0), has_falloff=False)

    noise = space.grid(Field.NOISE, SURFACE)
    assert stamped == np.count_nonzero(noise)
    assert set(noise.ravel().tolist()) == {0.0, 100.0}


def test_a_capsule_covers_what_lies_near_its_segment(opened: Open) -> None:
    space = opened()

    space.stamp_capsule(1, -500.0, -300.0, 700.0, 600.0, 150.0, mod(Field.WAKE, Op.SET, 1.0), has_falloff=False)

    wake = space.grid(Field.WAKE, SURFACE)
    for row, column in np.argwhere(wake >= 0.0):
        x, y = (column + 0.5) * 64.0 - 4096.0, (row + 0.5) * 64.0 - 4096.0
        share = min(1.0, max(0.0, ((x + 500.0) * 1200.0 + (y + 300.0) * 900.0) / (1200.0**2 + 900.0**2)))
        distance = math.hypot(x + 500.0 - share * 1200.0, y + 300.0 - share * 900.0)
        if abs(distance - 150.0) > 1e-6:
            assert wake[row, column] == (distance < 150.0)


@pytest.mark.parametrize(
    ("x", "y", "stamped"),
    [
        pytest.param(60.0, 60.0, 1, id="in-a-corner-of-a-cell"),
        pytest.param(4096.0, 4096.0, 1, id="on-the-domains-corner"),
        pytest.param(4200.0, 0.0, 0, id="beyond-the-domain"),
    ],
)
def test_a_small_shape_changes_the_cell_it_is_centered_in(opened: Open, x: float, y: float, stamped: int) -> None:
    space = opened()

    assert space.stamp_circle(1, x, y, 3.0, mod(Field.NOISE, Op.SET, 100.0)) == stamped

    assert np.count_nonzero(space.grid(Field.NOISE, SURFACE) == 100.0) == stamped


@pytest.mark.parametrize("radius_m", [10.0, 64.0, 200.0, 777.0, 2000.0])
def test_a_circle_costs_no_more_cells_than_its_bound(opened: Open, radius_m: float) -> None:
    space = opened(max_bricks=768)

    stamped = space.stamp_circle(5, 13.0, -27.0, radius_m, mod(Field.NOISE, Op.SET, 100.0))

    assert stamped <= 2 * math.pi * (radius_m / 64.0 + 1.0) ** 2


def test_an_explosion_heats_the_surface_and_is_heard_below(opened: Open) -> None:
    space = opened()

    space.explosion_surface(32.0, 32.0, 1.5)

    above, below = space.point(SURFACE, 32.0, 32.0), space.point(SUBMERGED, 32.0, 32.0)
    assert above[[Field.TEMPERATURE, Field.NOISE]].tolist() == [78.0, 90.0]
    assert above[Field.SMOKE] == np.float32(0.4 * 1.5)
    assert below[[Field.TEMPERATURE, Field.NOISE, Field.SMOKE]].tolist() == [10.0, 90.0, 0.0]


def test_an_explosion_below_stirs_the_bottom(opened: Open) -> None:
    space = opened()

    space.explosion_underwater(32.0, 32.0)

    at = [space.point(layer, 32.0, 32.0)[[Field.NOISE, Field.SEDIMENT]].tolist() for layer in range(3)]
    sediment = float(np.float32(0.4))
    assert at == [[90.0, 0.0], [90.0, sediment], [45.0, sediment]]


@pytest.mark.parametrize(("layer", "heard"), [(0, [1, 1, 0]), (1, [1, 1, 1]), (2, [0, 1, 1])])
def test_a_ping_is_heard_in_its_layer_and_the_next(opened: Open, layer: int, heard: list[int]) -> None:
    space = opened()

    space.sonar_ping(layer, 32.0, 32.0)

    assert [space.point(near, 32.0, 32.0)[Field.SONAR_RETURN] for near in range(3)] == heard
    assert space.point(layer, 32.0, 1900.0)[Field.NOISE] > 0.0


def test_only_fast_hulls_leave_a_wake(opened: Open) -> None:
    space = opened()

    assert space.wake(SUBMERGED, 32.0, 32.0, 50.0, 4.0) == 0
    assert space.wake(SUBMERGED, 32.0, 32.0, 50.0, 5.0) > 0

    assert space.point(SUBMERGED, 32.0, 32.0)[Field.WAKE] == 0.25


def test_a_fire_a_transit_and_a_sinking_leave_their_traces(opened: Open) -> None:
    space = opened()
    space.fire(32.0, 32.0, 0.5)
    space.transit(6, 1056.0, 32.0)
    space.sinking(-992.0, 32.0)

    fire, sinking = space.point(SURFACE, 32.0, 32.0), space.point(SURFACE, -992.0, 32.0)
    assert fire[[Field.TEMPERATURE, Field.SMOKE]].tolist() == [20.5, np.float32(0.075)]
    assert [space.point(layer, 1056.0, 32.0)[Field.NOISE] for layer in range(3)] == [0.0, 40.0, 40.0]
    assert sinking[[Field.TEMPERATURE, Field.NOISE, Field.SMOKE, Field.SEDIMENT]].tolist() == [38.0, 70.0, 0.5, 0.0]
    assert space.point(SUBMERGED, -992.0, 32.0)[[Field.NOISE, Field.SEDIMENT]].tolist() == [70.0, np.float32(0.6)]
    assert space.point(ABYSSAL, -992.0, 32.0)[Field.NOISE] == 0.0


@pytest.mark.parametrize(("damage", "intensity"), [(0.0, 0.2), (50.0, 0.5), (1000.0, 2.0)])
def test_damage_sets_the_intensity_of_a_blast(damage: float, intensity: float) -> None:
    assert blast_intensity(damage) == intensity


@pytest.mark.parametrize(
    ("layers", "radius_m", "mods", "said"),
    [
        pytest.param(0, 10.0, mod(Field.NOISE, Op.SET, 1.0), "layer mask is 0", id="no-layer"),
        pytest.param(8, 10.0, mod(Field.NOISE, Op.SET, 1.0), "layer mask is 8", id="layer-out-of-range"),
        pytest.param(1, 0.0, mod(Field.NOISE, Op.SET, 1.0), "radius is 0", id="no-radius"),
        pytest.param(1, math.nan, mod(Field.NOISE, Op.SET, 1.0), "shape has nan", id="not-a-number"),
        pytest.param(1, 10.0, [], "no mods", id="no-mods"),
        pytest.param(1, 10.0, mod(Field.DEPTH, Op.SET, 1.0), "field 0 cannot be stamped", id="static-field"),
        pytest.param(1, 10.0, [(6, 7, 1.0, 1.0)], "no op 7", id="unknown-op"),
        pytest.param(1, 10.0, mod(Field.NOISE, Op.SET, 1e7), "value is 10000000", id="huge-value"),
        pytest.param(1, 10.0, mod(Field.NOISE, Op.LERP, 1.0, 1.5), "factor is 1.5", id="factor-above-one"),
    ],
)
def test_a_stamp_that_makes_no_sense_is_refused(
    opened: Open, layers: int, radius_m: float, mods: list[tuple[int, int, float, float]], said: str
) -> None:
    space = opened()

    with pytest.raises(ContractError, match=f"(?i){said}"):
        space.stamp_circle(layers, 0.0, 0.0, radius_m, mods)

    assert space.brick_keys == []


def test_a_box_with_swapped_corners_is_refused(opened: Open) -> None:
    with pytest.raises(ContractError, match="corners swapped"):
        opened().stamp_box(1, 10.0, 0.0, 0.0, 10.0, mod(Field.NOISE, Op.SET, 1.0))
