"""Builds the PPO telemetry record of one policy update."""

from diorama.contracts.errors import ContractError
from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.values import JsonValue
from diorama.telemetry.events import PolicyUpdated
from diorama.telemetry.ppo.checks import check_record
from diorama.telemetry.ppo.fields import CONFLICT_FIELDS, WRITING_ORDER, PpoVersion, is_extension


def build_record(
    event: PolicyUpdated, *, version: PpoVersion, epoch: int, rollout_ticks: int, log_stream_offset: int
) -> dict[str, JsonValue]:
    """Return the record of an update with its fields in the order of the format.

    Args:
        event: The update; its extras fill the fields that only some worlds have.
        version: Form of the record; version 1.0 leaves out what it does not know.
        epoch: Number of the record since this start of the run, from 1.
        rollout_ticks: Simulated time that fed the update.
        log_stream_offset: Number of the record since the first start of the run, from 1.

    Raises:
        ContractError: A number is not finite, or an extra is no field of the format.
    """
    record = _common_part(event.report, version, epoch)
    if version is PpoVersion.V1_1:
        record |= _added_part(event.report, rollout_ticks, log_stream_offset)
    # Worlds without rivalry have none to report; the format requires the fields all the same.
    record |= dict.fromkeys(CONFLICT_FIELDS, 0.0)
    record |= {
        field: value for field, value in event.extras.items() if version is PpoVersion.V1_1 or not is_extension(field)
    }
    for problem in check_record(record, is_strict=True):
        raise ContractError(f"PPO telemetry of update {event.report.update}: {problem.message}")
    return _in_writing_order(record)


def _in_writing_order(record: dict[str, JsonValue]) -> dict[str, JsonValue]:
    listed = [field for field in WRITING_ORDER if field in record]
    unlisted = sorted(record.keys() - set(listed))
    return {field: record[field] for field in (*listed, *unlisted)}


def _common_part(report: UpdateReport, version: PpoVersion, epoch: int) -> dict[str, JsonValue]:
    return {
        "telemetry_version": version.value,
        "epoch": epoch,
        "updates": report.minibatches,
        "transitions": report.transitions,
        "steps": report.agent_steps_total,
        "loss_policy": report.loss_policy,
        "loss_value": report.loss_value,
        "loss_entropy": report.entropy,
        "loss_total": report.loss_total,
        "clip_fraction": report.clip_fraction,
        "adv_mean": report.adv_mean,
        "adv_std": report.adv_std,
        "grad_norm": report.grad_norm,
        "kl_divergence": report.approx_kl,
        "lr": report.learning_rate,
    }


def _added_part(report: UpdateReport, rollout_ticks: int, log_stream_offset: int) -> dict[str, JsonValue]:
    return {
        "epoch_duration_sec": report.seconds_total,
        "data_mode": report.data_mode.value,
        "cycle_id": report.cycle,
        "batch_entropy_mean": report.entropy,
        "batch_entropy_std": report.entropy_std,
        "grad_norm_max": report.grad_norm_max,
        "kl_divergence_max": report.approx_kl_max,
        "reward_advantage_corr": report.reward_advantage_corr,
        "rollout_ticks": rollout_ticks,
        "log_stream_offset": log_stream_offset,
    }
