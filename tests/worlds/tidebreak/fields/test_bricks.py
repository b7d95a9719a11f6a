import numpy as np
import pytest

from diorama.worlds.tidebreak.reference.fields import Field, Op
from tests.worlds.tidebreak.fields.conftest import Open
from tests.worlds.tidebreak.fields.spaces import ABYSSAL, DYNAMIC, SURFACE, mod


def test_keys_interleave_the_coordinates_of_bricks_layer_by_layer(opened: Open) -> None:
    space = opened()
    for layers, x, y in ((1, -4000.0, -4000.0), (1, -3500.0, -4000.0), (1, -4000.0, -3500.0), (4, 4000.0, 4000.0)):
        space.stamp_circle(layers, x, y, 10.0, mod(Field.NOISE, Op.SET, 90.0))

    assert space.brick_keys == [0, 1, 2, 2 * 256 + 255]


def test_a_quiet_brick_is_freed_after_two_steps_and_not_before(opened: Open) -> None:
    space = opened()
    space.stamp_circle(4, 32.0, 32.0, 10.0, mod(Field.SONAR_RETURN, Op.SET, 0.005))

    counts = [len(space.brick_keys)]
    for _ in range(2):
        space.propagate()
        counts.append(len(space.brick_keys))

    assert counts == [1, 1, 0]
    assert np.all(space.grid(Field.SONAR_RETURN, ABYSSAL) == 0.0)


def test_a_stamp_wakes_a_dormant_brick(opened: Open) -> None:
    space = opened()
    space.stamp_circle(1, 224.0, 224.0, 10.0, mod(Field.SONAR_RETURN, Op.SET, 0.005))
    space.propagate()
    space.stamp_circle(1, 224.0, 224.0, 10.0, mod(Field.TEMPERATURE, Op.SET, 30.0))

    space.propagate()
    space.propagate()

    assert space.brick_keys == [192]


@pytest.mark.parametrize(
    ("cell", "grown"),
    [
        pytest.param((3, 0), [149, 192], id="west"),
        pytest.param((3, 7), [192, 193], id="east"),
        pytest.param((0, 3), [106, 192], id="south"),
        pytest.param((7, 3), [192, 194], id="north"),
    ],
)
def test_an_edge_that_stands_out_asks_for_the_neighbor(opened: Open, cell: tuple[int, int], grown: list[int]) -> None:
    row, column = cell
    space = opened()
    space.stamp_circle(1, (column + 0.5) * 64.0, (row + 0.5) * 64.0, 10.0, mod(Field.TEMPERATURE, Op.SET, 400.0))

    space.propagate()

    assert space.brick_keys == grown


def test_an_edge_within_four_thresholds_asks_for_nothing(opened: Open) -> None:
    space = opened(diffusivity=[0.0] * 6, decay=[0.0] * 6)
    space.stamp_circle(1, 32.0, 32.0, 10.0, mod(Field.TEMPERATURE, Op.SET, 19.0))

    space.propagate()

    assert space.brick_keys == [192]
    assert space.point(SURFACE, 32.0, 32.0)[Field.TEMPERATURE] == 19.0


def test_the_domains_edge_has_no_neighbor(opened: Open) -> None:
    space = opened(decay=[0.0] * 6)
    space.stamp_box(1, -4096.0, -4096.0, -4080.0, -4080.0, mod(Field.TEMPERATURE, Op.SET, 400.0))

    for _ in range(3):
        space.propagate(-20.0, -20.0)

    assert space.brick_keys == [0]


def test_what_finds_no_room_is_refused_in_order_and_remembered(opened: Open) -> None:
    space = opened(max_bricks=2)

    stamped = space.stamp_box(1, -512.0, -512.0, 511.0, 511.0, mod(Field.NOISE, Op.SET, 90.0))
    space.propagate()

    # Row by row from the southwest, the two bricks of the southern row come first.
    assert stamped == 128
    assert space.brick_keys == [63, 106]
    assert space.is_saturated
    space.reset()
    assert not space.is_saturated


def test_a_space_without_room_reads_as_defaults(opened: Open) -> None:
    space = opened(max_bricks=0)

    assert space.explosion_surface(0.0, 0.0, 2.0) == 0
    space.propagate()

    assert space.is_saturated
    assert np.all(space.grid(Field.TEMPERATURE, SURFACE) == 18.0)


def test_absent_bricks_read_as_the_defaults_of_their_layer(opened: Open) -> None:
    space = opened(temperature=[21.5, 11.25, 3.0])

    for layer, temperature in enumerate((21.5, 11.25, 3.0)):
        for level in range(6):
            assert space.point(layer, 777.0, -3000.0, level)[list(DYNAMIC)].tolist() == [temperature, 0, 0, 0, 0, 0]
