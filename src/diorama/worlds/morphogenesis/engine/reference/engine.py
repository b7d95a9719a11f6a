"""All rows of a round, one ordinary module each, trained one after another: slow, obvious, the oracle."""

import math
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.random import Generator

from diorama.worlds.morphogenesis.contracts.errors import ContractError, RollbackFailed
from diorama.worlds.morphogenesis.data.loading import build_host, optimizer_plan
from diorama.worlds.morphogenesis.engine.arithmetic import plain_arithmetic
from diorama.worlds.morphogenesis.engine.feeding import Feed
from diorama.worlds.morphogenesis.engine.protocol import (
    EngineSetup,
    Fault,
    GradientStats,
    Overrides,
    RowScores,
    RowState,
    given_overrides,
)
from diorama.worlds.morphogenesis.engine.reference.row_tensors import kept_tensors, read_tensors, write_tensors
from diorama.worlds.morphogenesis.hosting.epochs import Score, TrainedEpoch, train_epoch, validate
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost, SeedDraws
from diorama.worlds.morphogenesis.safety.snapshot import TensorSnapshot
from diorama.worlds.morphogenesis.streams import Stream

SNAPSHOT_PREFIX: Final = "snapshot."
SPIKE_FACTOR: Final = 50.0


class ReferenceEngine:
    """A growing host per row and a Python loop over them."""

    def __init__(self, setup: EngineSetup) -> None:
        """Build every row; `reset` gives them their first weights."""
        self._setup = setup
        self._feed = Feed(setup)
        self._round = 0
        plan = replace(optimizer_plan(setup.task), max_grad_norm=setup.max_grad_norm)
        self.rows = [
            GrowingHost(
                build_host(setup.task).to(setup.device),
                setup.slots,
                plan,
                self._draws_of(row),
                gain=setup.seed_gain_init,
                incubation=setup.incubation,
            )
            for row in range(setup.layout.rows)
        ]
        self._frozen: set[int] = set()
        self._snapshots: dict[int, TensorSnapshot] = {}
        self._trained: list[TrainedEpoch | None] = [None] * len(self.rows)

    @property
    def host_params(self) -> int:
        """Parameters of one host without seeds."""
        return self.rows[0].host.param_count

    @property
    def execution_order(self) -> tuple[str, ...]:
        """Slots in the order features meet them."""
        return self.rows[0].host.execution_order()

    def reset(self, round_index: int) -> None:
        """Begin a round."""
        self._round = round_index
        self._frozen.clear()
        self._snapshots.clear()
        self._trained = [None] * len(self.rows)
        for row, growing in enumerate(self.rows):
            weights = self._setup.streams.open("host_init", round_index, self._setup.layout.group_of(row))
            growing.reset(weights, self._draws_of(row))

    def bed(self, row: int) -> GrowingHost:
        """Return the host of a row, which is its seed bed."""
        return self.rows[row]

    @plain_arithmetic()
    def train_epoch(self, epoch: int) -> RowScores:
        """Train every row that is not frozen on the minibatches of an epoch."""
        shared = self._feed.minibatches(self._round, epoch)
        reads_gradients = epoch % self._setup.gradient_stride == 0
        for row, growing in enumerate(self.rows):
            if row in self._frozen:
                continue
            growing.host.begin_epoch(self._setup.streams.open("dropout", self._round, epoch))
            batches = shared if self._setup.shares_data else self._feed.minibatches(self._round, epoch, row)
            self._trained[row] = train_epoch(growing, batches, reads_gradients=reads_gradients)
        return _stack([_score_of(trained) for trained in self._trained])

    def gradient_stats(self) -> GradientStats:
        """Return what the last training epoch showed of the gradients."""
        return GradientStats(
            host_norm=np.array(
                [math.nan if trained is None else trained.host_gradient_norm for trained in self._trained]
            ),
            readings=tuple({} if trained is None else trained.readings for trained in self._trained),
        )

    @plain_arithmetic()
    def validate(self, overrides: Overrides) -> RowScores:
        """Measure every row once a pass; a pass that overrides nothing repeats the first."""
        losses, accuracies = np.empty(overrides.shape[:2]), np.empty(overrides.shape[:2])
        for row, growing in enumerate(self.rows):
            main: Score | None = None
            for number, amplitudes in enumerate(overrides[:, row]):
                given = given_overrides(self._setup.slots.slot_ids, amplitudes.tolist())
                if main is None or given:
                    score = validate(growing, self._feed.val_inputs, self._feed.val_targets, given)
                else:
                    score = main
                main = main or score
                losses[number, row], accuracies[number, row] = score.loss, score.accuracy_pct
        return RowScores(loss=losses, accuracy_pct=accuracies)

    def freeze(self, row: int) -> None:
        """Train a row no more until the next reset."""
        self._frozen.add(row)

    def snapshot(self, row: int) -> None:
        """Keep a copy of the host and its permanent seeds."""
        self._snapshots[row] = TensorSnapshot.take(kept_tensors(self.rows[row], self._setup.slots))

    def snapshot_slots(self, row: int) -> frozenset[str]:
        """Return the slots whose permanent seeds are in the snapshot."""
        if row not in self._snapshots:
            return frozenset()
        names = (name.split(".") for name in self._snapshots[row].tensors)
        return frozenset(parts[1] for parts in names if parts[0] == "seed")

    def restore(self, row: int) -> None:
        """Put the snapshot back and zero the optimizer state of the row."""
        if row not in self._snapshots:
            raise RollbackFailed(f"row {row} has no snapshot to go back to")
        growing = self.rows[row]
        self._snapshots[row].put_back(kept_tensors(growing, self._setup.slots))
        growing.optimizers.forget_momentum()

    def inject(self, row: int, fault: Fault) -> None:
        """Damage a row for a drill.

        Raises:
            ContractError: A seed is to be damaged and there is none.
        """
        growing = self.rows[row]
        seeds = [growing.seeds[slot_id] for slot_id in self._setup.slots.slot_ids if slot_id in growing.seeds]
        with torch.no_grad():
            match fault:
                case "nan":
                    next(growing.host.parameters()).view(-1)[0] = math.nan
                case "spike":
                    for parameter in growing.host.parameters():
                        parameter.mul_(SPIKE_FACTOR)
                case "seed_nan" if seeds:
                    next(seeds[0].module.parameters()).view(-1)[0] = math.nan
                case "seed_nan":
                    raise ContractError(f"row {row} has no seed to damage; plant one first")

    def write_row(self, row: int) -> RowState:
        """Return copies of all tensors of a row, the governor's snapshot included."""
        state = write_tensors(self.rows[row], self._setup.slots)
        if row in self._snapshots:
            kept = self._snapshots[row].tensors
            state |= {SNAPSHOT_PREFIX + name: tensor.cpu().numpy().copy() for name, tensor in kept.items()}
        return state

    def read_row(self, row: int, state: RowState) -> None:
        """Take over tensors written by `write_row`."""
        own = {name: array for name, array in state.items() if not name.startswith(SNAPSHOT_PREFIX)}
        read_tensors(self.rows[row], self._setup.slots, own)
        self._snapshots.pop(row, None)
        kept = {
            name.removeprefix(SNAPSHOT_PREFIX): torch.from_numpy(np.array(array)).to(self._setup.device)
            for name, array in state.items()
            if name.startswith(SNAPSHOT_PREFIX)
        }
        if kept:
            self._snapshots[row] = TensorSnapshot(kept)

    def _draws_of(self, row: int) -> SeedDraws:
        def draws(stream: Stream, slot_index: int, birth: int) -> Generator:
            env_id = self._setup.layout.stream_id(row)
            return self._setup.streams.open(stream, self._round, env_id, slot_index, birth)

        return draws


def _score_of(trained: TrainedEpoch | None) -> Score:
    return Score(loss=math.nan, accuracy_pct=math.nan) if trained is None else trained.score


def _stack(scores: list[Score]) -> RowScores:
    return RowScores(
        loss=np.array([score.loss for score in scores]),
        accuracy_pct=np.array([score.accuracy_pct for score in scores]),
    )
