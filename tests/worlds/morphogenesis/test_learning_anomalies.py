"""What is taken for wrong in an update, rule by rule."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from diorama.contracts.rounds import CollapseRule
from diorama.contracts.updates import HeadUpdate, MemoryUpdate, Spread, UpdateDetails
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES
from diorama.worlds.morphogenesis.engine.round_end import RoundEnd
from diorama.worlds.morphogenesis.learning.anomalies import UpdateWatch
from diorama.worlds.morphogenesis.learning.metrics import ppo_metrics

EVEN = Spread(
    mean=1.0,
    std=0.1,
    low=0.9,
    high=1.1,
    skewness=0.0,
    kurtosis=0.0,
    p10=0.9,
    p50=1.0,
    p90=1.1,
    positive_share=1.0,
)
HALF = MemoryUpdate(l2_total=1.0, rms=0.5, row_rms_mean=0.5, row_rms_max=0.6, largest=1.0, has_nan=False, has_inf=False)
WELL = UpdateDetails(
    update=20,
    env_steps_total=6400,
    loss_policy=0.0,
    loss_value=0.5,
    loss_auxiliary=0.0,
    entropy=0.9,
    entropy_coefficient=0.05,
    entropy_bonus=0.1,
    learning_rate=3e-4,
    grad_norm=1.0,
    clipped_grad_norm=1.0,
    value_grad_norm=0.5,
    approx_kl=0.0,
    clip_share=0.0,
    clipped_up=0.0,
    clipped_down=0.0,
    explained_variance=0.5,
    value_correlation=0.9,
    value_unit=1.0,
    td_error=EVEN,
    values=EVEN,
    returns=EVEN,
    advantages=EVEN,
    advantage_std_floor=0.1,
    ratios=EVEN,
    joint_ratio_max=1.1,
    log_prob_min=-2.0,
    log_prob_max=-0.1,
    heads=tuple(
        HeadUpdate(name=name, entropy=0.9, learnable_share=0.5, grad_norm=0.1, ratio_max=1.1, clip_share=0.0)
        for name in HEAD_NAMES
    ),
    layers={"first": 0.5, "second": 0.5},
    memory=(HALF, HALF),
    learned_memory=(HALF, HALF),
    forced_share=0.2,
    free_decisions=256,
    failures=0,
    epochs_done=1,
    epochs_asked=1,
    skipped_passes=0,
    seconds=0.1,
)
ENDED = RoundEnd(round_index=20, epochs=40, episodes=())


def seen(watch: UpdateWatch, details: UpdateDetails) -> list[tuple[str, str]]:
    found = watch.look(details, ppo_metrics(details, ENDED), total_episodes=800, episodes=160)
    return [(kind.name, payload.detail) for kind, payload in found]


def watch(rule: CollapseRule = CollapseRule.ROBUST) -> UpdateWatch:
    return UpdateWatch(rule=rule, rounds=100, usual_norm=1.0)


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        pytest.param(lambda it: it, [], id="well"),
        pytest.param(lambda it: replace(it, loss_value=6.0), ["VALUE_COLLAPSE_DETECTED"], id="value"),
        pytest.param(lambda it: replace(it, loss_value=6.0, update=1), [], id="value-too-early"),
        pytest.param(
            lambda it: replace(it, ratios=replace(EVEN, low=0.05, high=6.0)),
            ["RATIO_EXPLOSION_DETECTED", "RATIO_COLLAPSE_DETECTED"],
            id="ratios",
        ),
        pytest.param(
            lambda it: replace(it, memory=(replace(HALF, rms=11.0), HALF)),
            ["NUMERICAL_INSTABILITY_DETECTED"],
            id="memory",
        ),
        pytest.param(lambda it: replace(it, grad_norm=1.6), ["GRADIENT_ANOMALY"], id="drift"),
        pytest.param(
            lambda it: replace(it, layers={"first": 11.0, "second": 0.5}), ["GRADIENT_PATHOLOGY_DETECTED"], id="layer"
        ),
    ],
)
def test_each_rule_finds_its_own_trouble(change: Callable[[UpdateDetails], UpdateDetails], kinds: list[str]) -> None:
    assert [kind for kind, _ in seen(watch(), change(WELL))] == kinds


@pytest.mark.parametrize(("update", "explained", "is_found"), [(4, -0.4, False), (20, -0.3, True), (80, 0.05, True)])
def test_the_other_rule_asks_for_more_the_longer_a_run_lasts(update: int, explained: float, is_found: bool) -> None:
    details = replace(WELL, update=update, explained_variance=explained)

    found = seen(watch(CollapseRule.EXPLAINED_VARIANCE), details)

    assert ("VALUE_COLLAPSE_DETECTED" in [kind for kind, _ in found]) is is_found


def test_a_head_collapses_after_three_rounds_and_is_told_once() -> None:
    quiet = replace(WELL, heads=tuple(replace(head, entropy=0.06) for head in WELL.heads if head.name == "op"))
    kept = watch()

    first = [seen(kept, quiet) for _ in range(2)]
    resumed = watch()
    resumed.load(kept.state())

    assert first == [[], []]
    assert seen(resumed, quiet) == [("GRADIENT_PATHOLOGY_DETECTED", "entropy_collapse:op")]
    assert seen(resumed, quiet) == []
    assert seen(resumed, WELL) == []
    assert resumed.collapsing == {}
