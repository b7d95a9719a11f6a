from dataclasses import replace

import pytest

from diorama.worlds.morphogenesis.contracts.alpha import AlphaMode
from diorama.worlds.morphogenesis.contracts.gates import GateLevel, GateResult
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.timings import QUICK_TIMINGS
from diorama.worlds.morphogenesis.hosting.gates import evaluate_gate
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, gradient_ratio, read_gradients, smooth_ratio
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from tests.worlds.morphogenesis.beds import HEALTHY, Plot, seed_in


def good_seed(stage: SeedStage, reading: GradientReading = HEALTHY) -> SeedState:
    """A seed that passes every strict check of the gate out of its stage."""
    state = seed_in(stage)
    state.metrics.epochs_in_current_stage = 4
    state.metrics.improvement_since_stage_start = 2.5
    state.metrics.counterfactual_contribution = 5.0
    state.alpha.settle(1.0)
    state.record_gradients(reading, epoch=1, max_epochs=40)
    return state


def ask(gate: GateLevel, state: SeedState, *, permissive: bool = False) -> GateResult:
    return evaluate_gate(gate, state, QUICK_TIMINGS, permissive=permissive)


@pytest.mark.parametrize(
    ("gate", "stage", "score", "labels"),
    [
        (GateLevel.G0, SeedStage.DORMANT, 1.0, ["seed_id_present", "blueprint_id_present"]),
        (GateLevel.G1, SeedStage.GERMINATED, 1.0, ["germinated"]),
        (
            GateLevel.G2,
            SeedStage.TRAINING,
            0.5,
            [
                "trained_4_epochs",
                "no_exploding_gradients",
                "gradient_health_1.00",
                "improvement_2.50",
                "seed_gradient_active_1.00",
            ],
        ),
        (GateLevel.G3, SeedStage.BLENDING, 1.0, ["alpha_target_full", "alpha_target_reached", "blended_4_epochs"]),
        (
            GateLevel.G5,
            SeedStage.HOLDING,
            0.5,
            ["counterfactual_available_5.00", "sufficient_contribution_5.00", "healthy"],
        ),
    ],
)
def test_a_good_seed_passes(gate: GateLevel, stage: SeedStage, score: float, labels: list[str]) -> None:
    result = ask(gate, good_seed(stage))

    assert result == GateResult(gate=gate, passed=True, score=score, checks_passed=labels)


def _g2(**changes: object) -> SeedState:
    return good_seed(SeedStage.TRAINING, replace(HEALTHY, **changes))  # type: ignore[arg-type]


def _changed(stage: SeedStage, **metrics: object) -> SeedState:
    state = good_seed(stage)
    for name, value in metrics.items():
        setattr(state.metrics, name, value)
    return state


def _alpha(alpha: float, target: float, mode: AlphaMode) -> SeedState:
    state = good_seed(SeedStage.BLENDING)
    state.alpha.alpha, state.alpha.alpha_target, state.alpha.alpha_mode = alpha, target, mode
    return state


@pytest.mark.parametrize(
    ("gate", "state", "label", "strict_only"),
    [
        (GateLevel.G1, good_seed(SeedStage.TRAINING), "not_germinated", False),
        (
            GateLevel.G2,
            _changed(SeedStage.TRAINING, epochs_in_current_stage=3),
            "insufficient_training_3_of_4",
            False,
        ),
        (GateLevel.G2, _g2(gradient_health=None), "gradient_health_not_measured", False),
        (GateLevel.G2, _g2(has_exploding=True), "exploding_gradients", False),
        (GateLevel.G2, _g2(gradient_health=0.69), "gradient_health_low_0.69", False),
        (
            GateLevel.G2,
            _changed(SeedStage.TRAINING, improvement_since_stage_start=0.49),
            "improvement_insufficient_0.49",
            True,
        ),
        (GateLevel.G2, _g2(gradient_ratio=0.09), "seed_gradient_low_0.09", True),
        (GateLevel.G2, _g2(gradient_ratio=None), "seed_gradient_low_unmeasured", True),
        (GateLevel.G3, _alpha(0.7, 0.7, AlphaMode.HOLD), "alpha_target_not_full_0.70", False),
        (GateLevel.G3, _alpha(0.9, 1.0, AlphaMode.HOLD), "alpha_not_at_target", False),
        (GateLevel.G3, _alpha(1.0, 1.0, AlphaMode.UP), "alpha_not_at_target", False),
        (
            GateLevel.G3,
            _changed(SeedStage.BLENDING, epochs_in_current_stage=3),
            "insufficient_blending_3_of_4",
            True,
        ),
        (
            GateLevel.G5,
            _changed(SeedStage.HOLDING, counterfactual_contribution=None),
            "counterfactual_not_available",
            False,
        ),
        (
            GateLevel.G5,
            _changed(SeedStage.HOLDING, counterfactual_contribution=0.99),
            "insufficient_contribution_0.99",
            True,
        ),
        (
            GateLevel.G5,
            good_seed(SeedStage.HOLDING, replace(HEALTHY, parameters_finite=False)),
            "unhealthy",
            False,
        ),
    ],
)
def test_each_check_fails_alone(gate: GateLevel, state: SeedState, label: str, strict_only: bool) -> None:
    assert ask(gate, state).checks_failed == [label]
    assert ask(gate, state, permissive=True).checks_failed == ([] if strict_only else [label])


def test_a_gate_asked_for_a_mask_says_nothing_to_the_listener() -> None:
    plot = Plot().grown_to(SeedStage.HOLDING)
    told = len(plot.told)

    assert plot.growth.slot("r0c0").check(GateLevel.G5).passed
    assert plot.growth.slot("r0c0").check(GateLevel.G3).checks_failed == ["no_valid_transition"]
    assert plot.growth.slot("r0c1").check(GateLevel.G5).checks_failed == ["no_active_seed"]
    assert len(plot.told) == told


@pytest.mark.parametrize(
    ("norms", "health", "vanishing", "exploding"),
    [
        pytest.param([1.0, 1.0], 1.0, False, False, id="healthy"),
        pytest.param([1.0, 1e-8], 0.75, True, False, id="half-vanishing"),
        pytest.param([1.0, 1.0, 1.0, 11.0], 0.8, False, True, id="a-quarter-exploding"),
        pytest.param([float("inf"), 1.0], 0.0, False, True, id="infinite"),
        pytest.param([float("nan"), 1.0], 0.0, False, True, id="not-a-number"),
    ],
)
def test_health_is_read_from_the_norms(norms: list[float], health: float, vanishing: bool, exploding: bool) -> None:
    reading = read_gradients(norms, seed_params=4, host_norm=1.0, host_params=4, parameters_finite=True)

    assert reading.gradient_health == pytest.approx(health)
    assert (reading.has_vanishing, reading.has_exploding) == (vanishing, exploding)


def test_without_gradients_nothing_is_measured() -> None:
    reading = read_gradients([], seed_params=4, host_norm=1.0, host_params=4, parameters_finite=True)

    assert (reading.gradient_norm, reading.gradient_health, reading.has_exploding) == (None, None, None)


def test_the_gradient_ratio_is_per_parameter_bounded_and_smoothed() -> None:
    assert gradient_ratio(2.0, 4, 1.0, 16) == pytest.approx(4.0)
    assert gradient_ratio(1e3, 1, 1.0, 1) == 10.0
    assert gradient_ratio(1e-9, 1, 1.0, 1) == 0.0
    assert smooth_ratio(None, 2.0) == 2.0
    assert smooth_ratio(2.0, 1.0) == pytest.approx(1.9)
    assert smooth_ratio(2.0, None) == 2.0
