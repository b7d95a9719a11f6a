"""One step: the order in which everything happens."""

from collections.abc import Callable
from typing import Final

from diorama.contracts.errors import EpisodeOver
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.actions import ACTION_TABLE, effective_action
from diorama.worlds.prospector.reference.constants import PRICE_BASE
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.systems.clock import count_ticks, spend_time, wear_off_buffs
from diorama.worlds.prospector.reference.systems.ending import settle_ending
from diorama.worlds.prospector.reference.systems.hazards import suffer_node_hazards
from diorama.worlds.prospector.reference.systems.heat import burn_overheated_hull, radiate_heat
from diorama.worlds.prospector.reference.systems.limits import keep_limits
from diorama.worlds.prospector.reference.systems.market import update_market
from diorama.worlds.prospector.reference.systems.pirates import watch_for_node_pirates
from diorama.worlds.prospector.reference.systems.tallies import tally_losses, tally_utilization
from diorama.worlds.prospector.reference.turn import Before, Turn

System = Callable[[State, ProspectorConfig, Turn], None]


def perform_action(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Do what the effective action does at once; it sets the length of the step."""
    ACTION_TABLE[turn.action].perform(state, config, turn)


STEP_ORDER: Final[tuple[System, ...]] = (
    perform_action,
    spend_time,
    radiate_heat,
    wear_off_buffs,  # before the pirates come: an escape buff can run out just before them
    burn_overheated_hull,  # before the hazards heat the ship: their heat counts from the next step on
    suffer_node_hazards,
    watch_for_node_pirates,
    update_market,
    keep_limits,
    tally_utilization,
    count_ticks,
    tally_losses,
    settle_ending,
)


def advance(state: State, config: ProspectorConfig, received: int) -> Turn:
    """Take one step. Reordering `STEP_ORDER` breaks every stored replay.

    Raises:
        EpisodeOver: When the episode has ended; the state is left alone.
    """
    if state.is_over:
        raise EpisodeOver(f"the episode of seed {state.seed} ended after {state.ticks} ticks; reset it first")
    turn = Turn(received=received, action=effective_action(state, received), before=_look(state))
    if turn.is_invalid:
        turn.events.record(Event.INVALID_ACTION, {"received": received})
    for system in STEP_ORDER:
        system(state, config, turn)
    return turn


def _look(state: State) -> Before:
    ship = state.ship
    return Before(
        credits=ship.credits,
        fuel=ship.fuel,
        hull=ship.hull,
        tool=ship.tool,
        cargo_value=state.cargo_value(state.market.price),
        cargo_base_value=state.cargo_value(PRICE_BASE),
        value_lost_to_pirates=state.counters.value_lost_to_pirates,
    )
