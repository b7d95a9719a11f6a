"""A field space: what a tool, a training task or the arena holds and asks."""

from collections.abc import Iterable, Sequence

import numpy as np

from diorama.contracts.errors import ContractError
from diorama.contracts.values import F32, F64, U64
from diorama.snapshots import WordReader, WordWriter, hash_words
from diorama.worlds.tidebreak.limits import BRICKS_DEFAULT
from diorama.worlds.tidebreak.reference.fields import effects
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    DYNAMIC_RULES,
    FIELD_PERIOD_TICKS,
    FIRST_DYNAMIC,
    GRID_CELLS,
    LEAF_DEPTH,
    N_FIELDS,
    N_LAYERS,
    STATIC_MAX,
    TEMPERATURE_C,
    TOP_LEVEL,
    Field,
)
from diorama.worlds.tidebreak.reference.fields.foveated import DEFAULT_SHELLS, Shell, check_shell, look_around
from diorama.worlds.tidebreak.reference.fields.geometry import Bounds, Domain, to_bricks
from diorama.worlds.tidebreak.reference.fields.growth import grow_and_release
from diorama.worlds.tidebreak.reference.fields.propagation import Rates, closed_sides, propagate
from diorama.worlds.tidebreak.reference.fields.sampling import outside_values, sample, value_at
from diorama.worlds.tidebreak.reference.fields.settings import FieldSettings
from diorama.worlds.tidebreak.reference.fields.shapes import Box, Capsule, Circle, check_coordinate
from diorama.worlds.tidebreak.reference.fields.stamps import Mod, Stamp, apply_stamp
from diorama.worlds.tidebreak.reference.fields.summaries import Summaries
from diorama.worlds.tidebreak.reference.fields.volume import Traversal, VolumeQuery, VolumeReading
from diorama.worlds.tidebreak.reference.fields.words import read_fields, write_fields

ModValues = tuple[int, int, float, float]
ShellValues = tuple[float, float, int, int]


