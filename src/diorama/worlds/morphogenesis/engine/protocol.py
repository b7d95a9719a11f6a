"""What both engines offer: rows of hosts that are trained, measured and planted in."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.data.tasks import TaskSpec
from diorama.worlds.morphogenesis.engine.layout import RowLayout
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading
from diorama.worlds.morphogenesis.hosting.seed_bed import SeedBed
from diorama.worlds.morphogenesis.streams import Streams

Floats = NDArray[np.float64]
Overrides = NDArray[np.float64]
"""Amplitudes, passes × rows × slots in action index order; NaN leaves the alpha in force."""

RowState = dict[str, NDArray[np.generic]]
"""Every tensor of a row by name, in a fixed order and the same for both engines (see `HostEngine.write_row`)."""

Fault = Literal["nan", "spike", "seed_nan"]
"""What a drill does to a row: a host weight becomes NaN, host weights grow fiftyfold, a seed weight becomes NaN."""


def given_overrides(slot_ids: tuple[str, ...], amplitudes: list[float]) -> dict[str, float]:
    """Return the amplitudes of one row and pass that replace the alpha in force, by slot."""
    return {
        slot_id: amplitude for slot_id, amplitude in zip(slot_ids, amplitudes, strict=True) if not math.isnan(amplitude)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSetup:
    """Everything an engine is built from. `max_batches` bounds the minibatches of an epoch; None takes all."""

    task: TaskSpec
    slots: SlotConfig
    data: TaskData
    streams: Streams
    layout: RowLayout
    batch_size: int
    max_batches: int | None = None
    incubation: Incubation = "shadow"
    seed_gain_init: float = 0.0
    max_grad_norm: float = 1.0
    shares_data: bool = True
    augments: bool = False
    gradient_stride: int = 1
    device: str = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowScores:
    """Mean loss in nats and accuracy in percent, rows last; validation has a leading axis of passes."""

    loss: Floats
    accuracy_pct: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientStats:
    """Gradients of the last minibatch that was looked at, before clipping: a host norm and readings by slot per row.

    An epoch that the stride skips has no readings at all.
    """

    host_norm: Floats
    readings: tuple[Mapping[str, GradientReading], ...]


class HostEngine(Protocol):
    """All hosts of a round. Structure changes between epochs only, and no row ever affects another."""

    @property
    def host_params(self) -> int:
        """Parameters of one host without seeds."""

    @property
    def execution_order(self) -> tuple[str, ...]:
        """Slots in the order features meet them, those included that are not enabled."""

    def reset(self, round_index: int) -> None:
        """Begin a round: fresh weights in every row, no seeds, no optimizer state, no snapshots."""

    def bed(self, row: int) -> SeedBed:
        """Return the modules of one row; it stays the same object over all rounds."""

    def train_epoch(self, epoch: int) -> RowScores:
        """Train every row on the minibatches of an epoch, counted from 1; a frozen row is left as it is."""

    def gradient_stats(self) -> GradientStats:
        """Return what the last training epoch showed of the gradients."""

    def validate(self, overrides: Overrides) -> RowScores:
        """Measure every row on the whole validation set once a pass, in inference mode.

        The first pass has no overrides. A later pass without any in a row repeats that row's first result.
        """

    def freeze(self, row: int) -> None:
        """Train a row no more until the next reset: a control twin that has failed."""

    def snapshot(self, row: int) -> None:
        """Keep a copy of the host and of its permanent seeds, in place of the last one."""

    def snapshot_slots(self, row: int) -> frozenset[str]:
        """Return the slots whose permanent seeds are in the snapshot."""

    def restore(self, row: int) -> None:
        """Put the snapshot back and zero the optimizer state of the row; other seeds must be detached by then.

        Raises:
            RollbackFailed: A tensor is missing, has another shape or is not finite.
        """

    def inject(self, row: int, fault: Fault) -> None:
        """Damage a row for a drill."""

    def write_row(self, row: int) -> RowState:
        """Return copies of all tensors of a row, the governor's snapshot included.

        Names are `host.<tensor>`, `seed.<slot>.module.<tensor>` and `seed.<slot>.gate.<tensor>` in definition order,
        slots in action index order; `<name>@<state>` follows for each optimizer state of a parameter, as the
        library's own optimizers call it. The governor's snapshot follows under `snapshot.` with the same names.
        """

    def read_row(self, row: int, state: RowState) -> None:
        """Take over tensors written by `write_row`; its seeds must be planted and staged as they were then.

        Raises:
            SnapshotError: The names or shapes are not those of the row.
        """
