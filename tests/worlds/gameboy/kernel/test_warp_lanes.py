"""The compiled kernel on this processor: the same as the native core."""

import numpy as np
import pytest

from diorama.contracts.errors import TierUnavailable
from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout, Style
from diorama.worlds.gameboy.roms.catalogue import rom_names
from tests.worlds.gameboy.kernel.running import assert_equal_runs, compiled, native, needs_warp

pytestmark = [needs_warp, pytest.mark.slow, pytest.mark.timeout(1800)]  # compiling takes tens of seconds

VARIED = ("ALU_FLAGS", "DIV_TIMER", "PPU_STAT_IRQ", "RASTER_SCX", "PPU_SPRITES", "GRID_GOAL")


@pytest.mark.parametrize("name", rom_names())
def test_every_rom_runs_as_in_the_native_core(name: str) -> None:
    assert_equal_runs(native(name, 33), compiled(name, 33), 4, frames=24)


@pytest.mark.parametrize("name", VARIED)
@pytest.mark.parametrize(
    "build",
    [
        pytest.param(BuildOptions(layout=Layout.TILE32), id="tile32"),
        pytest.param(BuildOptions(style=Style.SPECIALISED), id="specialised"),
        pytest.param(BuildOptions(stepped=True), id="stepped"),
    ],
)
def test_layout_style_and_shortcuts_in_time_change_nothing(name: str, build: BuildOptions) -> None:
    assert_equal_runs(native(name, 3), compiled(name, 3, build=build), 4, frames=24)


def test_a_long_run_of_many_lanes_stays_equal() -> None:
    ours, theirs = compiled("GRID_GOAL", 256), native("GRID_GOAL", 256)
    for step in range(20):
        actions = np.random.default_rng([5, step]).integers(0, 8, 256).astype(np.int32)
        ours.step(actions, 24, 8)
        theirs.step(actions, 24, 8)

    assert [ours.state_hash(lane) for lane in range(256)] == [theirs.state_hash(lane) for lane in range(256)]


def test_tensors_share_the_memory_of_the_lanes() -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = compiled("GRID_GOAL", 3, watch=(0xC0F0, 0xC0F1)), native("GRID_GOAL", 3, watch=(0xC0F0, 0xC0F1))
    actions = torch.tensor([4, 5, 6], dtype=torch.int32)
    watched, features = np.zeros((3, 2), np.uint8), np.zeros((3, 32), np.float32)
    pictures, before = np.zeros((3, 72, 20), np.uint8), ours.picture_tensor.data_ptr()

    for _ in range(2):
        ours.step_tensor(actions, 24, 8)
        theirs.step(actions.numpy(), 24, 8, picture=pictures, watch=watched, ram_v3=features)

    assert ours.device == torch.device("cpu")
    assert ours.picture_tensor.data_ptr() == before
    np.testing.assert_array_equal(ours.picture_tensor.numpy(), pictures)
    np.testing.assert_array_equal(ours.watch_tensor.numpy(), watched)
    np.testing.assert_array_equal(ours.ram_v3_tensor.numpy(), features)
    assert ours.trap_tensor.tolist() == [0, 0, 0]


def test_golden_states_are_restored_by_tensors() -> None:
    torch = pytest.importorskip("torch")
    batch = compiled("GRID_GOAL", 3)
    batch.step(np.array([4, 5, 6], np.int32), 24, 8)
    batch.capture(1, 0)
    golden = batch.state_hash(1)
    batch.step(np.array([7, 7, 7], np.int32), 24, 8)
    others = batch.state_hash(2)

    empty = 9  # a slot that holds nothing leaves its lane alone
    batch.restore_golden_tensor(
        torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor([0, 0, empty], dtype=torch.int32)
    )

    assert [batch.state_hash(lane) for lane in (0, 2)] == [golden, others]


def test_tensors_that_do_not_fit_are_refused() -> None:
    torch = pytest.importorskip("torch")
    batch = compiled("GRID_GOAL", 3)

    with pytest.raises(TypeError, match=r"actions is torch\.int64; it must be torch\.int32"):
        batch.step_tensor(torch.zeros(3, dtype=torch.int64), 24, 8)
    with pytest.raises(ValueError, match=r"actions has shape \(4,\)"):
        batch.step_tensor(torch.zeros(4, dtype=torch.int32), 24, 8)


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(TierUnavailable, match="cuda:99"):
        compiled("GRID_GOAL", 1, device="cuda:99")