class FieldSpace:
    """Static and dynamic fields over three layers of 128 x 128 cells.

    `fast.open_field_space` gives the native twin, with the same calls and the same bits.
    """

    def __init__(
        self,
        bounds: Bounds,
        *,
        field_period: int = FIELD_PERIOD_TICKS,
        max_bricks: int = BRICKS_DEFAULT,
        temperature: Sequence[float] | None = None,
        is_dynamic: bool = True,
        diffusivity: Sequence[float] | None = None,
        decay: Sequence[float] | None = None,
    ) -> None:
        """Open an empty space around a map (min x, min y, max x, max y).

        Args:
            bounds: Of the map; each side 2,000 to 32,768 m.
            field_period: Seconds that one propagation covers.
            max_bricks: How many bricks may exist at once.
            temperature: What each layer's water returns to, °C; None for the usual ones.
            is_dynamic: When off, dynamic fields always read their defaults.
            diffusivity: Of each dynamic field, m²/s; None for the usual ones.
            decay: Of each dynamic field, 1/s; None for the usual ones.

        Raises:
            ConfigError: With the name and value of what is wrong.
        """
        settings = FieldSettings(
            field_period=field_period,
            max_bricks=max_bricks,
            temperature=TEMPERATURE_C if temperature is None else temperature,
            is_dynamic=is_dynamic,
            diffusivity=[rule.diffusivity_m2_s for rule in DYNAMIC_RULES] if diffusivity is None else diffusivity,
            decay=[rule.decay_per_s for rule in DYNAMIC_RULES] if decay is None else decay,
        )
        self._domain = Domain.of_bounds(bounds)
        self._is_dynamic = is_dynamic
        self._rates = Rates.of(settings, self._domain.cell_m)
        self._bricks = Bricks(max_bricks, settings.temperature)
        self._closed = closed_sides(self._bricks.is_solid)
        self._summaries = Summaries()

    @property
    def origin(self) -> tuple[float, float]:
        """Southwest corner of the domain."""
        return self._domain.west_m, self._domain.south_m

    @property
    def side_m(self) -> float:
        """Side of the domain."""
        return self._domain.side_m

    @property
    def cell_m(self) -> float:
        """Side of a cell."""
        return self._domain.cell_m

    @property
    def brick_keys(self) -> list[int]:
        """Keys of the bricks that exist, ascending."""
        keys: list[int] = self._bricks.keys().tolist()
        return keys

    @property
    def is_saturated(self) -> bool:
        """Whether a brick was ever refused for lack of room."""
        return self._bricks.is_saturated

    def reset(self) -> None:
        """Free every brick; static fields stay."""
        self._bricks.clear()

    def set_static(self, field: int, layer: int, values: F32) -> None:
        """Give a static field its value at every cell of a layer.

        Args:
            field: DEPTH, OCCUPANCY, SALINITY, CURRENT_X or CURRENT_Y.
            layer: 0, 1 or 2.
            values: Shape (128, 128), rows from south to north; copied.

        Raises:
            ContractError: When a value is wrong, or bricks exist already.
        """
        _check_layer(layer)
        if not 0 <= field < FIRST_DYNAMIC:
            raise ContractError(f"field {field} is not static; use 0 to {FIRST_DYNAMIC - 1}")
        if values.shape != (GRID_CELLS, GRID_CELLS):
            raise ContractError(f"the values have the shape {values.shape}; it must be (128, 128)")
        if not (np.abs(values) <= STATIC_MAX).all():
            raise ContractError("the values hold a number that is not finite or beyond 1e9")
        if field == Field.OCCUPANCY and not ((values >= 0.0) & (values <= 1.0)).all():
            raise ContractError("occupancy must be 0 to 1")
        if self._bricks.is_allocated.any():
            raise ContractError("static fields are set before the first stamp; call reset() first")
        self._bricks.set_static(field, layer, to_bricks(values.astype(np.float32) + np.float32(0.0)))
        self._closed = closed_sides(self._bricks.is_solid)

    def stamp(self, stamps: Iterable[Stamp]) -> int:
        """Apply stamps in order; return how many cells they changed."""
        if not self._is_dynamic:
            return 0
        return sum(apply_stamp(self._bricks, self._domain, stamp) for stamp in stamps)

    def stamp_circle(
        self,
        layers: int,
        x: float,
        y: float,
        radius_m: float,
        mods: Sequence[ModValues],
        has_falloff: bool = True,
    ) -> int:
        """Stamp a circle.

        Args:
            layers: Bit mask, 1 for the surface.
            x: Of the center.
            y: Of the center.
            radius_m: Above 0.
            mods: Each is a field, an op, a value and the factor of LERP: a `Mod`.
            has_falloff: Whether the effect fades toward the rim.

        Returns:
            How many cells changed.

        Raises:
            ContractError: When something of it makes no sense.
        """
        return self.stamp((Stamp(layers, Circle(x, y, radius_m), _mods(mods), has_falloff),))

    def stamp_box(
        self, layers: int, min_x: float, min_y: float, max_x: float, max_y: float, mods: Sequence[ModValues]
    ) -> int:
        """Stamp a box, at full strength everywhere in it."""
        return self.stamp((Stamp(layers, Box(min_x, min_y, max_x, max_y), _mods(mods), has_falloff=False),))

    def stamp_capsule(
        self,
        layers: int,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius_m: float,
        mods: Sequence[ModValues],
        has_falloff: bool = True,
    ) -> int:
        """Stamp everything near a segment."""
        return self.stamp((Stamp(layers, Capsule(x0, y0, x1, y1, radius_m), _mods(mods), has_falloff),))

    def explosion_surface(self, x: float, y: float, intensity: float) -> int:
        """Stamp an explosion at the surface."""
        return self.stamp(effects.explosion_surface(x, y, intensity))

    def explosion_underwater(self, x: float, y: float) -> int:
        """Stamp an explosion below the surface."""
        return self.stamp(effects.explosion_underwater(x, y))

    def fire(self, x: float, y: float, share: float) -> int:
        """Stamp one tick of a fire of strength 0 to 1."""
        return self.stamp(effects.fire(x, y, share))

    def sonar_ping(self, layer: int, x: float, y: float) -> int:
        """Stamp a ping of an active sonar."""
        _check_layer(layer)
        return self.stamp(effects.sonar_ping(layer, x, y))

    def transit(self, layers: int, x: float, y: float) -> int:
        """Stamp one tick of a hull that changes between the layers of the mask."""
        return self.stamp(effects.transit(layers, x, y))

    def wake(self, layer: int, x: float, y: float, hull_radius_m: float, speed_ms: float) -> int:
        """Stamp one tick of the wake of a moving hull."""
        _check_layer(layer)
        return self.stamp(effects.wake(layer, x, y, hull_radius_m, speed_ms))

    def sinking(self, x: float, y: float) -> int:
        """Stamp a hull that goes down."""
        return self.stamp(effects.sinking(x, y))

    def propagate(self, wind_x: float = 0.0, wind_y: float = 0.0) -> int:
        """Advance the dynamic fields by one period under this wind, m/s; return how many cell updates were made."""
        check_coordinate("the wind", wind_x)
        check_coordinate("the wind", wind_y)
        if not self._is_dynamic:
            return 0
        updates = propagate(self._bricks, self._closed, self._rates, (wind_x, wind_y))
        grow_and_release(self._bricks)
        return updates

    def point(self, layer: int, x: float, y: float, level: int = 0) -> F32:
        """Return every field at a point, by field id; level 0 is the cell, 5 the coarsest mean."""
        _check_layer(layer)
        _check_level(level)
        check_coordinate("the point", x)
        check_coordinate("the point", y)
        return self._sample_points(layer, range(N_FIELDS), np.array([x]), np.array([y]), level).reshape(N_FIELDS)

    def value(self, field: int, layer: int, x: float, y: float) -> float:
        """Return one field at a point of a layer, at full detail; `point` is for several, or from far away."""
        return value_at(self._bricks, self._domain, field, layer, x, y)

    def volume(self, layer: int, x: float, y: float, radius_m: float, level: int) -> VolumeReading:
        """Return statistics of the dynamic fields over a circle, not taking apart nodes of this level of detail.

        Level 4 is coarse, 3 medium, 1 fine and 0 reads every cell on the rim.
        """
        _check_layer(layer)
        _check_level(level)
        for value in (x, y, radius_m):
            check_coordinate("the circle", value)
        if radius_m < 0.0:
            raise ContractError(f"the radius is {radius_m} m; it must be 0 or more")
        self._summaries.refresh(self._bricks)
        query = VolumeQuery(layer, x, y, radius_m, level)
        return Traversal(self._bricks, self._summaries, self._domain, query).read()

    def foveated(
        self,
        layer: int,
        x: float,
        y: float,
        heading: float,
        fields: Sequence[int],
        shells: Sequence[ShellValues] | None = None,
    ) -> F32:
        """Return fields around an observer, flat: by shell, then sector, then field.

        Args:
            layer: Of the observer.
            x: Of the observer.
            y: Of the observer.
            heading: Where sector 0 of every shell is centered, radians counter-clockwise from east.
            fields: Field ids.
            shells: Each has an inner and outer radius, a number of sectors and a level of detail: a `Shell`; None
                for `DEFAULT_SHELLS`.
        """
        _check_layer(layer)
        for value in (x, y, heading):
            check_coordinate("the observer", value)
        for field in fields:
            _check_field(field)
        rings = DEFAULT_SHELLS if shells is None else tuple(Shell(*shell) for shell in shells)
        for ring in rings:
            check_shell(ring)
        if not (fields and rings):
            raise ContractError("nothing to look at; give at least one field and one shell")

        def sample_points(at_x: F64, at_y: F64, level: int) -> F32:
            return self._sample_points(layer, fields, at_x, at_y, level)

        return look_around(x, y, heading, rings, sample_points)

    def grid(self, field: int, layer: int, level: int = 0) -> F32:
        """Return a field over a whole layer, rows from south to north; each level halves the side, from 128 to 4."""
        _check_field(field)
        _check_layer(layer)
        _check_level(level)
        self._summaries.refresh(self._bricks)
        corners = np.arange(GRID_CELLS >> level) << level
        columns, rows = np.tile(corners, len(corners)), np.repeat(corners, len(corners))
        values = sample(self._bricks, self._summaries, layer, columns, rows, [field], level)
        return values.reshape(len(corners), len(corners))

    def summary(self, depth: int, ix: int, iy: int, iz: int) -> F32:
        """Return mean, minimum, maximum and mean of squares of a node's dynamic fields, shape (6, 4)."""
        widths = (1, 2, N_LAYERS, N_LAYERS, N_LAYERS)
        if not 0 <= depth <= LEAF_DEPTH:
            raise ContractError(f"there is no depth {depth}; use 0 to {LEAF_DEPTH}")
        if not (0 <= ix < 1 << depth and 0 <= iy < 1 << depth and 0 <= iz < widths[depth]):
            raise ContractError(f"there is no node ({ix}, {iy}, {iz}) at depth {depth}")
        self._summaries.refresh(self._bricks)
        statistics: F32 = self._summaries.node(depth, ix, iy, iz)[FIRST_DYNAMIC:]
        return statistics

    def state_words(self) -> U64:
        """Return the dynamic fields as canonical state words."""
        words = WordWriter()
        self.write(words)
        return words.words()

    def restore(self, words: U64) -> None:
        """Continue from state words of a space with the same map and settings; on an error nothing changes.

        Raises:
            SnapshotError: When they do not describe fields of this space.
        """
        reader = WordReader(words)
        fields = read_fields(self._bricks, reader)
        reader.finish()
        fields.put_into(self._bricks)

    def state_hash(self) -> int:
        """Return the hash of the state words."""
        return hash_words(self.state_words())

    def write(self, words: WordWriter) -> None:
        """Append the field section of a larger state."""
        write_fields(self._bricks, words)

    def read(self, words: WordReader) -> None:
        """Take the field section of a larger state; on an error nothing changes."""
        read_fields(self._bricks, words).put_into(self._bricks)

    def _sample_points(self, layer: int, fields: Sequence[int], x: F64, y: F64, level: int) -> F32:
        self._summaries.refresh(self._bricks)
        columns, rows = self._domain.columns(x), self._domain.rows(y)
        values = sample(self._bricks, self._summaries, layer, columns, rows, fields, level)
        inside = self._domain.contains(x, y)
        return np.where(inside[:, None], values, outside_values(self._bricks, layer, fields))


def _mods(mods: Sequence[ModValues]) -> tuple[Mod, ...]:
    return tuple(Mod(*mod) for mod in mods)


def _check_layer(layer: int) -> None:
    if not 0 <= layer < N_LAYERS:
        raise ContractError(f"there is no layer {layer}; use 0 to {N_LAYERS - 1}")


def _check_level(level: int) -> None:
    if not 0 <= level <= TOP_LEVEL:
        raise ContractError(f"there is no level {level}; use 0 to {TOP_LEVEL}")


def _check_field(field: int) -> None:
    if not 0 <= field < N_FIELDS:
        raise ContractError(f"there is no field {field}; use 0 to {N_FIELDS - 1}")
