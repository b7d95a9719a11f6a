"""What a bot does today: the first possible action of its strongest goal that it can pay."""

from collections.abc import Callable
from typing import Final

from diorama.worlds.tidebreak.campaign.bots.foreign import act_diplomatically
from diorama.worlds.tidebreak.campaign.bots.invasions import launch_invasion, prepare_war
from diorama.worlds.tidebreak.campaign.bots.mission_planning import order_mission
from diorama.worlds.tidebreak.campaign.bots.strengthening import invest, reinforce
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.covert import act_covertly
from diorama.worlds.tidebreak.campaign.kinds import ActionKind
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Goal

_Action = Callable[[CampaignState, Faction, Goal, bool], bool]
"""Carries an action out if it is possible and the last argument says so; returns whether it is possible."""


def act_by_bot(state: CampaignState, faction: Faction) -> None:
    """Do one thing for a goal and pay for it, or save points for what is too dear today."""
    for goal in faction.goals:
        for kind in tables().politics.goals[goal.kind]:
            row = tables().actions[kind]
            if state.day < row.grace_day:
                continue
            can_pay = faction.action_points >= row.cost
            if kind is ActionKind.LAUNCH_INVASION and can_pay and prepare_war(state, faction, goal):
                return
            if _ACTIONS[kind](state, faction, goal, can_pay):
                # What is possible and too dear is saved for; otherwise cheap actions would eat up every invasion.
                if can_pay:
                    faction.action_points -= row.cost
                return


_ACTIONS: Final[dict[ActionKind, _Action]] = {
    ActionKind.LAUNCH_INVASION: launch_invasion,
    ActionKind.REINFORCE: reinforce,
    ActionKind.DIPLOMACY: act_diplomatically,
    ActionKind.MISSION: order_mission,
    ActionKind.INVEST: invest,
    ActionKind.COVERT: act_covertly,
}
