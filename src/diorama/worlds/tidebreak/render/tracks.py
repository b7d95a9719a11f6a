"""What a side knows: of every contact the best track that any of its units holds."""

from math import sqrt

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import Iff, MunitionKind, SizeClass
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.render.constants import CLASS_KNOWN_AT, SIZE_KNOWN_AT


def team_tracks(battle: Battle, team: int) -> list[JsonValue]:
    """Return one track per contact, by the id of the contact."""
    best: dict[int, tuple[Unit, Track]] = {}
    holders: dict[int, int] = {}
    for unit in battle.units:
        if unit.team != team or not unit.is_effective:
            continue
        for track in unit.tracks.tracks:
            holders[track.target_id] = holders.get(track.target_id, 0) + 1
            known = best.get(track.target_id)
            if known is None or _rank(track) < _rank(known[1]):
                best[track.target_id] = unit, track
    return [_picture(battle, *best[contact], held_by=holders[contact]) for contact in sorted(best)]


def _rank(track: Track) -> tuple[int, float]:
    return -track.quality, track.P


def _picture(battle: Battle, holder: Unit, track: Track, *, held_by: int) -> JsonObject:
    seen = apparent_unit(battle, track)
    return {
        "track": f"{holder.id}:{track.track_id}",
        "holder": holder.id,
        "x": track.x,
        "y": track.y,
        "vx": track.vx,
        "vy": track.vy,
        "sigma": sqrt(track.P),
        "quality": int(track.quality),
        "bearing_only": bool(track.bearing_only),
        "iff": Iff(track.iff).name,
        "age": track.age,
        "layer": int(track.layer_est),
        "size": apparent_size(seen, track),
        "class": seen.spec.hull.class_name if seen is not None and track.class_level >= CLASS_KNOWN_AT else None,
        "is_munition": bool(track.is_munition),
        "held_by": held_by,
        "contact": track.target_id,
    }


def apparent_unit(battle: Battle, track: Track) -> Unit | None:
    """The unit a contact looks like: itself, or whoever launched a decoy; None for other munitions and clutter."""
    munition = battle.find_munition(track.target_id)
    if munition is None:
        return battle.find_unit(track.target_id)
    return battle.find_unit(munition.owner_id) if munition.kind == MunitionKind.DECOY else None


def apparent_size(seen: Unit | None, track: Track) -> str | None:
    """The size class a track has made out, if any."""
    return SizeClass(seen.identity.size).name if seen is not None and track.class_level >= SIZE_KNOWN_AT else None
