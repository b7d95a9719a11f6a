from math import exp, hypot

import pytest

from diorama.rng.keyed import draw, u01
from diorama.worlds.tidebreak.codes import Layer, Terrain
from diorama.worlds.tidebreak.packages.bathymetry import DepthGrid, ProceduralDepth, UniformDepth
from diorama.worlds.tidebreak.packages.currents import AnalyticCurrent, CurrentGrid, Eddy, LayerRows, UniformCurrent
from diorama.worlds.tidebreak.packages.map import Bounds
from diorama.worlds.tidebreak.packages.shapes import Circle, Polygon, Rectangle
from diorama.worlds.tidebreak.resolve.currents import resolve_currents
from diorama.worlds.tidebreak.resolve.depths import resolve_depth
from diorama.worlds.tidebreak.resolve.map import field_side
from diorama.worlds.tidebreak.resolve.shapes import contains, resolve_shape
from diorama.worlds.tidebreak.resolve.terrain import allows, depth_at, terrain_of

BOUNDS = Bounds(min_x=-8000, min_y=-4000, max_x=8000, max_y=4000)
CORNERS = (-8000.0, -4000.0, 8000.0, 4000.0)


def test_open_water_is_uniform() -> None:
    assert resolve_depth(ProceduralDepth(style="open"), 1).uniform_m == 1500.0
    assert resolve_depth(UniformDepth(depth_m=77), 1).uniform_m == 77.0


@pytest.mark.parametrize(("x", "depth"), [(-8000.0, 40.0), (0.0, 220.0), (8000.0, 400.0), (-4000.0, 130.0)])
def test_a_shelf_deepens_eastward(x: float, depth: float) -> None:
    shelf = resolve_depth(ProceduralDepth(style="shelf"), 1)

    assert (shelf.rows, shelf.columns, len(shelf.nodes_m)) == (65, 65, 4225)
    assert depth_at(shelf, CORNERS, x, 1234.5) == pytest.approx(depth)


@pytest.mark.parametrize(
    ("y", "depth"), [(-4000.0, -20.0), (-3000.0, 742.5), (0.0, 1200.0), (2000.0, 1200.0), (4000.0, -20.0)]
)
def test_a_strait_has_shores_in_the_north_and_south(y: float, depth: float) -> None:
    strait = resolve_depth(ProceduralDepth(style="strait"), 1)

    assert depth_at(strait, CORNERS, 100.0, y) == pytest.approx(depth)


def test_an_archipelago_is_the_sum_of_its_lattices() -> None:
    seed = 99
    islands = resolve_depth(ProceduralDepth(style="archipelago"), seed)

    def lattice(octave: int, iy: int, ix: int) -> float:
        return 2 * u01(draw(seed, 13, 0, octave, iy * 64 + ix, 0)) - 1

    # Node (row 16, column 32) lies on a lattice point of every octave: no blending.
    expected = (
        120 + 160 * lattice(0, 1, 2) + 80 * lattice(1, 2, 4) + 40 * lattice(2, 4, 8) + 20 * lattice(3, 8, 16) - 30
    )
    assert islands.nodes_m[16 * 65 + 32] == pytest.approx(expected)
    # Node (0, 1) lies between: a sixteenth of the coarsest cell, half of the finest.
    blended = 120.0
    for octave, (amplitude, cells) in enumerate(((160, 4), (80, 8), (40, 16), (20, 32))):
        f = cells / 64
        s = f * f * (3 - 2 * f)
        blended += amplitude * (lattice(octave, 0, 0) * (1 - s) + lattice(octave, 0, 1) * s)
    assert islands.nodes_m[1] == pytest.approx(blended - 30)
    assert resolve_depth(ProceduralDepth(style="archipelago"), seed) == islands
    assert resolve_depth(ProceduralDepth(style="archipelago"), seed + 1) != islands


def test_depth_is_bilinear_between_given_nodes() -> None:
    grid = resolve_depth(DepthGrid(rows=((0, 100), (200, 300), (400, 500))), 1)

    assert depth_at(grid, CORNERS, -8000.0, -4000.0) == 0.0
    assert depth_at(grid, CORNERS, 8000.0, 4000.0) == 500.0
    assert depth_at(grid, CORNERS, 0.0, -2000.0) == 150.0


