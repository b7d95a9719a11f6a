"""Weather at a point: the map's, made worse by storms."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import clamp, fmax, fmin, hyp
from diorama.worlds.tidebreak.codes import Layer, Precipitation, SizeClass, StormProfile
from diorama.worlds.tidebreak.reference.components import Storm
from diorama.worlds.tidebreak.reference.state import Battle

SEA_STATE_MAX: Final = 9.0
STORM_SEA_STATE: Final = 5.0
STORM_VISIBILITY: Final = 0.8
STORM_LIGHTNING: Final = 0.8
RAIN_ABOVE: Final = (
    (0.6, Precipitation.STORM),
    (0.3, Precipitation.HEAVY_RAIN),
    (0.1, Precipitation.LIGHT_RAIN),
)
SPEED_LOSS_PER_SEA_STATE: Final = {SizeClass.S: 0.03, SizeClass.M: 0.02, SizeClass.L: 0.01, SizeClass.XL: 0.005}
AMBIENT_NOISE_DB: Final = {Layer.SURFACE: (62.0, 2.5), Layer.SUBMERGED: (60.0, 1.0), Layer.ABYSSAL: (58.0, 0.2)}
EYE_RADIUS: Final = 0.15  # of a cyclone, in radii, as are the next two
EYE_STRENGTH: Final = 0.2
WALL_RADIUS: Final = 0.4
WALL_WIDTH: Final = 0.6


@dataclass(frozen=True, slots=True)
class LocalWeather:
    """Weather at a point; `storm` is the capped sum of storm strengths."""

    storm: float
    sea_state: float
    visibility_km: float
    precipitation: int
    lightning: float


def local_weather(battle: Battle, x: float, y: float) -> LocalWeather:
    """Weather at a point, whatever the layer."""
    base = battle.map.weather
    total = 0.0
    for storm in battle.storms:
        total += storm_strength(storm, x, y)
    storm_sum = fmin(total, 1.0)
    precipitation = base.precipitation
    for above, kind in RAIN_ABOVE:
        if storm_sum > above:
            precipitation = max(precipitation, kind)
            break
    return LocalWeather(
        storm=storm_sum,
        sea_state=clamp(base.sea_state + STORM_SEA_STATE * storm_sum, 0.0, SEA_STATE_MAX),
        visibility_km=base.visibility_km * (1.0 - STORM_VISIBILITY * storm_sum),
        precipitation=int(precipitation),
        lightning=fmax(base.lightning, STORM_LIGHTNING * storm_sum),
    )


def storm_strength(storm: Storm, x: float, y: float) -> float:
    """Strength of one storm at a point, 0 to 1."""
    distance = hyp(x - storm.x, y - storm.y)
    radius, intensity = storm.radius, storm.intensity
    if storm.profile == StormProfile.UNIFORM:
        return intensity if distance < radius else 0.0
    if storm.profile == StormProfile.GRADIENT:
        return intensity * fmax(0.0, 1.0 - distance / radius)
    if distance < EYE_RADIUS * radius:
        return EYE_STRENGTH * intensity
    return intensity * fmax(0.0, 1.0 - abs(distance - WALL_RADIUS * radius) / (WALL_WIDTH * radius))


def sea_speed_factor(size: int, sea_state: float) -> float:
    """Share of its speed that a surface hull keeps in this sea."""
    return 1.0 - SPEED_LOSS_PER_SEA_STATE[SizeClass(size)] * sea_state


def ambient_noise_db(layer: int, sea_state: float) -> float:
    """Noise of the sea itself."""
    quiet, per_sea_state = AMBIENT_NOISE_DB[Layer(layer)]
    return quiet + per_sea_state * sea_state
