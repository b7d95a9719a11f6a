"""Who a contact is: confidence grows with every measurement, and with it what is believed."""

from diorama.numerics import fmin
from diorama.worlds.tidebreak.codes import Iff, Layer, Modality, TrackQuality
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.constants import (
    AGGRESSION_TICKS,
    CLASS_LEVELS,
    CONFIDENCE_GAIN,
    DECLARED_FROM,
    ENEMY_SUSPECT_CHANCE,
    FIRE_CONTROL_GAIN,
    NEUTRAL_SUSPECT_CHANCE,
    SUSPECT_FROM,
    UNMASKED_AT,
)
from diorama.worlds.tidebreak.reference.sensing.targets import Target
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def identify(battle: Battle, observer: Unit, track: Track, target: Target, measure: Measure) -> None:
    """Learn from a measurement what the contact is and where it stands in depth."""
    gain = CONFIDENCE_GAIN[measure.modality]
    if measure.quality >= TrackQuality.Q2:
        gain *= FIRE_CONTROL_GAIN
    track.id_conf = fmin(1.0, track.id_conf + gain)
    track.class_level = class_level(track.id_conf)
    track.is_munition = target.is_munition and track.id_conf >= UNMASKED_AT
    track.modalities |= 1 << measure.modality
    track.layer_est = estimate_layer(measure, target.layer, track.layer_est)
    track.iff = judge_iff(battle, observer, track.id_conf, target)


def class_level(id_conf: float) -> int:
    """0 nothing, 1 category, 2 size, 3 class."""
    return sum(id_conf >= least for least in CLASS_LEVELS)


def estimate_layer(measure: Measure, true_layer: int, before: int) -> int:
    """Layer a measurement tells; a bearing of the listening sonar tells none."""
    if measure.modality in (Modality.VISUAL, Modality.RADAR, Modality.ESM):
        return Layer.SURFACE
    if measure.modality is Modality.PASSIVE_SONAR and measure.quality < TrackQuality.Q1:
        return before
    return true_layer


def judge_iff(battle: Battle, observer: Unit, id_conf: float, target: Target) -> Iff:
    """Take a side of a contact; who has just done harm is an enemy whatever else is known."""
    is_enemy = battle.are_enemies(observer.team, target.team)
    if is_enemy and battle.rules.perfect_iff:
        return Iff.HOSTILE_DECLARED
    if has_harmed(battle, observer.team, target):
        return Iff.HOSTILE_DECLARED
    if id_conf < SUSPECT_FROM:
        return Iff.UNKNOWN
    if id_conf >= DECLARED_FROM:
        return Iff.HOSTILE_DECLARED if is_enemy else Iff.FRIENDLY_ASSUMED
    chance = ENEMY_SUSPECT_CHANCE if is_enemy else NEUTRAL_SUSPECT_CHANCE
    is_suspect = uniform(battle, Stream.IDENTIFICATION, observer.id, target.id, 0, tick=0) < chance
    return Iff.SUSPECT if is_suspect else Iff.FRIENDLY_ASSUMED


def has_harmed(battle: Battle, team: int, target: Target) -> bool:
    """Whether the contact damaged a unit of the team within the last minute."""
    return target.harmed_at(team) >= battle.tick - AGGRESSION_TICKS
