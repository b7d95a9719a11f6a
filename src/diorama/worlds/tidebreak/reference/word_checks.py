"""What words must hold so that a battle can go on from them: codes that exist, ids that lead somewhere."""

from itertools import pairwise
from math import inf
from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.numerics import fmax
from diorama.snapshots import LARGEST_NUMBER, Bound, check_bounds
from diorama.worlds.tidebreak.codes import (
    ALL_LAYERS_MASK,
    NO_LAYER,
    BoardingStatus,
    CaptureMethod,
    ConnectionState,
    DcFocus,
    Emissions,
    EndReason,
    Iff,
    Layer,
    Modality,
    MunitionKind,
    ObjectiveStatus,
    TrackQuality,
    UnitStatus,
    WeaponGroup,
)
from diorama.worlds.tidebreak.limits import MUNITIONS_MAX, SQUADRONS_MAX
from diorama.worlds.tidebreak.reference.components import (
    IN_TRANSIT,
    NO_OBJECTIVE,
    POPPING_UP,
    STEADY,
    LayerState,
    Munition,
    Track,
)
from diorama.worlds.tidebreak.reference.fates import NO_TEAM
from diorama.worlds.tidebreak.reference.sensing.tracking import GHOST
from diorama.worlds.tidebreak.reference.state import NO_WINNER, NOT_ENDED, Battle, Unit
from diorama.worlds.tidebreak.reference.systems.layers import BOTCH_SHARE
from diorama.worlds.tidebreak.reference.systems.support import NO_WEAPON
from diorama.worlds.tidebreak.resolve.siege import DISTRICT_NAMES

BOTCHES_AT_ONCE: Final = 1 << 20  # more botches of a transit than the damage of one tick leads to
CLASS_KNOWN: Final = 3  # what is known of a track's class at most
NO_DISTRICT: Final = -1


def check_battle(battle: Battle) -> None:
    """Refuse a battle that could not go on; its numbers have been found to be bounded.

    Raises:
        SnapshotError: With the first thing that is wrong.
    """
    starting, outcome = len(battle.spec.units), battle.outcome
    check_bounds(
        "the battle",
        [
            ("tick", battle.tick, 0, LARGEST_NUMBER),
            ("next_entity_id", battle.next_entity_id, starting + 1, LARGEST_NUMBER),
            ("next_event_id", battle.log.next_event_id, 1, LARGEST_NUMBER),
            ("end_reason", outcome.end_reason, NOT_ENDED, max(EndReason)),
            ("winner", outcome.winner, NO_WINNER, len(battle.spec.teams) - 1 if outcome.is_over else NO_WINNER),
        ],
    )
    for place, unit in enumerate(battle.units):
        _check_identity(battle, place, unit)
        _check_condition(unit)
        _check_deeds(battle, unit)
        _check_tracks(battle, unit)
        _check_memory(battle, unit)
    squadrons = sum(unit.is_present for unit in battle.units[starting:])
    _need(squadrons <= SQUADRONS_MAX, f"{squadrons} squadrons are in the air; {SQUADRONS_MAX} can be")
    _check_munitions(battle)
    _check_storms(battle)


def _check_identity(battle: Battle, place: int, unit: Unit) -> None:
    """Who a unit is never changes, and ids ascend."""
    identity, spec, hull = unit.identity, unit.spec, unit.spec.hull
    is_squadron = place >= len(battle.spec.units)
    is_same = (
        (unit.id > battle.units[place - 1].id if is_squadron else unit.id == spec.id)
        and unit.id < battle.next_entity_id
        and 0 <= unit.team < len(battle.spec.teams)
        and (unit.team, identity.kind) == (spec.team, hull.kind)
        and (identity.class_code, identity.size, identity.tier) == (hull.class_code, hull.size, hull.damage_tier)
        and len(unit.mounts) == len(spec.mounts)
        and len(unit.compartments) == len(spec.start.compartments)
    )
    _need(is_same, f"unit {unit.id} does not fit its package")


