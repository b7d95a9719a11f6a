"""Tidebreak: naval combat over three depth layers, with a campaign around it; `README.md` beside this tells more."""

from typing import Final

from diorama.contracts.world import World
from diorama.worlds.entries import ENTRIES
from diorama.worlds.tidebreak.bots import BOTS
from diorama.worlds.tidebreak.bots.companion import companion
from diorama.worlds.tidebreak.campaigns import CAMPAIGNS
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.contract import VARIANTS, WORLD_ID, describe
from diorama.worlds.tidebreak.evaluation import EVALUATION
from diorama.worlds.tidebreak.explanations import explain_mask
from diorama.worlds.tidebreak.fast import BATCHED_BOTS, accelerate
from diorama.worlds.tidebreak.matches import CURRICULUM, MATCHES, SUITE
from diorama.worlds.tidebreak.parity import PARITY
from diorama.worlds.tidebreak.picture import draw
from diorama.worlds.tidebreak.reference.simulation import TidebreakSimulation
from diorama.worlds.tidebreak.render.side_view import seen_by
from diorama.worlds.tidebreak.reward_terms import REWARD_TERMS

WORLD: Final = World(
    id=WORLD_ID,
    summary=ENTRIES[WORLD_ID].summary,
    config_type=TidebreakConfig,
    variants=VARIANTS,
    describe=describe,
    simulate=TidebreakSimulation,
    accelerate=accelerate,
    bots=BOTS,
    batched_bots=BATCHED_BOTS,
    companion=companion,
    parity=PARITY,
    evaluation=EVALUATION,
    draw=draw,
    seen_by=seen_by,
    explain_mask=explain_mask,
    reward_terms=REWARD_TERMS,
    matches=MATCHES,
    curriculum=CURRICULUM,
    suite=SUITE,
    campaigns=CAMPAIGNS,
)
