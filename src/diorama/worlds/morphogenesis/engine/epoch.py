"""One epoch of all envs and their twins: train, measure, check, tick, and tell. The order is that of `EPOCH_ORDER`."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.engine.env import EpochReading
from diorama.worlds.morphogenesis.engine.measurement import Measurement, measure, note_contributions, tell_coalitions
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.protocol import GradientStats, RowScores
from diorama.worlds.morphogenesis.engine.tellers import tell_epoch, tell_stabilized
from diorama.worlds.morphogenesis.safety.governor import is_snapshot_due


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochResults:
    """What came off the engine in an epoch, as plain numbers by row."""

    trained: RowScores
    gradients: GradientStats
    measured: Measurement


EpochStep = Callable[[Nursery, EpochResults], None]


def run_epoch(nursery: Nursery) -> None:
    """Run the next epoch of the round up to the moment of decision."""
    nursery.epoch += 1
    for env in nursery.envs:
        env.note_alphas()
    trained = nursery.engine.train_epoch(nursery.epoch)
    results = EpochResults(trained=trained, gradients=nursery.engine.gradient_stats(), measured=measure(nursery))
    for step in EPOCH_ORDER:
        step(nursery, results)


def watch_twins(nursery: Nursery, results: EpochResults) -> None:
    """Lose a control twin that is not finite any more: its group has no gain for the rest of the episode."""
    for row in range(nursery.layout.envs, nursery.layout.rows):
        if not math.isfinite(results.measured.main_loss[row]):
            nursery.engine.freeze(row)
            nursery.failed_twins.add(nursery.layout.group_of(row))


def read_scores(nursery: Nursery, results: EpochResults) -> None:
    """Note losses and accuracies of every env beside its twin's."""
    measured, trained = results.measured, results.trained
    for env in nursery.envs:
        twin = nursery.layout.twin_row(env.row)
        has_control = twin is not None and nursery.layout.group_of(env.row) not in nursery.failed_twins
        env.readings.append(
            EpochReading(
                val_loss=float(measured.main_loss[env.row]),
                val_acc=nursery.accuracies.check(float(measured.main_acc[env.row]), epoch=nursery.epoch),
                train_loss=float(trained.loss[env.row]),
                train_acc=float(trained.accuracy_pct[env.row]),
                host_grad_norm=float(results.gradients.host_norm[env.row]),
                control_acc=float(measured.main_acc[twin]) if has_control and twin is not None else None,
                all_off_acc=measured.all_off_acc(env.row),
                committed_acc=measured.committed_acc(env.row),
            )
        )


def write_contributions(nursery: Nursery, results: EpochResults) -> None:
    """Note what every seed contributes, and tell of the coalitions it was derived from."""
    for env in nursery.envs:
        table = results.measured.tables[env.row]
        if table is not None and table.slot_ids:
            note_contributions(env, table, epoch=nursery.epoch)
            payload = tell_coalitions(env, table, round_index=nursery.round_index)
            kind = TelemetryEventType.COUNTERFACTUAL_MATRIX_COMPUTED
            nursery.events.emit(kind, payload, row=env.row, epoch=nursery.epoch)
        env.table = table


def check_vital_signs(nursery: Nursery, results: EpochResults) -> None:
    """Let each governor judge the epoch; only an env that passes may be copied."""
    for env in nursery.envs:
        is_trusted = env.governor.check(env.reading.val_loss, env.reading.val_acc)
        if is_trusted and is_snapshot_due(nursery.epoch, is_requested=env.growth.snapshot_requested):
            nursery.engine.snapshot(env.row)
            env.growth.snapshot_requested = False


def tick_clocks(nursery: Nursery, results: EpochResults) -> None:
    """Let one epoch pass for every seed."""
    for env in nursery.envs:
        env.growth.tick(env.reading.val_acc, env.reading.gain, has_twin=env.has_twin)


def write_gradients(nursery: Nursery, results: EpochResults) -> None:
    """Note the gradients of the training pass."""
    for env in nursery.envs:
        readings = results.gradients.readings[env.row]
        env.growth.record_gradients(readings, epoch=nursery.epoch, max_epochs=nursery.max_epochs)


def tell_epochs(nursery: Nursery, results: EpochResults) -> None:
    """Tell of the epoch, env by env."""
    for env in nursery.envs:
        payload = tell_epoch(env, round_index=nursery.round_index, epoch=nursery.epoch)
        nursery.events.emit(TelemetryEventType.EPOCH_COMPLETED, payload, row=env.row, epoch=nursery.epoch)


def track_signals(nursery: Nursery, results: EpochResults) -> None:
    """Keep the trackers up to date, and tell when a host has settled."""
    for env in nursery.envs:
        env.planting.pass_epoch()
        if env.tracker.update(env.reading.val_loss, env.reading.val_acc):
            payload = tell_stabilized(env, round_index=nursery.round_index, epoch=nursery.epoch)
            nursery.events.emit(TelemetryEventType.HOST_STABILIZED, payload, row=env.row, epoch=nursery.epoch)


EPOCH_ORDER: Final[tuple[EpochStep, ...]] = (
    watch_twins,
    read_scores,
    write_contributions,
    check_vital_signs,  # before the clock, so that no snapshot is taken of an epoch nobody checked
    tick_clocks,
    write_gradients,
    tell_epochs,
    track_signals,
)