def _check_condition(unit: Unit) -> None:
    check_bounds(
        f"unit {unit.id}",
        [
            *_layer_bounds(unit.layer),
            ("status", unit.identity.status, 0, 2 * UnitStatus.DISABLED - 1),
            ("emissions", unit.posture.emissions, min(Emissions), max(Emissions)),
            ("dc_focus", unit.posture.dc_focus, min(DcFocus), max(DcFocus)),
            ("hp", unit.hull.hp, 0.0, fmax(unit.spec.start.hp, unit.spec.hull.hp_max)),
            ("trans_damage", unit.layer.trans_damage, 0.0, _most_damage(unit)),
            *(("a system", share, 0.0, 1.0) for share in (*unit.hull.systems, *unit.hull.ceilings)),
        ],
    )


def _most_damage(unit: Unit) -> float:
    """How much damage a transit can show; a wreck may have taken any, and nothing comes of it any more."""
    if not unit.is_present:
        return inf
    return float(unit.layer.botches + BOTCHES_AT_ONCE) * (BOTCH_SHARE * unit.spec.hull.hp_max)


def _layer_bounds(state: LayerState) -> list[Bound]:
    deepest_goal = max(Layer) if state.mode == IN_TRANSIT else NO_LAYER
    return [
        ("layer", state.layer, min(Layer), max(Layer)),
        ("mode", state.mode, STEADY, POPPING_UP),
        ("target_layer", state.target_layer, min(Layer), deepest_goal),
        ("total", state.total, int(state.mode != STEADY), LARGEST_NUMBER),
        ("botches", state.botches, 0, LARGEST_NUMBER),
    ]


def _check_deeds(battle: Battle, unit: Unit) -> None:
    boarding, task = unit.boarding, unit.spec.objective
    check_bounds(
        f"unit {unit.id}",
        [
            ("boarding state", boarding.state, min(ConnectionState), max(ConnectionState)),
            ("boarding status", boarding.status, min(BoardingStatus), max(BoardingStatus)),
            ("objective status", unit.objective.status, min(ObjectiveStatus), max(ObjectiveStatus)),
        ],
    )
    is_boarding = boarding.state != ConnectionState.NONE or boarding.status != BoardingStatus.NONE
    has_target = battle.find_unit(boarding.target_id) is not None or (not is_boarding and boarding.target_id == 0)
    _need(has_target, f"unit {unit.id} boards unit {boarding.target_id}, which there is not")
    is_given = unit.objective.type == (NO_OBJECTIVE if task is None else task.type)
    _need(is_given, f"unit {unit.id} has an objective that its package does not give it")


def _check_tracks(battle: Battle, unit: Unit) -> None:
    tracks, most = unit.tracks.tracks, unit.spec.sensors.tracks_max
    _need(len(tracks) <= most, f"unit {unit.id} holds {len(tracks)} tracks; it can hold {most}")
    last = 0
    seen: set[int] = set()
    for track in tracks:
        check_bounds(f"a track of unit {unit.id}", _track_bounds(battle, track, last))
        last = track.track_id
        _need(track.target_id not in seen, f"unit {unit.id} holds two tracks of {track.target_id}")
        seen |= {track.target_id} - {GHOST}
    check_bounds(f"unit {unit.id}", [("next_track_id", unit.tracks.next_track_id, last + 1, LARGEST_NUMBER)])


def _track_bounds(battle: Battle, track: Track, last: int) -> list[Bound]:
    return [
        ("track_id", track.track_id, last + 1, LARGEST_NUMBER),
        ("target_id", track.target_id, GHOST, battle.next_entity_id - 1),
        ("quality", track.quality, min(TrackQuality), max(TrackQuality)),
        ("age", track.age, 0, LARGEST_NUMBER),
        ("hits", track.hits, 0, LARGEST_NUMBER),
        ("layer_est", track.layer_est, min(Layer), NO_LAYER),
        ("class_level", track.class_level, 0, CLASS_KNOWN),
        ("iff", track.iff, min(Iff), max(Iff)),
        ("modalities", track.modalities, 0, (1 << len(Modality)) - 1),
        ("P", track.P, 0.0, LARGEST_NUMBER),
    ]


