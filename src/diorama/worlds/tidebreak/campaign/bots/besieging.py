"""What bots do in a siege."""

from collections.abc import Iterator
from typing import Final

from diorama.worlds.tidebreak.campaign.kinds import SiegeAction
from diorama.worlds.tidebreak.campaign.sieges.actions import PURGE_SECURITY, act, legal_actions
from diorama.worlds.tidebreak.campaign.state import CampaignState, Siege

_STRONG: Final = 0.5


def take_siege_turns(state: CampaignState, siege: Siege) -> None:
    """Let the sides that are bots take their turns, the defender first."""
    for faction_id, wishes in (
        (siege.defender, _defender_wishes(state, siege)),
        (siege.attacker, _attacker_wishes(state, siege)),
    ):
        if not state.is_run_by_bot(faction_id) or siege not in state.sieges:
            continue
        legal = legal_actions(state, siege, faction_id)
        chosen = next((action for action in wishes if action in legal), None)
        if chosen is not None:
            act(state, siege, faction_id, chosen)


def _defender_wishes(state: CampaignState, siege: Siege) -> Iterator[SiegeAction]:
    hub = state.hub(siege.hub)
    if siege.control > 0.8:
        yield SiegeAction.SCUTTLE_SYSTEMS
    if hub.security > 4.0 * PURGE_SECURITY:
        yield SiegeAction.PURGE
    if hub.government.legitimacy < _STRONG:
        yield SiegeAction.PROPAGANDA
    yield SiegeAction.QUARANTINE


def _attacker_wishes(state: CampaignState, siege: Siege) -> Iterator[SiegeAction]:
    yield SiegeAction.REINFORCE
    hub = state.hub(siege.hub)
    if hub.info_integrity > 0.8:
        yield SiegeAction.ISOLATE
    yield SiegeAction.EXPAND
