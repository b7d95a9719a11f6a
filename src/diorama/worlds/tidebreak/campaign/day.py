"""The order of a day."""

from collections.abc import Callable
from typing import Final

from diorama.worlds.tidebreak.campaign.battles.encounters import find_encounters
from diorama.worlds.tidebreak.campaign.battles.fighting import Fight
from diorama.worlds.tidebreak.campaign.battles.round import fight_battles
from diorama.worlds.tidebreak.campaign.bots.captains import command_fleets
from diorama.worlds.tidebreak.campaign.bots.mission_planning import plan_missions
from diorama.worlds.tidebreak.campaign.bots.shipping import replan_routes
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import drift_attitudes
from diorama.worlds.tidebreak.campaign.diplomacy.pursuits import pursue_goals
from diorama.worlds.tidebreak.campaign.economy.consumption import consume
from diorama.worlds.tidebreak.campaign.economy.production import produce
from diorama.worlds.tidebreak.campaign.economy.routes import run_routes
from diorama.worlds.tidebreak.campaign.economy.transfers import share_within_factions
from diorama.worlds.tidebreak.campaign.fleets.missions import follow_missions, gather_invasions
from diorama.worlds.tidebreak.campaign.fleets.movement import move_fleets
from diorama.worlds.tidebreak.campaign.fleets.upkeep import sustain_fleets
from diorama.worlds.tidebreak.campaign.fleets.yards import work_yards
from diorama.worlds.tidebreak.campaign.map.weather import change_weather
from diorama.worlds.tidebreak.campaign.people import fill_posts
from diorama.worlds.tidebreak.campaign.politics.governance import apply_pressure, govern
from diorama.worlds.tidebreak.campaign.score import settle_day
from diorama.worlds.tidebreak.campaign.sieges.waging import wage_sieges
from diorama.worlds.tidebreak.campaign.state import CampaignState

Step = Callable[[CampaignState], None]

BEFORE_BATTLES: Final[tuple[Step, ...]] = (
    change_weather,
    produce,
    consume,
    share_within_factions,
    run_routes,
    apply_pressure,
    govern,
    replan_routes,
    pursue_goals,
    follow_missions,
    plan_missions,
    gather_invasions,
    command_fleets,  # after missions are assigned, so that a fleet sails the day it is sent
    work_yards,
    move_fleets,
    sustain_fleets,
    find_encounters,
)
AFTER_BATTLES: Final[tuple[Step, ...]] = (wage_sieges, drift_attitudes, fill_posts, settle_day)

MORNING: Final = 0
BATTLES: Final = 1


def play_day(state: CampaignState, fight: Fight) -> bool:
    """Play a day to its end, or to a battle of the player; returns whether it came to its end.

    Reordering the steps breaks every stored campaign.
    """
    if state.phase == MORNING:
        state.day += 1
        for step in BEFORE_BATTLES:
            step(state)
        state.phase = BATTLES
    if not fight_battles(state, fight):
        return False
    for step in AFTER_BATTLES:
        step(state)
    state.phase = MORNING
    state.fleet_orders = state.policy_orders = 0
    return True
