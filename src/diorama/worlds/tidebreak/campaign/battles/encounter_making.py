"""Putting a battle on today's list."""

from diorama.worlds.tidebreak.campaign.kinds import EncounterKind
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Force


def new_encounter(
    state: CampaignState,
    kind: EncounterKind,
    node: str,
    *,
    attacker: Force,
    defender: Force,
    key: tuple[int, int],
    cause: int | None,
) -> Encounter:
    """Make an encounter, number it within the day and add it to the list.

    Args:
        state: The campaign.
        kind: How it comes about.
        node: Where.
        attacker: Who seeks it.
        defender: Who is met.
        key: The two numbers that key its draws.
        cause: News it follows from.
    """
    number = 1 + len(state.encounters) + sum(record.day == state.day for record in state.battles)
    encounter = Encounter(
        battle_id=f"c{state.campaign_id}-d{state.day}-{number}",
        number=number,
        kind=kind,
        node=node,
        attacker=attacker,
        defender=defender,
        key=key,
        cause=cause,
    )
    state.encounters.append(encounter)
    return encounter
