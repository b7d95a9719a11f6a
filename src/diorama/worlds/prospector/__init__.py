"""Prospector: one pilot mines, trades and survives in an asteroid belt. `README.md` beside this tells the rules."""

from typing import Final

from diorama.contracts.world import World
from diorama.worlds.entries import ENTRIES
from diorama.worlds.prospector.bots import BOTS
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import WORLD_ID, describe
from diorama.worlds.prospector.evaluation import EVALUATION
from diorama.worlds.prospector.explanations import explain_mask
from diorama.worlds.prospector.fast import BATCHED_BOTS, accelerate
from diorama.worlds.prospector.parity import PARITY
from diorama.worlds.prospector.picture import draw
from diorama.worlds.prospector.reference.simulation import ProspectorSimulation
from diorama.worlds.prospector.reward_terms import REWARD_TERMS

WORLD: Final = World(
    id=WORLD_ID,
    summary=ENTRIES[WORLD_ID].summary,
    config_type=ProspectorConfig,
    describe=describe,
    simulate=ProspectorSimulation,
    accelerate=accelerate,
    bots=BOTS,
    batched_bots=BATCHED_BOTS,
    parity=PARITY,
    evaluation=EVALUATION,
    draw=draw,
    explain_mask=explain_mask,
    reward_terms=REWARD_TERMS,
)
