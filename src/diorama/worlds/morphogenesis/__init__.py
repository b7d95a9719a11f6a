"""Morphogenesis: a network grows modules while it trains. `README.md` beside this tells the rules."""

from typing import Final

from diorama.contracts.world import World
from diorama.worlds.entries import ENTRIES
from diorama.worlds.morphogenesis.bots import BOTS
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.console import COMMANDS
from diorama.worlds.morphogenesis.contract import VARIANTS, WORLD_ID, describe
from diorama.worlds.morphogenesis.cost import cost_of
from diorama.worlds.morphogenesis.evaluation import EVALUATION, training_needs
from diorama.worlds.morphogenesis.explanations import explain_mask
from diorama.worlds.morphogenesis.fast import accelerate, assemble, simulate, track_rounds
from diorama.worlds.morphogenesis.parity import PARITY
from diorama.worlds.morphogenesis.picture import draw

WORLD: Final = World(
    id=WORLD_ID,
    summary=ENTRIES[WORLD_ID].summary,
    config_type=MorphogenesisConfig,
    variants=VARIANTS,
    describe=describe,
    simulate=simulate,
    accelerate=accelerate,
    assemble=assemble,
    tolerance=1e-4,
    drift={"accuracy": 0.5, "control_accuracy": 0.5},
    bots=BOTS,
    expert="rules",
    parity=PARITY,
    evaluation=EVALUATION,
    training=training_needs,
    rounds=track_rounds,
    draw=draw,
    explain_mask=explain_mask,
    commands=COMMANDS,
    cost=cost_of,
)