@pytest.mark.parametrize(
    ("depth", "terrain", "allowed"),
    [
        (-1.0, Terrain.LAND, ""),
        (0.0, Terrain.LAND, ""),
        (25.0, Terrain.SHALLOWS, "S"),
        (25.1, Terrain.SHELF, "SU"),
        (200.0, Terrain.SHELF, "SU"),
        (200.1, Terrain.DEEP_OCEAN, "SUA"),
    ],
)
def test_depth_decides_the_layers(depth: float, terrain: Terrain, allowed: str) -> None:
    assert terrain_of(depth) is terrain
    assert "".join(name for name, layer in zip("SUA", Layer, strict=True) if allows(depth, layer)) == allowed


def test_a_uniform_current_weakens_with_depth() -> None:
    surface, submerged, abyssal = resolve_currents(UniformCurrent(vector=(1.0, -2.0)), BOUNDS, 1)

    assert set(surface.x_ms) == {1.0}
    assert set(submerged.y_ms) == {-2.0 * 0.6}
    assert set(abyssal.x_ms) == {0.3}
    assert len(surface.x_ms) == 289


def test_an_eddy_turns_counter_clockwise_and_is_fastest_at_its_radius() -> None:
    eddy = Eddy(x=0, y=0, radius=1000, speed=2)
    surface = resolve_currents(AnalyticCurrent(eddies=(eddy,)), BOUNDS, 1)[0]
    east = 8 * 17 + 9  # one node east of the center, 1,000 m

    assert (surface.x_ms[8 * 17 + 8], surface.y_ms[8 * 17 + 8]) == (0.0, 0.0)
    assert surface.x_ms[east] == pytest.approx(0.0)
    assert surface.y_ms[east] == pytest.approx(2.0)
    corner = hypot(8000, 4000) / 1000
    assert hypot(surface.x_ms[0], surface.y_ms[0]) == pytest.approx(2 * corner * exp(0.5 - 0.5 * corner**2), abs=1e-12)


def test_the_noise_of_a_current_depends_on_the_seed_alone_and_stays_in_bounds() -> None:
    stirred = AnalyticCurrent(base_vector=(4.0, 0.0), variance=3.0)

    first = resolve_currents(stirred, BOUNDS, 5)

    assert first == resolve_currents(stirred, BOUNDS, 5)
    assert first != resolve_currents(stirred, BOUNDS, 6)
    assert max(first[0].x_ms) == 5.0
    assert min(first[0].x_ms) >= -5.0


def test_a_given_layer_of_a_current_is_taken_as_it_is() -> None:
    one, two = (((1.0, 1.0),) * 17,) * 17, (((2.0, 0.0),) * 17,) * 17

    surface, submerged, abyssal = resolve_currents(CurrentGrid(rows=LayerRows(surface=one, abyssal=two)), BOUNDS, 1)

    assert (surface.x_ms[0], submerged.x_ms[0], abyssal.x_ms[0]) == (1.0, 0.6, 2.0)


@pytest.mark.parametrize(
    ("larger", "side"), [(2000.0, 2048.0), (2048.0, 2048.0), (16000.0, 16384.0), (32768.0, 32768.0)]
)
def test_the_field_square_holds_the_map(larger: float, side: float) -> None:
    assert field_side(larger, 2000.0) == field_side(2000.0, larger) == side


def test_shapes_are_placed_and_know_what_is_inside() -> None:
    disc = resolve_shape(Circle(radius=10), (100.0, 0.0))
    box = resolve_shape(Rectangle(size=(20, 40)), (100.0, 0.0))
    wedge = resolve_shape(Polygon(vertices=((0, 0), (10, 0), (0, 10))), (100.0, 0.0))

    assert contains(disc, 110.0, 0.0)
    assert not contains(disc, 108.0, 8.0)
    assert box.vertices == ((90.0, -20.0), (110.0, -20.0), (110.0, 20.0), (90.0, 20.0))
    assert contains(box, 109.0, 19.0)
    assert not contains(box, 111.0, 0.0)
    assert contains(wedge, 102.0, 2.0)
    assert not contains(wedge, 106.0, 6.0)
    assert wedge.radius_m == 10.0
