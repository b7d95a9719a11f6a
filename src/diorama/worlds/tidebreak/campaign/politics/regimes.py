"""Changes of government: reform, election, coup, revolution, conquest."""

from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.kinds import Bloc, GovernmentKind
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, InternalFaction
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

ELECTION_DAYS: Final = 120
_ANARCHY_DAYS: Final = 10
_REFORM_LEGITIMACY: Final = 0.55
_ELECTION_LEGITIMACY: Final = 0.6
_CONQUEST_LEGITIMACY: Final = 0.25


def government_words(kind: GovernmentKind) -> str:
    """Name a form of government for people."""
    return kind.lower().replace("_", " ")


def reform(state: CampaignState, hub: Hub, kind: GovernmentKind, cause: int) -> None:
    """Change the form of government in good order."""
    backers = [bloc for bloc, preferred in tables().politics.preferred.items() if preferred is kind]
    ruling = backers[0] if backers else largest_share(hub).kind
    text = f"{hub.name} reforms itself into a {government_words(kind)}"
    report(state, "government", text, factions=[hub.owner], node=hub.id, cause=cause)
    _install(state, hub, kind, _REFORM_LEGITIMACY, ruling)


def hold_election(state: CampaignState, hub: Hub) -> None:
    """Let the most and best satisfied voices take over."""
    winner = max(hub.blocs, key=lambda bloc: (bloc.share * bloc.satisfaction, -list(Bloc).index(bloc.kind)))
    government = hub.government
    government.next_election_day = state.day + ELECTION_DAYS
    topic = "election" if winner.kind is government.ruling else "government"
    verb = "keep" if winner.kind is government.ruling else "take"
    text = f"the {winner.kind.lower()} {verb} power at {hub.name} in an election"
    report(state, topic, text, factions=[hub.owner], node=hub.id)
    government.ruling = winner.kind
    government.legitimacy = _ELECTION_LEGITIMACY


def seize_power(
    state: CampaignState, hub: Hub, bloc: InternalFaction, *, how: str, legitimacy: float, cause: int | None
) -> None:
    """Overthrow a government; what follows comes after an interregnum."""
    government = hub.government
    government.successor = tables().politics.preferred[bloc.kind]
    government.successor_legitimacy = legitimacy
    government.successor_ruling = bloc.kind
    government.interregnum_until = state.day + _ANARCHY_DAYS
    government.kind = GovernmentKind.ANARCHY
    government.capital, government.low_days = 0.0, 0
    government.queue.clear()
    text = f"a {how} of the {bloc.kind.lower()} topples the government of {hub.name}"
    report(state, "government", text, factions=[hub.owner], node=hub.id, cause=cause)


def end_interregnum(state: CampaignState, hub: Hub) -> None:
    """Install who toppled the last government."""
    government = hub.government
    if government.successor is None or government.successor_ruling is None:
        return
    kind = government.successor
    text = f"{hub.name} is a {government_words(kind)} now"
    report(state, "government", text, factions=[hub.owner], node=hub.id)
    _install(state, hub, kind, government.successor_legitimacy, government.successor_ruling)
    government.successor = government.successor_ruling = None


def impose_rule(state: CampaignState, hub: Hub, kind: GovernmentKind) -> None:
    """Give a conquered hub the government of its conqueror."""
    _install(state, hub, kind, _CONQUEST_LEGITIMACY, largest_share(hub).kind)
    hub.government.successor = hub.government.successor_ruling = None


def largest_share(hub: Hub) -> InternalFaction:
    """Return the largest current of opinion, the first on a tie."""
    return max(hub.blocs, key=lambda bloc: (bloc.share, -list(Bloc).index(bloc.kind)))


def _install(state: CampaignState, hub: Hub, kind: GovernmentKind, legitimacy: float, ruling: Bloc) -> None:
    government = hub.government
    government.kind, government.legitimacy, government.ruling = kind, legitimacy, ruling
    government.capital = tables().governments[kind].capital_max / 2.0
    government.low_days = 0
    government.next_election_day = state.day + ELECTION_DAYS
    government.queue.clear()
    government.blocked.clear()
