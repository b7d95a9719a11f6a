"""Gameboy: thousands of monochrome Game Boys at once, exact on every device. `README.md` beside this tells how."""

from typing import Final

from diorama.contracts.world import World
from diorama.worlds.entries import ENTRIES
from diorama.worlds.gameboy.bots import BOTS
from diorama.worlds.gameboy.bots.companion import companion
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.console import CONSOLES
from diorama.worlds.gameboy.contract import VARIANTS, WORLD_ID, describe
from diorama.worlds.gameboy.cost import cost_of
from diorama.worlds.gameboy.evaluation import EVALUATION
from diorama.worlds.gameboy.fast import accelerate, reside
from diorama.worlds.gameboy.parity import PARITY
from diorama.worlds.gameboy.picture import draw
from diorama.worlds.gameboy.simulation import GameboySimulation

WORLD: Final = World(
    id=WORLD_ID,
    summary=ENTRIES[WORLD_ID].summary,
    config_type=GameboyConfig,
    variants=VARIANTS,
    describe=describe,
    simulate=GameboySimulation,
    accelerate=accelerate,
    reside=reside,
    bots=BOTS,
    companion=companion,
    parity=PARITY,
    evaluation=EVALUATION,
    draw=draw,
    cost=cost_of,
    consoles=CONSOLES,
)
