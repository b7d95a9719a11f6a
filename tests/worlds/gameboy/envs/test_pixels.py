"""Pictures: halving, packing and distances, the same on host and device."""

import numpy as np
import pytest
import torch

from diorama.contracts.values import U8
from diorama.worlds.gameboy.envs import pixels, pixels_on_device
from diorama.worlds.gameboy.envs.stack import PictureStack


def shades(seed: int, *shape: int) -> U8:
    return np.random.default_rng(seed).integers(0, 4, shape, np.uint8)


def test_the_leftmost_pixel_is_in_the_lowest_bits() -> None:
    assert pixels.pack(np.array([[1, 2, 3, 0, 3, 0, 0, 1]], np.uint8)).tolist() == [[0b00111001, 0b01000011]]


def test_unpacking_undoes_packing_and_the_table_has_every_byte() -> None:
    picture = shades(0, 2, 72, 80)

    np.testing.assert_array_equal(pixels.unpack(pixels.pack(picture)), picture)
    np.testing.assert_array_equal(pixels.pack(pixels.unpack_table()).ravel(), np.arange(256))


def test_a_half_picture_is_every_second_pixel_of_every_second_row() -> None:
    full = shades(1, 144, 160)

    assert pixels.halve(full)[7, 11] == full[14, 22]
    np.testing.assert_array_equal(pixels.halve(pixels.double(pixels.halve(full))), pixels.halve(full))


def test_the_distance_table_sums_four_pixels() -> None:
    table = pixels.distance_table()

    for a, b in ((0, 255), (0b11_10_01_00, 0b00_01_10_11), (7, 7), (0b01_00_00_00, 0)):
        assert table[a, b] == sum(abs((a >> bit & 3) - (b >> bit & 3)) for bit in (0, 2, 4, 6))
    np.testing.assert_array_equal(table, table.T)
    assert (table.max(), table.trace(), table.sum()) == (12, 0, 4 * 65536 * 5 // 4)


@pytest.mark.parametrize("shape", [(72, 80), (3, 72, 80)], ids=["picture", "stack"])
def test_distances_are_the_same_packed_or_not_on_host_and_device(shape: tuple[int, ...]) -> None:
    seen, goal = shades(2, 5, *shape), shades(3, *shape)
    seen[0], seen[1] = 0, 3
    expected = np.abs(seen.astype(int) - goal).reshape(5, -1).sum(axis=1)
    on_device = torch.from_numpy(seen), torch.from_numpy(goal)
    packed = [pixels_on_device.pack(tensor) for tensor in on_device]

    np.testing.assert_array_equal(pixels.shade_distance(seen, goal), expected)
    np.testing.assert_array_equal(pixels.packed_distance(pixels.pack(seen), pixels.pack(goal)), expected)
    np.testing.assert_array_equal(pixels_on_device.shade_distance(*on_device).numpy(), expected)
    np.testing.assert_array_equal(pixels_on_device.packed_distance(packed[0], packed[1]).numpy(), expected)
    np.testing.assert_array_equal(packed[0].numpy(), pixels.pack(seen))
    np.testing.assert_array_equal(pixels_on_device.unpack(packed[0]).numpy(), seen)


def test_a_stack_is_told_oldest_first_and_never_moved() -> None:
    stack = PictureStack(2, 3, (4, 4))
    stack.fill(np.array([0, 1]), np.full((2, 4, 4), 9, np.uint8))
    memory = stack._ring

    for value in (1, 2):
        stack.turn()[:] = value

    assert stack._ring is memory
    assert stack.gathered()[:, :, 0, 0].tolist() == [[9, 1, 2], [9, 1, 2]]
    stack.fill(np.array([1]), np.zeros((1, 4, 4), np.uint8))
    assert stack.of_lane(1).max() == 0
    assert stack.of_lanes(np.array([0]))[0, :, 0, 0].tolist() == [9, 1, 2]


def test_a_stack_of_one_is_the_newest_picture() -> None:
    stack = PictureStack(1, 1, (2, 2))

    assert stack.turn() is not None
    assert np.shares_memory(stack.turn(), stack.newest)
