"""Treaties: who would sign what, and what a signature does."""

from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.wars import end_war, vengeance_of
from diorama.worlds.tidebreak.campaign.economy.needs import faction_need
from diorama.worlds.tidebreak.campaign.economy.trade import OPENS_TRADE, open_route
from diorama.worlds.tidebreak.campaign.fleets.strength import faction_strength
from diorama.worlds.tidebreak.campaign.kinds import GoalKind, TreatyKind
from diorama.worlds.tidebreak.campaign.state import CampaignState, Offer, Treaty
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

OFFER_DAYS: Final = 10
_WINNING: Final = 0.4
_WEARINESS: Final = 0.005  # a day of war
_SUBMITS_AT: Final = -0.5
_WINNING_FROM: Final = 0.6  # of both strengths together


def willingness(state: CampaignState, acceptor: str, proposer: str) -> float:
    """How ready a faction is to sign anything with another."""
    disposition = state.relation(acceptor, proposer).disposition
    need = faction_need(state, acceptor)
    alliance = state.faction(acceptor).creed.alliance
    return disposition + 0.3 * need + 0.2 * alliance - 0.3 * vengeance_of(state, acceptor, proposer) / 20.0


def demanded(state: CampaignState, acceptor: str, proposer: str, kind: TreatyKind) -> float:
    """Willingness a treaty takes; long wars make a ceasefire cheaper, and who fights for survival submits."""
    threshold = tables().treaties[kind].accepts_at
    if kind is TreatyKind.CEASEFIRE:
        threshold += _WINNING * float(is_winning(state, acceptor, proposer))
        return threshold - _WEARINESS * (state.day - state.relation(acceptor, proposer).since_day)
    goals = state.faction(acceptor).goals
    if kind is TreatyKind.VASSALAGE and any(goal.kind is GoalKind.SURVIVE for goal in goals):
        return _SUBMITS_AT
    return threshold


def would_accept(state: CampaignState, acceptor: str, proposer: str, kind: TreatyKind) -> bool:
    """Whether a bot signs."""
    return willingness(state, acceptor, proposer) >= demanded(state, acceptor, proposer, kind)


def can_offer(state: CampaignState, proposer: str, acceptor: str, kind: TreatyKind) -> bool:
    """Whether a treaty makes sense between two factions today."""
    if state.day < tables().treaties[kind].grace_day or state.has_treaty(proposer, acceptor, kind):
        return False
    if any((offer.by, offer.to, offer.kind) == (proposer, acceptor, kind) for offer in state.offers):
        return False
    if kind is TreatyKind.VASSALAGE:
        return True
    return state.are_at_war(proposer, acceptor) == (kind is TreatyKind.CEASEFIRE)


def offer_treaty(state: CampaignState, proposer: str, acceptor: str, kind: TreatyKind, *, cause: int | None) -> bool:
    """Offer a treaty; bots answer at once, the player is asked. Returns whether it was signed."""
    if not can_offer(state, proposer, acceptor, kind):
        return False
    words = kind.lower().replace("_", " ")
    text = f"the {state.faction(proposer).name} offers the {state.faction(acceptor).name} a treaty: {words}"
    news = report(state, "diplomacy", text, factions=[proposer, acceptor], cause=cause)
    if not state.is_run_by_bot(acceptor):
        number = state.next_number("offer")
        expires = state.day + OFFER_DAYS
        state.offers.append(Offer(number=number, kind=kind, by=proposer, to=acceptor, expires_day=expires, news=news))
        return False
    if not would_accept(state, acceptor, proposer, kind):
        text = f"the {state.faction(acceptor).name} declines ({words})"
        report(state, "diplomacy", text, factions=[proposer, acceptor], cause=news)
        return False
    sign(state, proposer, acceptor, kind, cause=news)
    return True


def sign(state: CampaignState, first: str, second: str, kind: TreatyKind, *, cause: int | None) -> None:
    """Put a treaty into force."""
    words = kind.lower().replace("_", " ")
    text = f"the {state.faction(first).name} and the {state.faction(second).name} sign a treaty: {words}"
    news = report(state, "treaty", text, factions=[first, second], cause=cause)
    lasts = tables().treaties[kind].lasts
    state.treaties.append(
        Treaty(
            number=state.next_number("treaty"),
            kind=kind,
            a=first,
            b=second,
            signed_day=state.day,
            end_day=None if lasts is None else state.day + lasts,
            news=news,
        )
    )
    if kind in (TreatyKind.CEASEFIRE, TreatyKind.VASSALAGE):
        end_war(state, first, second)
    if kind in OPENS_TRADE:
        state.embargoes = [e for e in state.embargoes if {e.by, e.against} != {first, second}]
        open_route(state, first, second, cause=news)


def expire_agreements(state: CampaignState) -> None:
    """End treaties whose time is over and offers nobody answered."""
    for treaty in state.treaties:
        if treaty.end_day is not None and state.day >= treaty.end_day:
            words = treaty.kind.lower().replace("_", " ")
            names = f"the {state.faction(treaty.a).name} and the {state.faction(treaty.b).name}"
            text = f"the treaty between {names} ends: {words}"
            report(state, "treaty", text, factions=[treaty.a, treaty.b], cause=treaty.news)
    state.treaties = [t for t in state.treaties if t.end_day is None or state.day < t.end_day]
    state.offers = [offer for offer in state.offers if state.day < offer.expires_day]


def is_winning(state: CampaignState, faction_id: str, other: str) -> bool:
    """Whether a faction has clearly more ships than another."""
    own, theirs = faction_strength(state, faction_id), faction_strength(state, other)
    return own + theirs > 0.0 and own / (own + theirs) >= _WINNING_FROM
