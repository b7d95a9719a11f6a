"""How policies are judged in `townlet`."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better
from diorama.worlds.townlet.config.simulation import TownletConfig


def _without_curiosity(config: TownletConfig) -> Mapping[str, object]:
    """Curiosity is a means of learning: nobody is judged by it."""
    is_paid = config.features.training.curiosity == "phase_A"
    return {"curiosity": {"phase_A_weight": 0.0}} if is_paid else {}


EVALUATION: Final = EvaluationProtocol(
    matrix_seeds=(7, 19, 31),
    episodes=5,
    max_decisions=100_000,
    return_profiles=(("town", _without_curiosity),),
    summaries=(
        "self_sufficiency_mean",
        "starvation_incidents_mean",
        "attendance_mean",
        "lateness_mean",
        "relationship_coverage_mean",
        "conflict_escalation_mean",
        "option_thrash_mean",
        "exits_per_day_mean",
        "lived_days_mean",
        "mean_need_mean",
        "wallet_mean",
        "wages_earned_mean",
    ),
    interval_summaries=("return_town_mean", "self_sufficiency_mean", "attendance_mean", "lived_days_mean"),
    comparisons=(
        Comparison(summary="return_town_mean", better=Better.HIGHER),
        Comparison(summary="self_sufficiency_mean", better=Better.HIGHER),
        Comparison(summary="attendance_mean", better=Better.HIGHER),
        Comparison(summary="lived_days_mean", better=Better.HIGHER),
        Comparison(summary="option_thrash_mean", better=Better.LOWER),
    ),
    expectations=(
        Expectation(title="earns as much as scripted", summary="return_town_mean", baseline="scripted"),
        Expectation(
            title="keeps the town as well as scripted and within its targets",
            summary="self_sufficiency_mean",
            baseline="scripted",
            at_least={"self_sufficiency_mean": 0.7, "attendance_mean": 0.7},
        ),
        Expectation(
            title="earns more than random_valid", summary="return_town_mean", baseline="random_valid", strictly=True
        ),
        Expectation(title="earns more than idle", summary="return_town_mean", baseline="idle", strictly=True),
    ),
)
