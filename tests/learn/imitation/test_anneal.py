"""Anneal schedules: ratios, gates, flags and status."""

from typing import Any

import pytest
from pydantic import ValidationError

from diorama.contracts.errors import DocumentError
from diorama.learn.imitation.anneal import INTENSITY, QUEUE, AnnealProgress, AnnealStatus, StageFigures, stage_flags
from diorama.learn.imitation.validation import Agreement
from diorama.learn.settings.imitation import AnnealSettings
from tests.refusals import refused

AGREES = Agreement(decisions=100, accuracy=0.93, frames={}, recalls={}, value_error=0.1)
USUAL = [
    {"cycle": 0, "mode": "bc", "epochs": 3},
    *({"cycle": 1 + index, "mode": "ppo", "epochs": 2} for index in range(3)),
]
BEFORE = StageFigures(
    loss_total=-0.5,
    queue_conflict_events=10.0,
    queue_conflict_intensity_sum=4.0,
    key_figures={"self_sufficiency": 0.8, "reward_mean": -0.01},
)


def schedule(stages: list[dict[str, Any]] | None = None, **changes: Any) -> AnnealSettings:
    return AnnealSettings.model_validate({"stages": USUAL if stages is None else stages, **changes})


def run_stage(
    progress: AnnealProgress, *, loss: float = 1.0, conflicts: float = 10.0, sufficiency: float = 0.8
) -> None:
    while True:
        progress.record_step({"self_sufficiency": sufficiency})
        progress.record_cycle(loss, {QUEUE: conflicts, INTENSITY: conflicts / 2})
        if progress.end_cycle() is not None:
            return


def after_cloning(**changes: Any) -> AnnealProgress:
    progress = AnnealProgress(schedule(**changes))
    progress.end_bc_stage(AGREES, [])
    return progress


@pytest.mark.parametrize(
    ("stages", "changes", "ratios"),
    [
        pytest.param(USUAL, {}, (None, 0.2, 0.6, 1.0), id="linear"),
        pytest.param(USUAL, {"start_ratio": 0.5, "end_ratio": 0.0}, (None, 0.5, 0.25, 0.0), id="falling"),
        pytest.param([USUAL[1]], {}, (1.0,), id="alone"),
        pytest.param(
            [{"cycle": 9, "mode": "ppo", "ratio": 0.3}, {"cycle": 4, "mode": "ppo"}], {}, (0.2, 0.3), id="by-cycle"
        ),
    ],
)
def test_the_policy_takes_a_growing_share(
    stages: list[dict[str, Any]], changes: dict[str, float], ratios: tuple[float | None, ...]
) -> None:
    assert schedule(stages, **changes).ratios == pytest.approx(ratios)