def _check_memory(battle: Battle, unit: Unit) -> None:
    memory = unit.memory
    check_bounds(
        f"unit {unit.id}",
        [
            ("capture_method", memory.capture_method, min(CaptureMethod), max(CaptureMethod)),
            ("captor_team", memory.captor_team, NO_TEAM, len(battle.spec.teams) - 1),
            ("entry_district", memory.entry_district, NO_DISTRICT, len(DISTRICT_NAMES) - 1),
        ],
    )
    last = 0
    for fix in memory.mate_fixes:
        check_bounds(
            f"unit {unit.id}",
            [("unit_id", fix.unit_id, last + 1, LARGEST_NUMBER), ("layer", fix.layer, min(Layer), max(Layer))],
        )
        _need(battle.find_unit(fix.unit_id) is not None, f"unit {unit.id} hears unit {fix.unit_id}")
        last = fix.unit_id
    is_sorted = all(one < other for one, other in pairwise(memory.raised_ids))
    _need(is_sorted, f"unit {unit.id} has raised ids out of order")
    is_starting = unit.id <= len(battle.spec.units)
    _need(is_starting or _has_carrier(battle, unit), f"squadron {unit.id} has no carrier")


def _has_carrier(battle: Battle, squadron: Unit) -> bool:
    """Whether a squadron came from an air wing of its own team."""
    carrier, slot = battle.find_unit(squadron.memory.carrier_id), squadron.memory.carrier_slot
    if carrier is None or carrier.spec.team != squadron.team or not 0 <= slot < len(carrier.spec.mounts):
        return False
    return battle.spec.weapons[carrier.spec.mounts[slot].weapon].group == WeaponGroup.AIR


def _check_munitions(battle: Battle) -> None:
    count = len(battle.munitions)
    _need(count <= MUNITIONS_MAX, f"{count} munitions are under way; {MUNITIONS_MAX} can be")
    last = len(battle.spec.units)
    for munition in battle.munitions:
        check_bounds(
            "a munition",
            [
                ("id", munition.id, last + 1, battle.next_entity_id - 1),
                ("team", munition.team, 0, len(battle.spec.teams) - 1),
                ("launch_layer", munition.launch_layer, min(Layer), max(Layer)),
                ("target_layers", munition.target_layers, 0, ALL_LAYERS_MASK),
            ],
        )
        last = munition.id
        has_owner = battle.find_unit(munition.owner_id) is not None
        _need(has_owner, f"munition {last} is of unit {munition.owner_id}, which there is not")
        _need(_is_as_made(battle, munition), f"munition {last} is not what its weapon fires")


def _is_as_made(battle: Battle, munition: Munition) -> bool:
    """Whether a munition has what its weapon gave it, which nothing changes."""
    if munition.kind == MunitionKind.DECOY:
        return munition.weapon_code == NO_WEAPON
    if not 0 <= munition.weapon_code < len(battle.spec.weapons):
        return False
    weapon = battle.spec.weapons[munition.weapon_code]
    return (munition.kind, munition.rounds, munition.speed, munition.damage) == (
        weapon.kind,
        weapon.rounds,
        weapon.speed_ms,
        weapon.damage,
    )


def _check_storms(battle: Battle) -> None:
    """Storms move and fade; what else they are comes from the map."""
    found, right = len(battle.storms), len(battle.map.storms)
    _need(found == right, f"there are {found} storms; the package has {right}")
    for storm, spec in zip(battle.storms, battle.map.storms, strict=True):
        is_same = (
            (storm.profile, storm.ends_at_tick) == (spec.profile, spec.ends_at_tick)
            and (storm.vx, storm.vy, storm.radius) == (spec.vx, spec.vy, spec.radius_m)
            and 0.0 <= storm.intensity <= spec.intensity
        )
        _need(is_same, "a storm is not that of the package")


def _need(is_sound: bool, problem: str) -> None:
    if not is_sound:
        raise SnapshotError(problem)
