import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.signals import SignalTracker
from diorama.worlds.morphogenesis.rewards.potential import STAGE_POTENTIAL, host_potential, seed_potential, shaping
from diorama.worlds.morphogenesis.safety.vital_signs import VitalSigns

SLOTS = st.lists(st.tuples(st.sampled_from(SeedStage), st.integers(0, 30)), max_size=3)


def test_a_host_settles_after_three_quiet_epochs_and_says_so_once() -> None:
    tracker = SignalTracker()

    settled = [tracker.update(loss, 50.0) for loss in (2.0, 1.5, 1.49, 1.52, 1.5, 0.5)]

    assert settled == [False, False, False, False, True, False]
    assert tracker.is_stabilized
    assert tracker.loss_delta == pytest.approx(1.0)


def test_no_stabilization_epochs_settle_at_once() -> None:
    assert SignalTracker(stabilization_epochs=0).update(2.0, 10.0)


def test_a_plateau_counts_epochs_with_little_gain() -> None:
    tracker = SignalTracker()

    plateaus = []
    for accuracy in (10.0, 10.4, 10.8, 11.4, 11.5):
        tracker.update(1.0, accuracy)
        plateaus.append(tracker.plateau_epochs)

    assert plateaus == [1, 2, 3, 0, 1]
    tracker.reset()
    assert tracker == SignalTracker()


def test_a_host_is_flat_when_three_epochs_were_hardly_better_than_the_three_before() -> None:
    tracker = SignalTracker()

    flat = []
    for accuracy in (10.0, 20.0, 12.0, 19.0, 11.0, 16.0, 30.0, 29.0):
        tracker.update(1.0, accuracy)
        flat.append(tracker.is_flat)

    # 15.3 after 14.0 is flat; 19.0 after 17.0 is not, for it gains more than half a point an epoch.
    assert flat == [False, False, False, False, False, True, False, False]


def test_potential_rises_along_the_whole_lifecycle() -> None:
    path = [seed_potential(stage, epochs) for stage in STAGE_POTENTIAL for epochs in range(12)]

    assert path == sorted(path)
    assert seed_potential(SeedStage.TRAINING, 4) == 2.0 + 0.75 * 1.5 * 0.5
    assert seed_potential(SeedStage.EMBARGOED, 3) == 0.0


@given(st.lists(SLOTS, min_size=2, max_size=12))
def test_shaping_telescopes(states: list[list[tuple[SeedStage, int]]]) -> None:
    gamma, weight = 0.995, 0.3
    total = 0.0
    for step, (now, following) in enumerate(pairwise(states)):
        after = host_potential(following)
        total += gamma**step * shaping(host_potential(now), after, weight=weight, gamma=gamma)

    steps = len(states) - 1
    expected = weight * (gamma**steps * host_potential(states[-1]) - host_potential(states[0]))
    assert total == pytest.approx(expected, abs=1e-9)


@given(SLOTS)
def test_the_potential_after_a_step_is_that_before_the_next(slots: list[tuple[SeedStage, int]]) -> None:
    ticked = [(stage, epochs + 1) for stage, epochs in slots]

    assert host_potential(slots, after_step=True) == host_potential(ticked)


def _learned() -> VitalSigns:
    signs = VitalSigns(num_classes=10, loss_threshold=12.0)
    for _ in range(10):
        assert signs.check(0.5, 80.0) is None
    return signs


@pytest.mark.parametrize(
    ("loss", "accuracy"), [(math.nan, 50.0), (math.inf, 50.0), (1.0, math.nan)], ids=["nan", "inf", "accuracy"]
)
def test_what_is_not_finite_is_a_panic_at_once(loss: float, accuracy: float) -> None:
    report = VitalSigns(num_classes=10, loss_threshold=12.0).check(loss, accuracy)

    assert report is not None
    assert report.reason == "governor_nan"


def test_a_host_that_falls_back_to_guessing_is_a_panic() -> None:
    report = _learned().check(math.log(10), 10.0)

    assert report is not None
    assert report.reason == "governor_lobotomy"
    assert VitalSigns(num_classes=10, loss_threshold=12.0).check(math.log(10), 10.0) is None


def test_divergence_needs_three_strikes_and_a_healthy_epoch_clears_them() -> None:
    signs = _learned()
    assert [signs.check(20.0, 10.0) for _ in range(2)] == [None, None]
    assert signs.check(0.5, 80.0) is None
    assert [signs.check(20.0, 10.0) for _ in range(2)] == [None, None]

    report = signs.check(20.0, 10.0)

    assert report is not None
    assert (report.reason, report.consecutive_panics) == ("governor_divergence", 3)
    assert max(signs.losses) == 0.5
    assert signs.check(11.9, 10.0) is None
