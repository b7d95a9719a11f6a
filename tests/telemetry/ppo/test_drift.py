"""Drift is log minus baseline, record by record."""

import math

import pytest

from diorama.telemetry.ppo.drift import FieldDrift, measure_drift
from diorama.telemetry.ppo.fields import PpoVersion
from tests.telemetry.factories import ppo_record


def drift_of(field: str, drifts: tuple[FieldDrift, ...]) -> FieldDrift:
    (found,) = [drift for drift in drifts if drift.field == field]
    return found


def test_a_log_does_not_drift_from_itself() -> None:
    records = [ppo_record(1), ppo_record(2)]

    assert {drift.worst for drift in measure_drift(records, records, is_relative=False)} == {0.0}


def test_the_worst_difference_keeps_its_sign_and_its_place() -> None:
    log = [ppo_record(1, loss_value=1.0), ppo_record(2, loss_value=0.25), ppo_record(3, loss_value=0.75)]
    baseline = [ppo_record(number, loss_value=0.5) for number in (1, 2, 3)]
    log[1]["loss_value"] = -0.5

    drift = drift_of("loss_value", measure_drift(log, baseline, is_relative=False))

    assert (drift.worst, drift.worst_at) == (-1.0, 2)
    assert drift.log_mean == pytest.approx(1.25 / 3)
    assert drift.baseline_mean == 0.5


def test_relative_drift_is_a_share_of_the_baseline() -> None:
    log, baseline = [ppo_record(1, loss_policy=-0.6)], [ppo_record(1, loss_policy=-0.5)]

    drift = drift_of("loss_policy", measure_drift(log, baseline, is_relative=True))

    assert drift.worst == pytest.approx(-0.2)


def test_from_a_baseline_of_zero_any_difference_is_infinitely_far() -> None:
    log = [ppo_record(1, adv_mean=1e-9), ppo_record(2, adv_mean=-1e-9), ppo_record(3, adv_mean=0.0)]
    baseline = [ppo_record(number, adv_mean=0.0) for number in (1, 2, 3)]

    drifts = measure_drift(log, baseline, is_relative=True)

    assert drift_of("adv_mean", drifts).worst == math.inf
    assert drift_of("conflict.rivalry_max_max_avg", drifts).worst == 0.0


def test_counters_and_clocks_do_not_drift() -> None:
    log = [ppo_record(7, epoch_duration_sec=90.0)]

    assert {drift.worst for drift in measure_drift(log, [ppo_record(1)], is_relative=False)} == {0.0}


def test_versions_are_compared_in_what_they_share() -> None:
    drifts = measure_drift([ppo_record(1)], [ppo_record(1, PpoVersion.V1_0)], is_relative=False)

    assert "loss_total" in {drift.field for drift in drifts}
    assert "grad_norm_max" not in {drift.field for drift in drifts}


def test_means_of_huge_numbers_stay_finite() -> None:
    records = [ppo_record(number, loss_value=1.5e308) for number in (1, 2, 3)]

    drift = drift_of("loss_value", measure_drift(records, records, is_relative=False))

    assert drift.log_mean == pytest.approx(1.5e308)
