"""A campaign stopped at a battle of the player."""

from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.packages import BattleResult
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight


def pending(played: Campaign) -> BattleResult:
    """Stop a campaign at a battle of the player and fight it."""
    state = played.state
    declare_war(state, "dominion", "accord", cause=None)
    for name in ("fleet-1", "fleet-2", "fleet-3"):
        state.fleet(name).node = "narrows"
    while played.pending_battle is None:
        for fleet in state.fleets:
            if fleet.node is not None:
                fleet.node, fleet.path, fleet.mission = "narrows", [], None
        played.advance()
    return quick_fight(played.pending_battle.package, {})
