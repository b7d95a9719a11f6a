"""Who reaches whom over the data link."""

from diorama.numerics import ceil, hyp
from diorama.worlds.tidebreak.codes import Emissions, Layer, LinkTier, UnitKind, UnitStatus, ZoneEffect
from diorama.worlds.tidebreak.reference.sensing.constants import ECM_TIERS, LINK_PERIODS, LINK_RANGE_M
from diorama.worlds.tidebreak.reference.sensing.sight import zone_share
from diorama.worlds.tidebreak.reference.state import Battle, Unit

NO_LINK = -1


def link_tier(battle: Battle, unit: Unit) -> int:
    """Tier a unit can use where it is, -1 for none."""
    if not unit.is_present or unit.has(UnitStatus.SURRENDERED | UnitStatus.CAPTURED):
        return NO_LINK
    if unit.identity.kind == UnitKind.SQUADRON or unit.layer.layer == Layer.ABYSSAL:
        return NO_LINK
    ecm = zone_share(battle, ZoneEffect.ECM, ((unit.x, unit.y), unit.layers_mask))
    tier = unit.spec.sensors.link_tier - int(ceil(ECM_TIERS * ecm))
    if unit.layer.layer == Layer.SUBMERGED:
        tier = min(tier, LinkTier.T0)
    return tier if tier >= LinkTier.T0 else NO_LINK


def pair_tier(battle: Battle, unit: Unit, other: Unit) -> int:
    """Tier on which two units of a team reach each other, -1 for none."""
    if hyp(other.x - unit.x, other.y - unit.y) > LINK_RANGE_M:
        return NO_LINK
    return min(link_tier(battle, unit), link_tier(battle, other))


def can_send(unit: Unit) -> bool:
    """Whether a unit speaks on the link at all; a silent one only listens."""
    return unit.posture.emissions != Emissions.SILENT


def is_publishing(battle: Battle, sender: Unit, tier: int) -> bool:
    """Whether a sender shares its tracks on this tier in this tick."""
    return (battle.tick + sender.id) % LINK_PERIODS[tier] == 0


def team_mates(battle: Battle, unit: Unit) -> list[Unit]:
    """Other present units of the team, squadrons apart, by id."""
    return [
        other
        for other in battle.present_units()
        if other.team == unit.team and other is not unit and other.identity.kind != UnitKind.SQUADRON
    ]


def is_linked(battle: Battle, unit: Unit) -> bool:
    """Whether a unit speaks with anybody, which others can hear."""
    return can_send(unit) and any(pair_tier(battle, unit, other) > NO_LINK for other in team_mates(battle, unit))
