"""Where a gunner aims, how far rounds scatter around that, and how long the next load takes."""

from typing import Final

from diorama.numerics import ceil, fmax, hyp
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedWeapon

LEAD_PASSES: Final = 2
FATIGUE_ON_GUNNERY: Final = 0.3
SEA_ON_SPREAD: Final = (1.0, 0.7, 0.4, 0.2)  # by size: small hulls roll most
SEA_STATE_ON_SPREAD: Final = 0.04


def effective_gunnery(gunnery: float, fatigue: float) -> float:
    """Skill that is left of a tired gun crew."""
    return gunnery * (1.0 - FATIGUE_ON_GUNNERY * fatigue)


def lead_point(
    own: tuple[float, float], target: tuple[float, float], velocity_ms: tuple[float, float], speed_ms: float
) -> tuple[float, float]:
    """Where the target will be when something launched now arrives, after two corrections of the flight time.

    Args:
        own: Where the shot starts.
        target: Where the target is believed to be.
        velocity_ms: How it is believed to move, zero if unknown.
        speed_ms: Of the shot; what does not fly is aimed at the target itself.
    """
    if speed_ms == 0.0:
        return target
    x, y = target
    flight_s = hyp(x - own[0], y - own[1]) / speed_ms
    for _ in range(LEAD_PASSES):
        x = target[0] + velocity_ms[0] * flight_s
        y = target[1] + velocity_ms[1] * flight_s
        flight_s = hyp(x - own[0], y - own[1]) / speed_ms
    return x, y


def gun_spread_m(
    weapon: ResolvedWeapon, range_m: float, *, gunnery: float, size: int, sea_state: float, morale: float
) -> float:
    """Standard deviation of a salvo's fall along either axis; `gunnery` is the effective one."""
    scatter = range_m * weapon.spread_rad * (1.5 - gunnery)
    rolling = 1.0 + SEA_STATE_ON_SPREAD * SEA_ON_SPREAD[size] * sea_state
    return fmax(weapon.spread_min_m, scatter * rolling * (1.2 - 0.4 * morale))


def charge_spread_m(weapon: ResolvedWeapon, range_m: float) -> float:
    """Standard deviation of a depth-charge pattern along either axis."""
    return fmax(weapon.spread_min_m, weapon.spread_rad * range_m)


def reload_ticks(weapon: ResolvedWeapon, *, gunnery: float, weapons: float, power: float) -> int:
    """Ticks until the mount can fire again; `gunnery` is the effective one, the others are usable fractions."""
    skill = 1.25 - 0.5 * gunnery
    return int(ceil(float(weapon.cooldown_s) * skill * (1.0 + 0.5 * (1.0 - weapons)) * (1.0 + 0.3 * (1.0 - power))))