@pytest.mark.parametrize(
    ("stages", "kind"),
    [
        pytest.param([], "too_short", id="none"),
        pytest.param([USUAL[0]], "anneal_without_ppo", id="only-bc"),
        pytest.param([{"cycle": 0, "mode": "bc", "ratio": 0.5}, USUAL[1]], "bc_stage_with_ratio", id="ratio-of-bc"),
        pytest.param(
            [{"cycle": 0, "mode": "bc", "bc_weight": 0}, USUAL[1]], "bc_stage_without_weight", id="weightless-bc"
        ),
        pytest.param([{"cycle": -1, "mode": "ppo"}], "greater_than_equal", id="cycle"),
    ],
)
def test_schedules_that_make_no_sense_are_refused(stages: list[dict[str, Any]], kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        schedule(stages)

    assert caught.value.errors()[0]["type"] == kind


def test_a_schedule_without_flags_passes() -> None:
    progress = after_cloning()
    for _ in range(3):
        run_stage(progress)

    assert progress.stage is None
    assert progress.status is AnnealStatus.PASS
    assert [result.ratio for result in progress.results] == pytest.approx([None, 0.2, 0.6, 1.0])


def test_a_clone_that_misses_its_gate_ends_the_schedule() -> None:
    progress = AnnealProgress(schedule())

    result = progress.end_bc_stage(AGREES, ["accuracy is 0.930; at least 0.95 is required"])

    assert (result.passed, result.rolled_back) == (False, True)
    assert progress.stage is None
    assert progress.status is AnnealStatus.FAIL


def test_a_key_figure_that_falls_too_far_freezes_the_ratio_for_the_rest_of_the_run() -> None:
    progress = after_cloning()
    run_stage(progress)
    run_stage(progress, sufficiency=0.5)
    run_stage(progress, sufficiency=0.5)

    assert [result.flags for result in progress.results] == [(), (), ("self_sufficiency",), ()]
    assert [result.ratio for result in progress.results[1:]] == pytest.approx([0.2, 0.6, 0.6])
    assert progress.status is AnnealStatus.HOLD


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        pytest.param({}, [], id="the-same"),
        pytest.param({"loss_total": -0.551}, ["loss"], id="loss-moved"),
        pytest.param({"loss_total": -0.549}, [], id="loss-moved-little"),
        pytest.param({"queue_conflict_events": 8.49}, ["queue"], id="fewer-conflicts"),
        pytest.param({"queue_conflict_intensity_sum": 3.39}, ["intensity"], id="milder-conflicts"),
        pytest.param({"key_figures": {"self_sufficiency": 0.55, "reward_mean": -0.01}}, ["self_sufficiency"], id="kpi"),
        pytest.param({"key_figures": {"self_sufficiency": 0.8, "reward_mean": -0.014}}, ["reward_mean"], id="reward"),
        pytest.param({"key_figures": {"self_sufficiency": 0.57, "reward_mean": -0.012}}, [], id="kpi-fell-little"),
    ],
)
def test_a_stage_is_compared_with_the_one_before(changes: dict[str, Any], names: list[str]) -> None:
    figures = {
        "loss_total": BEFORE.loss_total,
        "queue_conflict_events": BEFORE.queue_conflict_events,
        "queue_conflict_intensity_sum": BEFORE.queue_conflict_intensity_sum,
        "key_figures": BEFORE.key_figures,
    }

    flags = stage_flags(StageFigures(**{**figures, **changes}), BEFORE, freeze_drop=0.3)

    assert flags.names == names
    assert stage_flags(BEFORE, None, freeze_drop=0.3).names == []


def test_telemetry_reports_the_progress_of_the_schedule() -> None:
    progress = after_cloning(accuracy_threshold=0.9)
    run_stage(progress, loss=2.0)

    fields = progress.record_cycle(1.0, {QUEUE: 3.0, INTENSITY: 5.0})

    assert (fields["anneal_stage"], fields["anneal_cycle"], fields["anneal_bc_accuracy"]) == (2, 2, 0.93)
    assert (fields["anneal_loss_baseline"], fields["anneal_queue_baseline"]) == (2.0, 10.0)
    assert (fields["anneal_loss_flag"], fields["anneal_queue_flag"], fields["anneal_intensity_flag"]) == (1, 1, 0)
    assert fields["anneal_ratio"] == pytest.approx(0.6)


def test_a_schedule_can_be_resumed_after_any_cycle() -> None:
    whole, cut = after_cloning(), after_cloning()
    for progress in (whole, cut):
        run_stage(progress)
        progress.record_step({"self_sufficiency": 0.1})
        progress.record_cycle(1.0, {QUEUE: 1.0, INTENSITY: 1.0})
        assert progress.end_cycle() is None
    other = AnnealProgress(schedule())

    other.load(cut.state())
    for progress in (whole, other):
        run_stage(progress, sufficiency=0.3)
        run_stage(progress)

    assert other.results == whole.results


def test_a_state_of_another_form_is_refused() -> None:
    with refused(DocumentError, "anneal_state_invalid"):
        AnnealProgress(schedule()).load({"results": 3})
