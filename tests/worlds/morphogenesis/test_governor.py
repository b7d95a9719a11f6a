"""The governor: pre-flight, snapshots, and where the price of a rollback falls."""

from dataclasses import replace

import pytest
import torch

from diorama.worlds.morphogenesis.contracts.errors import RollbackFailed
from diorama.worlds.morphogenesis.contracts.governor import LifecycleMutationHealthSnapshot
from diorama.worlds.morphogenesis.safety.governor import Governor, is_snapshot_due
from diorama.worlds.morphogenesis.safety.pre_flight import review
from diorama.worlds.morphogenesis.safety.snapshot import TensorSnapshot
from diorama.worlds.morphogenesis.safety.vital_signs import VitalSigns

HEALTHY = LifecycleMutationHealthSnapshot(
    operation="GERMINATE",
    slot_id="r0c0",
    blueprint_id="conv_light",
    alpha_target=1.0,
    alpha_speed_steps=None,
    alpha_curve=None,
    val_loss=1.0,
    val_accuracy=50.0,
    seed_stage=None,
    total_params=160,
    effective_seed_params=0.0,
    max_seeds=0,
    active_seed_count=0,
    cooldown_epochs_remaining=0,
    event_id="e",
)
SCHEDULED = replace(HEALTHY, operation="PRUNE", seed_stage="HOLDING", alpha_speed_steps=0, alpha_curve="LINEAR")


@pytest.mark.parametrize(
    ("seen", "factor"),
    [
        pytest.param(HEALTHY, None, id="a-healthy-planting"),
        pytest.param(SCHEDULED, None, id="a-healthy-prune"),
        pytest.param(replace(HEALTHY, val_loss=float("nan"), val_accuracy=float("inf")), "val_loss_finite", id="loss"),
        pytest.param(replace(HEALTHY, val_accuracy=float("nan")), "val_accuracy_finite", id="accuracy"),
        pytest.param(replace(HEALTHY, cooldown_epochs_remaining=-1), "cooldown_nonnegative", id="cooldown"),
        pytest.param(replace(HEALTHY, max_seeds=2, active_seed_count=2), "active_seed_capacity", id="full"),
        pytest.param(replace(SCHEDULED, max_seeds=2, active_seed_count=2), None, id="a-full-host-may-prune"),
        pytest.param(replace(HEALTHY, blueprint_id=None), "blueprint_present", id="blueprint"),
        pytest.param(replace(HEALTHY, seed_stage="TRAINING"), "slot_empty_for_germination", id="occupied"),
        pytest.param(replace(HEALTHY, alpha_target=None), "alpha_target_present", id="target"),
        pytest.param(replace(SCHEDULED, alpha_curve=None), "alpha_schedule_complete", id="curve"),
        pytest.param(
            replace(SCHEDULED, operation="SET_ALPHA_TARGET", alpha_speed_steps=None),
            "alpha_schedule_complete",
            id="speed",
        ),
    ],
)
def test_the_first_factor_that_fails_vetoes_an_operation(
    seen: LifecycleMutationHealthSnapshot, factor: str | None
) -> None:
    verdict = review(seen)

    assert (verdict.approved, verdict.blocked_factor) == (factor is None, factor)
    assert verdict.health_snapshot is seen


def test_a_panic_stands_until_its_rollback_is_settled() -> None:
    governor = Governor(vital_signs=VitalSigns(num_classes=10, loss_threshold=12.0))

    assert governor.check(2.3, 10.0)
    assert not governor.check(float("nan"), 10.0)
    report = governor.settle_rollback()

    assert (report.reason, report.rollback_occurred, governor.rollbacks) == ("governor_nan", True, 1)
    assert governor.report is None
    with pytest.raises(RuntimeError, match="no rollback"):
        governor.settle_rollback()


def test_snapshots_are_due_every_five_epochs_and_on_request() -> None:
    assert [epoch for epoch in range(1, 12) if is_snapshot_due(epoch, is_requested=epoch == 7)] == [5, 7, 10]


def test_a_snapshot_brings_back_every_byte_or_nothing_at_all() -> None:
    host = torch.nn.Linear(3, 2)
    before = {name: tensor.detach().clone() for name, tensor in host.named_parameters()}
    snapshot = TensorSnapshot.take(host.named_parameters())
    with torch.no_grad():
        host.weight.mul_(50.0)

    snapshot.put_back(host.named_parameters())

    assert all(torch.equal(tensor, before[name]) for name, tensor in host.named_parameters())
    with pytest.raises(RollbackFailed, match=r"missing \['bias'\]"):
        snapshot.put_back([("weight", host.weight)])
    with pytest.raises(RollbackFailed, match="shape"):
        snapshot.put_back([("weight", host.weight), ("bias", torch.zeros(5))])
    broken = TensorSnapshot({"weight": torch.full((2, 3), float("nan")), "bias": before["bias"]})
    with pytest.raises(RollbackFailed, match="not finite"):
        broken.put_back(host.named_parameters())
    assert torch.equal(host.weight, before["weight"])
