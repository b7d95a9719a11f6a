"""The data mesh at work: units learn their team-mates' places and merge the tracks that they share."""

from copy import copy

from diorama.worlds.tidebreak.codes import Iff, LinkTier, Modality, TrackQuality
from diorama.worlds.tidebreak.reference.components import MateFix, Track
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.sensing.identification import judge_iff
from diorama.worlds.tidebreak.reference.sensing.mesh import (
    NO_LINK,
    can_send,
    is_publishing,
    pair_tier,
    team_mates,
)
from diorama.worlds.tidebreak.reference.sensing.targets import find_target
from diorama.worlds.tidebreak.reference.sensing.tracking import GHOST, add_track
from diorama.worlds.tidebreak.reference.state import Battle, Unit

_SIGMA_FACTOR = (2.0, 1.0, 1.0, 1.0)  # by tier
_LINK_BIT = 1 << Modality.LINK


def resolve_links(battle: Battle, _outputs: Outputs) -> None:
    """Merge what senders publish, all as their tables stood before anybody merged."""
    published = {unit.id: _published(unit) for unit in battle.present_units() if can_send(unit)}
    for receiver in battle.present_units():
        for sender in team_mates(battle, receiver):
            tier = pair_tier(battle, receiver, sender)
            if tier == NO_LINK or sender.id not in published:
                continue
            _note_mate(battle, receiver, sender)
            if is_publishing(battle, sender, tier):
                for track in published[sender.id]:
                    merge(battle, receiver, track, tier)
        _forget_lost_mates(battle, receiver)


def merge(battle: Battle, receiver: Unit, incoming: Track, tier: int) -> None:
    """Take over a sender's track where the receiver has none or a worse one."""
    if incoming.bearing_only and tier != LinkTier.T0:
        return
    factor = _SIGMA_FACTOR[tier]
    variance = incoming.P * (factor * factor)
    quality = shared_quality(incoming.quality, tier)
    held = receiver.tracks.of_target(incoming.target_id)
    if held is not None and not _is_worse(held, variance, quality):
        return
    track = copy(incoming) if held is None else held
    track.x, track.y, track.vx, track.vy = incoming.x, incoming.y, incoming.vx, incoming.vy
    track.P = variance
    track.quality = quality
    track.age = incoming.age
    track.layer_est = incoming.layer_est
    track.bearing_only = incoming.bearing_only
    track.hits = incoming.hits if held is None else max(held.hits, incoming.hits)
    track.shared = True
    track.modalities = _LINK_BIT if held is None else held.modalities | _LINK_BIT
    if tier >= LinkTier.T2:
        track.id_conf, track.class_level, track.iff = incoming.id_conf, incoming.class_level, incoming.iff
        track.is_munition = incoming.is_munition
    elif held is None:
        _begin_identity(battle, receiver, track)
    if held is None:
        add_track(battle, receiver, track)


def shared_quality(quality: int, tier: int) -> int:
    """Quality of a track on arrival."""
    if tier <= LinkTier.T1:
        return min(quality, TrackQuality.Q1)
    if tier == LinkTier.T2:
        return min(quality, TrackQuality.Q2)
    return TrackQuality.Q3 if quality >= TrackQuality.Q2 else quality


def _is_worse(held: Track, variance: float, quality: int) -> bool:
    """Whether a held track errs more than one that is offered.

    A fix of this tick that is good enough to fire on is not given up for one that is not: ships whose own radars hold
    a target would otherwise take away each other's fire control.
    """
    return variance < held.P and (held.age > 0 or quality >= held.quality)


def _published(unit: Unit) -> list[Track]:
    return [copy(track) for track in unit.tracks.tracks if track.age == 0 and track.target_id != GHOST]


def _begin_identity(battle: Battle, receiver: Unit, track: Track) -> None:
    track.id_conf, track.class_level, track.is_munition = 0.0, 0, False
    target = find_target(battle, track.target_id)
    track.iff = Iff.UNKNOWN if target is None else judge_iff(battle, receiver, 0.0, target)


def _note_mate(battle: Battle, receiver: Unit, mate: Unit) -> None:
    fixes = receiver.memory.mate_fixes
    fix = MateFix(mate.id, mate.x, mate.y, mate.motion.vx, mate.motion.vy, mate.layer.layer, battle.tick)
    for place, known in enumerate(fixes):
        if known.unit_id == mate.id:
            fixes[place] = fix
            return
        if known.unit_id > mate.id:
            fixes.insert(place, fix)
            return
    fixes.append(fix)


def _forget_lost_mates(battle: Battle, receiver: Unit) -> None:
    mates = {mate.id for mate in team_mates(battle, receiver)}
    receiver.memory.mate_fixes = [fix for fix in receiver.memory.mate_fixes if fix.unit_id in mates]
