"""What each decision can be about at a hub today."""

from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import (
    Chain,
    DecisionKind,
    GovernmentKind,
    Resource,
    TreatyKind,
)
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub
from diorama.worlds.tidebreak.codes import SizeClass, UnitKind
from diorama.worlds.tidebreak.content import shipped_content

NO_TARGET: Final[list[str | None]] = [None]
INVEST_MATERIALS: Final = 200.0
CONCESSION_MATERIALS: Final = 100.0
_YARD_FOR_SIZE: Final = {SizeClass.S: 1, SizeClass.M: 2, SizeClass.L: 3}


def legal_targets(state: CampaignState, hub: Hub, kind: DecisionKind) -> list[str | None]:
    """Return what a decision may be about, `[None]` for one without a target, nothing if it makes no sense."""
    match kind:
        case DecisionKind.MOBILISE:
            return NO_TARGET if not any(effect.kind == "mobilised" for effect in hub.effects) else []
        case DecisionKind.RATION:
            return [] if hub.is_rationing else NO_TARGET
        case DecisionKind.WELFARE:
            return NO_TARGET if hub.stock[Resource.LUXURIES] > 0.0 else []
        case DecisionKind.SECURITY_SWEEP:
            return NO_TARGET
        case DecisionKind.BUILD:
            return [*buildable(hub)]
        case DecisionKind.INVEST:
            growing = {investment.chain for investment in hub.investments}
            return [c.value for c in Chain if c in _all_chains(state, hub) and c not in growing]
        case DecisionKind.CONCESSION:
            return [crisis.vocation.value for crisis in hub.crises if crisis.vocation is not None]
        case DecisionKind.REFORM:
            return [g.value for g in GovernmentKind if g not in (hub.government.kind, GovernmentKind.ANARCHY)]
        case _:
            return _foreign_targets(state, hub, kind)


def buildable(hub: Hub) -> list[str]:
    """Return the hull classes a hub's yard can build, the cheapest first."""
    rows = [
        row for row in shipped_content().classes.values() if row.kind is UnitKind.SHIP and row.size in _YARD_FOR_SIZE
    ]
    fitting = [row for row in rows if _YARD_FOR_SIZE[row.size] <= hub.yard_level]
    return [row.name for row in sorted(fitting, key=lambda row: (row.cost, row.code))]


def build_materials(class_id: str) -> float:
    """Materials that a hull takes."""
    return 10.0 * ship_class(class_id).cost


def _all_chains(state: CampaignState, hub: Hub) -> set[Chain]:
    return set(hub.facilities).union(*(site.facilities for site in state.sites if site.hub == hub.id))


def _foreign_targets(state: CampaignState, hub: Hub, kind: DecisionKind) -> list[str | None]:
    """Foreign affairs are the capital's alone."""
    if state.faction(hub.owner).capital != hub.id:
        return []
    others = list(state.others(hub.owner))
    match kind:
        case DecisionKind.OPEN_TRADE:
            return [
                other.capital
                for other in others
                if not state.are_at_war(hub.owner, other.id)
                and not state.has_treaty(hub.owner, other.id, TreatyKind.TRADE)
            ]
        case DecisionKind.DECLARE_WAR:
            return [other.id for other in others if not state.are_at_war(hub.owner, other.id)]
        case DecisionKind.OFFER_PEACE:
            return [other.id for other in others if state.are_at_war(hub.owner, other.id)]
        case _:
            return [other.id for other in others if not state.are_at_war(hub.owner, other.id)]
