"""How wars begin and end, and what factions come to think of each other."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.kinds import TreatyKind
from diorama.worlds.tidebreak.campaign.state import CampaignState
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

HOSTILE: Final = -0.7
_WAR_DISPOSITION: Final = -0.5
_BROKEN_TREATY: Final = -0.30


def change_disposition(state: CampaignState, first: str, second: str, amount: float) -> None:
    """Add to what two factions think of each other, within -1 to 1."""
    relation = state.relation(first, second)
    relation.disposition = clamp(relation.disposition + amount, -1.0, 1.0)


def declare_war(state: CampaignState, attacker: str, defender: str, *, cause: int | None) -> None:
    """Begin a war by decision; a war that runs already goes on."""
    if state.are_at_war(attacker, defender):
        return
    change_disposition(state, attacker, defender, _WAR_DISPOSITION)
    enter_war(state, attacker, defender, cause=cause)


def enter_war(state: CampaignState, attacker: str, defender: str, *, cause: int | None) -> None:
    """Begin a war: treaties between the two end, and who swore to defend the attacked joins in."""
    relation = state.relation(attacker, defender)
    text = f"the {state.faction(attacker).name} goes to war with the {state.faction(defender).name}"
    news = report(state, "war", text, factions=[attacker, defender], cause=cause)
    relation.is_at_war, relation.since_day, relation.cause = True, state.day, news
    break_treaties(state, attacker, defender, cause=news)
    for ally in state.others(defender):
        is_bound = state.has_treaty(defender, ally.id, TreatyKind.MUTUAL_DEFENSE, TreatyKind.VASSALAGE)
        if ally.id != attacker and is_bound and not state.are_at_war(ally.id, attacker):
            enter_war(state, ally.id, attacker, cause=news)


def break_treaties(state: CampaignState, breaker: str, other: str, *, cause: int | None) -> None:
    """End all treaties between two factions by breaking them."""
    broken = [treaty for treaty in state.treaties if {treaty.a, treaty.b} == {breaker, other}]
    if not broken:
        return
    state.treaties = [treaty for treaty in state.treaties if treaty not in broken]
    change_disposition(state, breaker, other, _BROKEN_TREATY)
    names = ", ".join(treaty.kind.lower().replace("_", " ") for treaty in broken)
    text = f"the {state.faction(breaker).name} breaks its treaty with the {state.faction(other).name} ({names})"
    report(state, "treaty", text, factions=[breaker, other], cause=cause)


def end_war(state: CampaignState, first: str, second: str) -> None:
    """Stop a war; the treaty that stops it is somebody else's news."""
    relation = state.relation(first, second)
    relation.is_at_war, relation.since_day = False, state.day


def enemies_of(state: CampaignState, faction_id: str) -> list[str]:
    """Return the factions somebody is at war with."""
    return [other.id for other in state.others(faction_id) if state.are_at_war(faction_id, other.id)]


def note_attack(state: CampaignState, attacker: str, defender: str, *, is_convoy: bool, cause: int | None) -> None:
    """Weigh an attack on ships; below hostility it means war."""
    change_disposition(state, attacker, defender, -0.35 if is_convoy else -0.20)
    if state.relation(attacker, defender).disposition <= HOSTILE and not state.are_at_war(attacker, defender):
        enter_war(state, attacker, defender, cause=cause)


def vengeance_for(state: CampaignState, victim: str, culprit: str, cost_lost: float) -> None:
    """Remember ships that were lost to somebody."""
    faction = state.faction(victim)
    faction.vengeance[culprit] = faction.vengeance.get(culprit, 0.0) + 20.0 * (cost_lost / 1000.0)


def vengeance_of(state: CampaignState, victim: str, culprit: str) -> float:
    """Return the points somebody has against somebody."""
    return state.faction(victim).vengeance.get(culprit, 0.0)
