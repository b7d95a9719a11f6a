"""Orchard: one picker carries apples to the basket while they are ripe."""

from typing import Final

from diorama.contracts.errors import TierUnavailable
from diorama.contracts.plans import ActionSuite, Comparison, EvaluationProtocol, ParityPlan
from diorama.contracts.spec import Better
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.world import World
from orchard.bots import BOTS, RandomPicker
from orchard.contract import WORLD_ID, OrchardConfig, describe
from orchard.simulation import OrchardSimulation


def accelerate(config: OrchardConfig, request: CoreRequest) -> BatchCore:
    """Say that the readable tier is the only one."""
    raise TierUnavailable("orchard has no fast tier; its readable one runs instead")


WORLD: Final = World(
    id=WORLD_ID,
    summary="One picker carries apples to the basket while they are ripe.",
    config_type=OrchardConfig,
    describe=describe,
    simulate=OrchardSimulation,
    accelerate=accelerate,
    bots=BOTS,
    parity=ParityPlan(
        suites=(ActionSuite(name="random", summary="anything the mask allows", start=lambda _seed: RandomPicker()),),
        quick_suites=("random",),
        configs=(("default", {}),),
        seeds=3,
        steps=200,
    ),
    evaluation=EvaluationProtocol(
        matrix_seeds=(1, 2, 3),
        episodes=10,
        max_decisions=10_000,
        return_profiles=(("default", {}),),
        summaries=("delivered_mean",),
        interval_summaries=("delivered_mean",),
        comparisons=(Comparison(summary="delivered_mean", better=Better.HIGHER),),
        expectations=(),
    ),
)
