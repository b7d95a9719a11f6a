import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.alpha import AlphaCurve, AlphaMode
from diorama.worlds.morphogenesis.hosting.alpha_controller import AlphaController

CURVES = st.sampled_from(AlphaCurve)
SHARES = st.floats(0.0, 1.0)


def ramp(steps: int, curve: AlphaCurve, steepness: float) -> list[float]:
    controller = AlphaController()
    controller.retarget(1.0, steps, curve=curve, steepness=steepness)
    alphas = []
    for _ in range(steps):
        controller.step()
        alphas.append(controller.alpha)
    return alphas


@pytest.mark.parametrize(
    ("curve", "steepness", "alphas"),
    [
        pytest.param(AlphaCurve.LINEAR, 12.0, [0.2, 0.4, 0.6, 0.8, 1.0], id="linear"),
        pytest.param(AlphaCurve.COSINE, 12.0, [0.0955, 0.3455, 0.6545, 0.9045, 1.0], id="cosine"),
        pytest.param(AlphaCurve.SIGMOID, 6.0, [0.1043, 0.3391, 0.6609, 0.8957, 1.0], id="gentle"),
        pytest.param(AlphaCurve.SIGMOID, 12.0, [0.0242, 0.2301, 0.7699, 0.9758, 1.0], id="sigmoid"),
        pytest.param(AlphaCurve.SIGMOID, 24.0, [0.0007, 0.0832, 0.9168, 0.9993, 1.0], id="sharp"),
        pytest.param(
            AlphaCurve.SIGMOID, 12.0, [0.0086, 0.0452, 0.1808, 0.5, 0.8192, 0.9548, 0.9914, 1.0], id="eight-steps"
        ),
    ],
)
def test_a_ramp_follows_its_curve(curve: AlphaCurve, steepness: float, alphas: list[float]) -> None:
    assert ramp(len(alphas), curve, steepness) == pytest.approx(alphas, abs=5e-5)


@given(start=SHARES, target=SHARES, steps=st.integers(0, 20), curve=CURVES, steepness=st.floats(0.1, 5000.0))
def test_a_ramp_ends_at_its_target_on_time_and_never_turns(
    start: float, target: float, steps: int, curve: AlphaCurve, steepness: float
) -> None:
    controller = AlphaController(alpha=start)
    controller.retarget(target, steps, curve=curve, steepness=steepness)

    path = [controller.alpha]
    moves = controller.alpha_mode is not AlphaMode.HOLD
    arrivals = []
    for _ in range(steps):
        arrivals.append(controller.step())
        path.append(controller.alpha)

    assert controller.alpha == target
    assert controller.alpha_mode is AlphaMode.HOLD
    assert path in (sorted(path), sorted(path, reverse=True))
    assert sum(arrivals) == int(moves)
    assert not moves or arrivals[-1]
    assert controller.alpha_velocity == 0.0


def test_no_steps_jump_and_a_moving_alpha_cannot_be_retargeted() -> None:
    controller = AlphaController()
    controller.retarget(0.7, 0)
    assert (controller.alpha, controller.alpha_mode) == (0.7, AlphaMode.HOLD)

    controller.retarget(0.5, 4)
    assert (controller.alpha_mode, controller.time_to_target) == (AlphaMode.DOWN, 4)
    assert controller.alpha_velocity == pytest.approx(-0.05)
    with pytest.raises(ValueError, match="HOLD only"):
        controller.retarget(1.0, 2)


@pytest.mark.parametrize(
    ("target", "steps", "steepness"),
    [(1.1, 1, 12.0), (-0.1, 1, 12.0), (float("nan"), 1, 12.0), (1.0, -1, 12.0), (1.0, 1, 0.0)],
)
def test_a_ramp_that_cannot_be_is_refused(target: float, steps: int, steepness: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        AlphaController().retarget(target, steps, steepness=steepness)
