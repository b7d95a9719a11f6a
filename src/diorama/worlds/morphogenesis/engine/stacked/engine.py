"""All rows of a round as one network while they are trained and measured."""

import math

import numpy as np
import torch

from diorama.device_recording import apart
from diorama.worlds.morphogenesis.engine.arithmetic import plain_arithmetic
from diorama.worlds.morphogenesis.engine.feeding import Minibatch
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, Overrides, RowScores
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.stacked.kept import Kept, structure_of
from diorama.worlds.morphogenesis.engine.stacked.playback import Playback
from diorama.worlds.morphogenesis.engine.stacked.training import StackedTraining
from diorama.worlds.morphogenesis.engine.stacked.validation import Lanes, StackedValidation
from diorama.worlds.morphogenesis.hosting.dropout import StreamDropout


class StackedEngine(ReferenceEngine):
    """The rows of the readable engine, stacked for the length of an epoch.

    Between epochs every row is an ordinary module, so that planting, snapshots and rollbacks are the readable
    engine's own; only the arithmetic of training and measuring is done for all rows together. On a graphics card its
    steps are recordings, which serve as long as the structure of the rows stays.
    """

    def __init__(self, setup: EngineSetup, *, is_recorded: bool = True) -> None:
        """Build every row. Without recordings, every operation is asked for by itself, as on a processor."""
        super().__init__(setup)
        draws = any(isinstance(part, StreamDropout) and part.share > 0.0 for part in self.rows[0].host.modules())
        # What is dropped is drawn on the processor, which a recording would only do once.
        self._playback = Playback(setup.device, is_recorded=is_recorded and not draws)
        self._trainings: Kept[StackedTraining] = Kept()
        self._validations: Kept[StackedValidation] = Kept()

    def reset(self, round_index: int) -> None:
        """Begin a round."""
        self._trainings.clear()
        self._validations.clear()
        self._playback.renew()
        super().reset(round_index)

    @plain_arithmetic()
    def train_epoch(self, epoch: int) -> RowScores:
        """Train every row that is not frozen on the minibatches of an epoch."""
        rows = [row for row in range(len(self.rows)) if row not in self._frozen]
        if rows:
            self.rows[rows[0]].host.begin_epoch(self._setup.streams.open("dropout", self._round, epoch))
            minibatches = self._minibatches(epoch, rows)
            reads_gradients = epoch % self._setup.gradient_stride == 0
            with apart(self._playback.stream):
                stacked = self._trainings.get(
                    structure_of(self.rows[row] for row in rows),
                    lambda: StackedTraining(self._setup, self.rows, rows, minibatches[0], self._playback),
                )
                results = stacked.train(minibatches, reads_gradients=reads_gradients)
            for row, trained in zip(rows, results, strict=True):
                self._trained[row] = trained
        scores = [None if trained is None else trained.score for trained in self._trained]
        return RowScores(
            loss=np.array([math.nan if score is None else score.loss for score in scores]),
            accuracy_pct=np.array([math.nan if score is None else score.accuracy_pct for score in scores]),
        )

    @plain_arithmetic()
    def validate(self, overrides: Overrides) -> RowScores:
        """Measure every row once a pass; a pass that overrides nothing repeats the first."""
        lanes = Lanes(overrides, self._setup.slots.slot_ids)
        with torch.inference_mode(), apart(self._playback.stream):
            stacked = self._validations.get(
                (structure_of(self.rows), lanes.key),
                lambda: StackedValidation(self._setup, self._feed, self.rows, lanes.lanes, self._playback),
            )
            return stacked.measure(lanes.lane_of)

    def _minibatches(self, epoch: int, rows: list[int]) -> list[Minibatch]:
        if self._setup.shares_data:
            shared = self._feed.minibatches(self._round, epoch)
            return [(inputs[None], targets[None]) for inputs, targets in shared]
        own = [self._feed.minibatches(self._round, epoch, row) for row in rows]
        return [
            (torch.stack([inputs for inputs, _ in alike]), torch.stack([targets for _, targets in alike]))
            for alike in zip(*own, strict=True)
        ]
