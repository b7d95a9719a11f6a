"""How policies are judged in `prospector`."""

from typing import Final

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better

EVALUATION: Final = EvaluationProtocol(
    matrix_seeds=(7, 19, 31),
    episodes=100,
    max_decisions=30_000,
    return_profiles=(("v1", {"reward_profile": "v1"}), ("v2", {"reward_profile": "v2"})),
    summaries=(
        "net_profit_mean",
        "net_profit_median",
        "survival_rate",
        "profit_per_tick_mean",
        "overheat_ticks_mean",
        "pirate_encounters_mean",
        "value_lost_to_pirates_mean",
        "scan_count_mean",
        "mining_ticks_mean",
    ),
    interval_summaries=("net_profit_mean", "survival_rate"),
    comparisons=(
        Comparison(summary="net_profit_mean", better=Better.HIGHER),
        Comparison(summary="survival_rate", better=Better.HIGHER),
        Comparison(summary="profit_per_tick_mean", better=Better.HIGHER),
        Comparison(summary="overheat_ticks_mean", better=Better.LOWER),
        Comparison(summary="pirate_encounters_mean", better=Better.LOWER),
    ),
    expectations=(
        Expectation(title="earns as much as greedy_miner", summary="net_profit_mean", baseline="greedy_miner"),
        Expectation(
            title="survives as often as cautious_scanner", summary="survival_rate", baseline="cautious_scanner"
        ),
        Expectation(title="earns as fast as market_timer", summary="profit_per_tick_mean", baseline="market_timer"),
        Expectation(
            title="earns more than random_valid", summary="net_profit_mean", baseline="random_valid", strictly=True
        ),
        Expectation(title="earns more than cash_out", summary="net_profit_mean", baseline="cash_out", strictly=True),
        Expectation(
            title="earns as much as prudent_hauler and survives 95% of its episodes",
            summary="net_profit_mean",
            baseline="prudent_hauler",
            at_least={"survival_rate": 0.95},
        ),
    ),
)
