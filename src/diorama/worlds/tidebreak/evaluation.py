"""How policies are judged in `tidebreak`."""

from typing import Final

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better

EVALUATION: Final = EvaluationProtocol(
    matrix_seeds=(7, 19, 31),
    episodes=50,
    max_decisions=7_200,
    return_profiles=(("duel", {"reward": "duel"}),),
    summaries=(
        "win_mean",
        "survival_rate",
        "cost_margin_mean",
        "damage_dealt_mean",
        "damage_taken_mean",
        "kills_mean",
        "shots_mean",
        "hits_mean",
        "contacts_held_mean",
        "invalid_actions_mean",
        "battle_ticks_mean",
    ),
    interval_summaries=("win_mean", "cost_margin_mean"),
    comparisons=(
        Comparison(summary="win_mean", better=Better.HIGHER),
        Comparison(summary="cost_margin_mean", better=Better.HIGHER),
        Comparison(summary="survival_rate", better=Better.HIGHER),
        Comparison(summary="damage_taken_mean", better=Better.LOWER),
    ),
    expectations=(
        Expectation(title="wins as often as aggressor", summary="win_mean", baseline="aggressor"),
        Expectation(title="keeps as much as kiter", summary="cost_margin_mean", baseline="kiter"),
        Expectation(title="wins more often than drifter", summary="win_mean", baseline="drifter", strictly=True),
        Expectation(title="wins more often than idle", summary="win_mean", baseline="idle", strictly=True),
    ),
)
