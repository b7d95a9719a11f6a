"""The action table: what each of the 69 actions needs and does, in index order."""

from typing import Final, Protocol

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import (
    MAX_ASTEROIDS,
    MAX_NEIGHBORS,
    N_COMMODITIES,
    SELL_PERCENTS,
    Act,
)
from diorama.worlds.prospector.reference.constants import (
    DEEP_SCAN,
    FOCUSED_SCAN,
    FUEL_LARGE,
    FUEL_MED,
    FUEL_SMALL,
    MINE_AGGRESSIVE,
    MINE_CONSERVATIVE,
    MINE_STANDARD,
    WIDE_SCAN,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.systems.docking import CashOut, Dock
from diorama.worlds.prospector.reference.systems.drifting import EmergencyBurn, HoldDrift
from diorama.worlds.prospector.reference.systems.heat import Cooldown
from diorama.worlds.prospector.reference.systems.jettison import Jettison
from diorama.worlds.prospector.reference.systems.listening import Listen
from diorama.worlds.prospector.reference.systems.mining import Mine
from diorama.worlds.prospector.reference.systems.purchases import BuyDecoy, BuyFuel, BuyRepairKit, BuyStabilizer
from diorama.worlds.prospector.reference.systems.refining import Refine
from diorama.worlds.prospector.reference.systems.repairs import MaintainTool, Overhaul, PatchHull
from diorama.worlds.prospector.reference.systems.scanning import ScanAll, ScanSelected
from diorama.worlds.prospector.reference.systems.selecting import Select, Stabilize
from diorama.worlds.prospector.reference.systems.selling import Sell
from diorama.worlds.prospector.reference.systems.travel import Travel
from diorama.worlds.prospector.reference.turn import Turn


class ActionRule(Protocol):
    """One row of the table."""

    def is_possible(self, state: State) -> bool:
        """Whether the ship has what the action needs and the action could change anything."""

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Do what the action does at once, and set how many ticks it takes."""


ACTION_TABLE: Final[tuple[ActionRule, ...]] = (
    *(Travel(slot) for slot in range(MAX_NEIGHBORS)),
    HoldDrift(),
    EmergencyBurn(),
    ScanAll(WIDE_SCAN),
    ScanSelected(FOCUSED_SCAN),
    ScanSelected(DEEP_SCAN),
    Listen(),
    *(Select(slot) for slot in range(MAX_ASTEROIDS)),
    Mine(MINE_CONSERVATIVE),
    Mine(MINE_STANDARD),
    Mine(MINE_AGGRESSIVE),
    Stabilize(),
    Refine(),
    Cooldown(),
    MaintainTool(),
    PatchHull(),
    *(Jettison(commodity) for commodity in range(N_COMMODITIES)),
    Dock(),
    *(Sell(commodity, percent / 100) for commodity in range(N_COMMODITIES) for percent in SELL_PERCENTS),
    BuyFuel(FUEL_SMALL),
    BuyFuel(FUEL_MED),
    BuyFuel(FUEL_LARGE),
    BuyRepairKit(),
    BuyStabilizer(),
    BuyDecoy(),
    Overhaul(),
    CashOut(),
)


def is_valid(state: State, action: int) -> bool:
    """Whether an action can be executed now; numbers that name no action cannot."""
    return 0 <= action < len(ACTION_TABLE) and ACTION_TABLE[action].is_possible(state)


def effective_action(state: State, received: int) -> int:
    """Return the action to execute: the one received if it is valid, else holding."""
    return received if is_valid(state, received) else Act.HOLD_DRIFT


def action_mask(state: State) -> list[bool]:
    """Return which actions are valid now, by the same preconditions that a step applies."""
    return [rule.is_possible(state) for rule in ACTION_TABLE]
