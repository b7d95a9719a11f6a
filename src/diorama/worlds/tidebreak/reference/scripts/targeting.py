"""Which contact a script goes for, and what it fires at it."""

from typing import Final

from diorama.numerics import fmax
from diorama.worlds.tidebreak.codes import NO_LAYER, Layer, TrackQuality, WeaponGroup
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.contacts import estimated_range, is_friendly
from diorama.worlds.tidebreak.reference.orders import FREE_FIRE
from diorama.worlds.tidebreak.reference.state import Battle, Unit

CUE_HANDICAP_M: Final = 4_000.0
TORPEDO_SHARE: Final = 0.65  # of their range, beyond which torpedoes are kept


def best_track(battle: Battle, unit: Unit) -> Track | None:
    """The nearest contact worth going for; cues count as farther away, ties go to the lower id."""
    best, best_score = None, 0.0
    for track in unit.tracks.tracks:
        if is_friendly(track) or track.is_munition or _is_neutral(battle, unit, track):
            continue
        score = estimated_range(unit, track) + (CUE_HANDICAP_M if track.quality == TrackQuality.Q0 else 0.0)
        if best is None or score < best_score:
            best, best_score = track, score
    return best


def _is_neutral(battle: Battle, unit: Unit, track: Track) -> bool:
    target = battle.find_unit(track.target_id)
    return target is not None and not battle.are_enemies(unit.team, target.team)


def is_below(track: Track) -> bool:
    """Whether the contact is believed to be under water."""
    return track.layer_est not in (Layer.SURFACE, NO_LAYER)


def longest_range_m(battle: Battle, unit: Unit, group: WeaponGroup) -> float:
    """Longest range among the unit's weapons of a group, 0 without one."""
    longest = 0.0
    for mount in unit.spec.mounts:
        weapon = battle.spec.weapons[mount.weapon]
        if weapon.group == group:
            longest = fmax(longest, weapon.range_m)
    return longest


def fire_groups(battle: Battle, unit: Unit, target: Track) -> tuple[WeaponGroup, ...]:
    """Everything, but torpedoes only when the target is well within their range."""
    reach = TORPEDO_SHARE * longest_range_m(battle, unit, WeaponGroup.TORPEDO)
    if estimated_range(unit, target) < reach:
        return FREE_FIRE
    return tuple(group for group in FREE_FIRE if group is not WeaponGroup.TORPEDO)
