import pytest

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.state import Asteroid
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import FIELD_NODE, QUIET, copy_of


def test_scans_raise_confidence_in_the_order_wide_focused_deep(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=FIELD_NODE, selection=0)

    gains = []
    for action in (Act.WIDE_SCAN, Act.FOCUSED_SCAN_SELECTED, Act.DEEP_SCAN_SELECTED):
        before = pilot.state.selected.scan_conf
        pilot.step(action)
        after = pilot.state.selected
        gains.append(after.scan_conf - before)
        assert sum(after.comp_est) == pytest.approx(1.0, abs=1e-12)

    assert gains == pytest.approx([0.10, 0.20, 0.45])
    assert pilot.state.counters.scan_count == 3


def test_confidence_ends_at_one(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=FIELD_NODE, selection=0)

    for _ in range(3):
        pilot.step(Act.DEEP_SCAN_SELECTED)

    assert pilot.state.selected.scan_conf == 1.0


def normalised(values: list[float]) -> list[float]:
    raised = [max(1e-8, value) for value in values]
    return [value / sum(raised) for value in raised]


def scanned(
    asteroid: Asteroid, rng: Pcg32, blend: float, factor: float, *, is_noisy: bool
) -> tuple[list[float], float]:
    sigma = asteroid.noise * (1 - asteroid.scan_conf + 0.1) * factor
    errors = [rng.normal(0.0, sigma) for _ in range(7)]
    if not is_noisy:
        errors = [0.0] * 7
    reading = normalised([share + error for share, error in zip(asteroid.true_comp, errors[:6], strict=True)])
    mixed = normalised([(1 - blend) * old + blend * new for old, new in zip(asteroid.comp_est, reading, strict=True)])
    firmness = min(1.0, max(0.0, asteroid.stability + errors[6]))
    return mixed, (1 - blend) * asteroid.stability_est + blend * firmness


@pytest.mark.parametrize("is_noisy", [True, False], ids=["noisy", "exact"])
@pytest.mark.parametrize(
    ("action", "blend", "factor"),
    [
        pytest.param(Act.WIDE_SCAN, 0.22, 1.35, id="wide"),
        pytest.param(Act.FOCUSED_SCAN_SELECTED, 0.42, 1.0, id="focused"),
        pytest.param(Act.DEEP_SCAN_SELECTED, 0.80, 0.55, id="deep"),
    ],
)
def test_a_scan_blends_a_reading_into_the_estimate(
    fly: Fly, action: int, blend: float, factor: float, is_noisy: bool
) -> None:
    pilot = fly(**QUIET, scan_noise=is_noisy)
    before = pilot.put(node=FIELD_NODE, selection=0)
    comp, stability = scanned(before.selected, copy_of(before.rng), blend, factor, is_noisy=is_noisy)

    pilot.step(action)

    after = pilot.state.selected
    assert after.comp_est == pytest.approx(comp, abs=1e-12)
    assert after.stability_est == pytest.approx(stability, abs=1e-12)


def test_a_wide_scan_sees_every_asteroid_even_depleted_ones(fly: Fly) -> None:
    pilot = fly(**QUIET)
    with pilot.edit() as state:
        state.ship.node = FIELD_NODE
        state.here.asteroids[1].depletion = 1.0

    pilot.step(Act.WIDE_SCAN)

    assert [asteroid.scan_conf for asteroid in pilot.state.here.asteroids] == [0.2] * 6


def test_listening_moves_estimates_toward_the_true_threat(fly: Fly) -> None:
    pilot = fly(**QUIET, scan_noise=False)
    before = pilot.state
    rng = copy_of(before.rng)
    readings = [min(1.0, max(0.0, edge.threat + rng.normal(0.0, 0.08))) for edge in before.here.edges]

    pilot.step(Act.PASSIVE_THREAT_LISTEN)

    estimates = [edge.threat_estimate for edge in pilot.state.here.edges]
    assert estimates == pytest.approx([0.25 * 0.5 + 0.75 * reading for reading in readings], abs=1e-12)
