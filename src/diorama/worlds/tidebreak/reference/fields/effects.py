"""What happens at sea, as stamps; every one of them fades toward its rim."""

from typing import Final

from diorama.numerics import clamp, fmax
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.fields.constants import Field, Op
from diorama.worlds.tidebreak.reference.fields.shapes import Circle
from diorama.worlds.tidebreak.reference.fields.stamps import Mod, Stamp

BLAST_DAMAGE_SCALE: Final = 100.0
BLAST_INTENSITY_RANGE: Final = (0.2, 2.0)
BLAST_RADIUS_M: Final = 60.0
BLAST_RADIUS_PER_INTENSITY_M: Final = 40.0
UNDERWATER_RADIUS_M: Final = 120.0
FIRE_RADIUS_M: Final = 80.0
PING_RADIUS_M: Final = 2_000.0
TRANSIT_RADIUS_M: Final = 150.0
SINKING_RADIUS_M: Final = 200.0
WAKE_RADIUS_MIN_M: Final = 40.0
WAKE_RADIUS_PER_HULL: Final = 1.5
WAKE_SPEED_MIN_MS: Final = 4.0
WAKE_SPEED_FULL_MS: Final = 20.0


def blast_intensity(effective_damage: float) -> float:
    """Return how strong the explosion of a hit is."""
    return clamp(effective_damage / BLAST_DAMAGE_SCALE, *BLAST_INTENSITY_RANGE)


def explosion_surface(x: float, y: float, intensity: float) -> tuple[Stamp, ...]:
    """Heat, smoke and noise above, noise below."""
    circle = Circle(x, y, BLAST_RADIUS_M + BLAST_RADIUS_PER_INTENSITY_M * intensity)
    noise = Mod(Field.NOISE, Op.MAX, 60.0 * intensity)
    heat = Mod(Field.TEMPERATURE, Op.ADD, 40.0 * intensity)
    smoke = Mod(Field.SMOKE, Op.ADD, 0.4 * intensity)
    return Stamp(_mask(Layer.SURFACE), circle, (heat, smoke, noise)), Stamp(_mask(Layer.SUBMERGED), circle, (noise,))


def explosion_underwater(x: float, y: float) -> tuple[Stamp, ...]:
    """Noise everywhere, half of it in the deep, and sediment below the surface."""
    circle = Circle(x, y, UNDERWATER_RADIUS_M)
    noise, deep_noise = Mod(Field.NOISE, Op.MAX, 90.0), Mod(Field.NOISE, Op.MAX, 45.0)
    sediment = Mod(Field.SEDIMENT, Op.ADD, 0.4)
    return (
        Stamp(_mask(Layer.SURFACE), circle, (noise,)),
        Stamp(_mask(Layer.SUBMERGED), circle, (noise, sediment)),
        Stamp(_mask(Layer.ABYSSAL), circle, (deep_noise, sediment)),
    )


def fire(x: float, y: float, share: float) -> tuple[Stamp, ...]:
    """Heat and smoke of one tick of burning."""
    heat, smoke = Mod(Field.TEMPERATURE, Op.ADD, 5.0 * share), Mod(Field.SMOKE, Op.ADD, 0.15 * share)
    return (Stamp(_mask(Layer.SURFACE), Circle(x, y, FIRE_RADIUS_M), (heat, smoke)),)


def sonar_ping(layer: int, x: float, y: float) -> tuple[Stamp, ...]:
    """Echoes and noise in the layer of the ping and in those next to it."""
    echo, noise = Mod(Field.SONAR_RETURN, Op.MAX, 1.0), Mod(Field.NOISE, Op.MAX, 30.0)
    layers = _mask(*(near for near in Layer if abs(near - layer) <= 1))
    return (Stamp(layers, Circle(x, y, PING_RADIUS_M), (echo, noise)),)


def transit(layers: int, x: float, y: float) -> tuple[Stamp, ...]:
    """Noise of one tick of changing depth, in both layers of the mask."""
    return (Stamp(layers, Circle(x, y, TRANSIT_RADIUS_M), (Mod(Field.NOISE, Op.MAX, 40.0),)),)


def wake(layer: int, x: float, y: float, hull_radius_m: float, speed_ms: float) -> tuple[Stamp, ...]:
    """Foam of one tick of motion; slow hulls leave none."""
    if not speed_ms > WAKE_SPEED_MIN_MS:
        return ()
    circle = Circle(x, y, fmax(WAKE_RADIUS_MIN_M, WAKE_RADIUS_PER_HULL * hull_radius_m))
    return (Stamp(_mask(layer), circle, (Mod(Field.WAKE, Op.MAX, clamp(speed_ms / WAKE_SPEED_FULL_MS, 0.0, 1.0)),)),)


def sinking(x: float, y: float) -> tuple[Stamp, ...]:
    """Noise of a hull that breaks, smoke and heat above, sediment below."""
    circle = Circle(x, y, SINKING_RADIUS_M)
    noise = Mod(Field.NOISE, Op.MAX, 70.0)
    smoke, heat = Mod(Field.SMOKE, Op.ADD, 0.5), Mod(Field.TEMPERATURE, Op.ADD, 20.0)
    return (
        Stamp(_mask(Layer.SURFACE), circle, (noise, smoke, heat)),
        Stamp(_mask(Layer.SUBMERGED), circle, (noise, Mod(Field.SEDIMENT, Op.ADD, 0.6))),
    )


def _mask(*layers: int) -> int:
    return sum(1 << layer for layer in layers)
