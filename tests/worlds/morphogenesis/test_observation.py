import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm, AlphaMode
from diorama.worlds.morphogenesis.contracts.blueprints import NULL_BLUEPRINT_INDEX, BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.seeds import SeedMetrics, SeedStateReport, SeedTelemetry
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.features import feature_names, flag_columns, observation_width
from diorama.worlds.morphogenesis.controller.observation import write_blueprints, write_observations
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from tests.worlds.morphogenesis.beds import Plot

SLOT_IDS = ("r0c0", "r0c1", "r0c2")
QUIET = EnvReport(
    env_id=0,
    round_index=0,
    epoch=10,
    max_epochs=40,
    val_loss=1.0,
    val_acc=50.0,
    recent_losses=(3.0, 1.0),
    recent_accuracies=(40.0, 50.0),
)
BLENDING = SeedStateReport(
    seed_id="s0",
    slot_id="r0c1",
    blueprint_id="conv_heavy",
    blueprint_index=int(BlueprintAction.CONV_HEAVY),
    stage=SeedStage.BLENDING,
    alpha=0.25,
    alpha_target=0.7,
    alpha_mode=int(AlphaMode.UP),
    alpha_steps_total=4,
    alpha_steps_done=1,
    time_to_target=3,
    alpha_velocity=0.175,
    alpha_algorithm=int(AlphaAlgorithm.GATE),
    blend_tempo_epochs=3,
    metrics=SeedMetrics(
        epochs_total=8,
        epochs_in_current_stage=2,
        counterfactual_contribution=-25.0,
        contribution_velocity=2.0,
        epochs_since_counterfactual=2,
        interaction_sum=5.0,
    ),
    telemetry=SeedTelemetry(
        seed_id="s0", gradient_norm=3.0, gradient_health=0.9, has_vanishing=True, has_exploding=False
    ),
)


def encode(reports: Sequence[EnvReport], slot_ids: tuple[str, ...] = SLOT_IDS) -> F32:
    obs = np.full((len(reports), observation_width(len(slot_ids))), np.nan, np.float32)
    write_observations(obs, reports, slot_ids)
    return obs


def test_a_hand_made_state_has_its_golden_vector() -> None:
    report = replace(
        QUIET, seeds={"r0c1": BLENDING}, previous_succeeded=False, previous_op=LifecycleOp.SET_ALPHA_TARGET
    )

    row = encode([report])[0]

    loss, older = math.log(2.0) / 7.0, math.log(4.0) / 7.0
    host = [0.25, loss, 0.5, -1, -1, -1, older, loss, -1, -1, -1, 0.4, 0.5, 0, 1 / 3, 0, 0, 0, 0, 1, 0, 0, 0]
    seed = [
        *(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
        *(0.25, -1, 0.2, 0.25, 0.7, 0.5, 0.1, 0.025, 0.075, 0.175, 1, 0.5),
        *(math.log(4.0) / 7.0, 0.9, 1, 0, -1, 0.05, 0.995**2, 0.2),
    ]
    assert row.tolist() == pytest.approx([*host, *[0.0] * 31, *seed, *[0.0] * 31], abs=1e-6)


def test_what_was_never_measured_is_shown_as_unknown() -> None:
    bare = replace(BLENDING, metrics=SeedMetrics(), telemetry=None, time_to_target=99, alpha_velocity=-3.0)

    columns = dict(zip(feature_names(SLOT_IDS), encode([replace(QUIET, seeds={"r0c0": bare})])[0], strict=True))

    assert columns["r0c0_contribution"] == columns["r0c0_gradient_norm"] == columns["r0c0_gradient_health"] == 0.0
    assert columns["r0c0_gradient_health_before"] == columns["r0c0_contribution_freshness"] == -1.0
    assert (columns["r0c0_time_to_target"], columns["r0c0_alpha_velocity"]) == (1.0, -1.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_diverged_host_is_shown_in_finite_numbers(bad: float) -> None:
    sick = replace(
        BLENDING,
        metrics=replace(BLENDING.metrics, counterfactual_contribution=bad, contribution_velocity=bad),
        telemetry=SeedTelemetry(seed_id="s0", gradient_norm=bad, gradient_health=0.0, has_exploding=True),
    )
    report = replace(
        QUIET, val_loss=bad, val_acc=bad, recent_losses=(1.0, bad), recent_accuracies=(9.0, bad), seeds={"r0c1": sick}
    )

    columns = dict(zip(feature_names(SLOT_IDS), encode([report])[0], strict=True))

    assert all(math.isfinite(value) for value in columns.values())
    assert columns["val_loss"] == columns["val_loss_0_ago"] == pytest.approx(math.log(10001.0) / 7.0)
    assert columns["val_acc"] == columns["val_acc_0_ago"] == columns["r0c1_contribution"] == 0.0
    assert columns["r0c1_gradient_norm"] == 0.0
    assert columns["r0c1_has_exploding"] == 1.0


@pytest.mark.parametrize("slots", [1, 3, 6, 10])
def test_width_and_names_follow_the_slots(slots: int) -> None:
    slot_ids = SlotConfig.for_grid(1, slots).slot_ids

    assert encode([QUIET], slot_ids).shape == (1, 23 + 31 * slots)
    assert len(set(feature_names(slot_ids))) == len(flag_columns(slots)) == 23 + 31 * slots
    with pytest.raises(ContractError, match="need"):
        write_observations(np.zeros((2, 23 + 31 * slots), np.float32), [QUIET], slot_ids)


def test_flags_and_one_hots_are_the_columns_of_the_table() -> None:
    flags = np.flatnonzero(flag_columns(2)).tolist()

    slot = [*range(11), 25, 26]
    assert flags == [*range(16, 23), *(23 + column for column in slot), *(54 + column for column in slot)]


def test_a_row_does_not_depend_on_its_neighbors() -> None:
    grown = Plot().grown_to(SeedStage.HOLDING).growth.reports()
    reports = [
        replace(QUIET, seeds=grown, recent_losses=tuple(map(float, range(9))), recent_accuracies=(1.0,) * 9),
        replace(QUIET, epoch=1, max_epochs=150, recent_losses=(2.0,), recent_accuracies=(9.0,)),
        replace(QUIET, seeds={"r0c1": BLENDING}),
    ]

    together = encode(reports)

    for row, report in enumerate(reports):
        assert encode([report])[0].tolist() == together[row].tolist()
    assert together[0, 3:8].tolist() == pytest.approx([math.log1p(loss) / 7.0 for loss in range(4, 9)])


def test_blueprints_are_indices_with_a_value_for_no_module() -> None:
    indices, shown = np.zeros((2, 3), np.int64), np.zeros((2, 3), np.uint8)
    cooling = replace(BLENDING, stage=SeedStage.EMBARGOED, blueprint_index=-1)
    reports = [replace(QUIET, seeds={"r0c1": BLENDING}), replace(QUIET, seeds={"r0c2": cooling})]

    write_blueprints(indices, reports, SLOT_IDS, empty=-1)
    write_blueprints(shown, reports, SLOT_IDS, empty=NULL_BLUEPRINT_INDEX)

    assert indices.tolist() == [[-1, 7, -1], [-1, -1, -1]]
    assert shown.tolist() == [[13, 7, 13], [13, 13, 13]]
