"""Townlet: a few citizens live, work, queue and quarrel in a small town. `README.md` beside this tells the rules."""

from typing import Final

from diorama.contracts.world import World
from diorama.worlds.entries import ENTRIES
from diorama.worlds.townlet.bots import BOTS
from diorama.worlds.townlet.bots.companion import companion
from diorama.worlds.townlet.cast import CAST
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.contract import VARIANTS, WORLD_ID, describe
from diorama.worlds.townlet.course import COURSE
from diorama.worlds.townlet.evaluation import EVALUATION
from diorama.worlds.townlet.explanations import explain_mask
from diorama.worlds.townlet.fast import accelerate
from diorama.worlds.townlet.live.offer import LIVE
from diorama.worlds.townlet.milestones import OVERLAYS
from diorama.worlds.townlet.parity import PARITY
from diorama.worlds.townlet.picture import draw
from diorama.worlds.townlet.reference.simulation import TownletSimulation
from diorama.worlds.townlet.render.seen import seen_by
from diorama.worlds.townlet.telemetry import TELEMETRY

WORLD: Final = World(
    id=WORLD_ID,
    summary=ENTRIES[WORLD_ID].summary,
    config_type=TownletConfig,
    variants=VARIANTS,
    describe=describe,
    simulate=TownletSimulation,
    accelerate=accelerate,
    bots=BOTS,
    expert="scripted",
    companion=companion,
    cast=CAST,
    parity=PARITY,
    evaluation=EVALUATION,
    draw=draw,
    seen_by=seen_by,
    explain_mask=explain_mask,
    overlays=OVERLAYS,
    course=COURSE,
    telemetry=TELEMETRY,
    live=LIVE,
)
