"""How policies are judged in `gameboy`."""

from typing import Final

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better

EVALUATION: Final = EvaluationProtocol(
    matrix_seeds=(7, 19, 31),
    episodes=100,
    max_decisions=30_000,
    return_profiles=(),
    summaries=("success_rate", "final_distance_mean", "final_distance_median", "episode_steps_mean", "trapped_mean"),
    interval_summaries=("success_rate", "final_distance_mean"),
    comparisons=(
        Comparison(summary="success_rate", better=Better.HIGHER),
        Comparison(summary="final_distance_mean", better=Better.LOWER),
        Comparison(summary="episode_steps_mean", better=Better.LOWER),
    ),
    expectations=(
        Expectation(title="succeeds more often than random", summary="success_rate", baseline="random", strictly=True),
    ),
)
