"""A day of every faction: what it strives for, and what its bot does about it."""

from diorama.worlds.tidebreak.campaign.bots.choices import act_by_bot
from diorama.worlds.tidebreak.campaign.diplomacy.goals import earn_points, set_goals
from diorama.worlds.tidebreak.campaign.state import CampaignState


def pursue_goals(state: CampaignState) -> None:
    """Let every faction earn points and set its goals; a bot acts at once, so that those after it see what it did."""
    for faction in state.standing:
        earn_points(state, faction)
        set_goals(state, faction)
        if state.is_run_by_bot(faction.id):
            act_by_bot(state, faction)
