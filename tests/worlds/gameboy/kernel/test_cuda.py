"""The compiled kernel on a GPU: two hundred steps of every ROM, however it is built, end as in the native core."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout, Style
from diorama.worlds.gameboy.kernel.warp_lanes import WarpLanes
from diorama.worlds.gameboy.roms.catalogue import rom_names
from tests.worlds.gameboy.kernel.running import compiled, native, needs_warp

torch = pytest.importorskip("torch")
pytestmark = [
    needs_warp,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU is here: CUDA was not compared"),
]

STEPS, FRAMES, RELEASE = 200, 24, 8
LANES = 256
REGISTERS = 128


def build(style: Style = Style.GROUPED, layout: Layout = Layout.TILE32, *, stepped: bool = False) -> BuildOptions:
    return BuildOptions(style=style, layout=layout, stepped=stepped, max_registers=REGISTERS)


def keys_of(lanes: int) -> NDArray[np.int32]:
    """Keys by step and lane; fewer lanes press what the first of more lanes press."""
    return np.random.default_rng(1234).integers(0, 8, (LANES, STEPS)).astype(np.int32)[:lanes].T.copy()


@pytest.fixture(scope="module")
def expected() -> dict[str, tuple[int, ...]]:
    """State hashes of all lanes in the native core, by ROM."""
    hashes = {}
    for name in rom_names():
        lanes = native(name, LANES, threads=16, picture="none")
        for actions in keys_of(LANES):
            lanes.step(actions, FRAMES, RELEASE)
        hashes[name] = tuple(lanes.state_hash(lane) for lane in range(LANES))
    return hashes


def all_roms_at_once(lanes: int, options: BuildOptions) -> dict[str, WarpLanes]:
    """Run every ROM on a stream of its own: alone, one of them leaves the device idle."""
    opened = {name: compiled(name, lanes, device="cuda:0", build=options, picture="none") for name in rom_names()}
    streams = {name: torch.cuda.Stream() for name in opened}
    queued = torch.from_numpy(keys_of(lanes)).cuda()
    torch.cuda.synchronize()
    for actions in queued:
        for name, consoles in opened.items():
            with torch.cuda.stream(streams[name]):
                consoles.step_tensor(actions, FRAMES, RELEASE)
    torch.cuda.synchronize()
    return opened


@pytest.mark.parametrize(
    ("lanes", "options"),
    [
        pytest.param(LANES, build(), id="grouped-tile32"),
        pytest.param(33, build(), id="33 lanes"),
        pytest.param(1, build(), id="1 lane"),
        pytest.param(33, build(layout=Layout.ENV_MAJOR), id="env_major"),
        pytest.param(33, build(Style.SPECIALISED), id="specialised"),
        pytest.param(33, build(Style.SPECIALISED, Layout.ENV_MAJOR), id="specialised-env_major"),
        pytest.param(33, build(stepped=True), id="stepped"),
    ],
)
def test_every_rom_ends_as_in_the_native_core(
    lanes: int, options: BuildOptions, expected: dict[str, Sequence[int]]
) -> None:
    for name, consoles in all_roms_at_once(lanes, options).items():
        found = [consoles.state_hash(lane) for lane in range(lanes)]
        assert found == list(expected[name][:lanes]), name


@pytest.mark.parametrize("picture", ["shade_full", "shade_half", "packed2"])
def test_pictures_are_those_of_the_native_core(picture: str) -> None:
    for name in ("RASTER_SCX", "PPU_SPRITES", "PPU_WINDOW", "GRID_GOAL", "CATCH"):
        ours, theirs = compiled(name, 33, device="cuda:0", picture=picture), native(name, 33, picture=picture)
        shown = np.zeros(tuple(ours.picture_tensor.shape), np.uint8)
        for actions in keys_of(33)[:20]:
            theirs.step(actions, FRAMES, RELEASE, picture=shown)
            ours.step(actions, FRAMES, RELEASE)
            np.testing.assert_array_equal(ours.picture_tensor.cpu().numpy(), shown, err_msg=name)
