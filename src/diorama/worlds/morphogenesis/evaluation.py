"""How policies learn and are judged in `morphogenesis`."""

from typing import Final

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation, TrainingNeeds
from diorama.contracts.spec import Better
from diorama.worlds.morphogenesis.config import MorphogenesisConfig

EVALUATION: Final = EvaluationProtocol(
    matrix_seeds=(7, 19, 31),
    episodes=2,
    max_decisions=1_000,
    return_profiles=(),
    summaries=(
        "final_accuracy_mean",
        "gain_over_control_mean",
        "param_ratio_mean",
        "num_contributing_fossilized_mean",
        "rollbacks_mean",
    ),
    interval_summaries=("final_accuracy_mean", "gain_over_control_mean"),
    comparisons=(
        Comparison(summary="final_accuracy_mean", better=Better.HIGHER),
        Comparison(summary="gain_over_control_mean", better=Better.HIGHER),
        Comparison(summary="param_ratio_mean", better=Better.LOWER),
    ),
    expectations=(
        Expectation(
            title="ends better than a host left alone", summary="final_accuracy_mean", baseline="wait", strictly=True
        ),
    ),
)


def training_needs(config: MorphogenesisConfig) -> TrainingNeeds:
    """Return what a trainer must keep to: rounds as rollouts, and the discount under which the shaping telescopes."""
    return TrainingNeeds(rollout_steps=config.episode_epochs, gamma=config.gamma, one_lane=True, on_device=True)
