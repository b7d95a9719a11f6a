"""All rows of a round as one network while they are trained and measured."""

import math

import numpy as np
import torch

from diorama.worlds.morphogenesis.engine.feeding import Minibatch
from diorama.worlds.morphogenesis.engine.protocol import Overrides, RowScores
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.reference.one_thread import one_thread
from diorama.worlds.morphogenesis.engine.stacked.training import StackedEpoch
from diorama.worlds.morphogenesis.engine.stacked.validation import validate_rows


class StackedEngine(ReferenceEngine):
    """The rows of the readable engine, stacked for the length of an epoch.

    Between epochs every row is an ordinary module, so that planting, snapshots and rollbacks are the readable
    engine's own; only the arithmetic of training and measuring is done for all rows together.
    """

    @one_thread()
    def train_epoch(self, epoch: int) -> RowScores:
        """Train every row that is not frozen on the minibatches of an epoch."""
        rows = [row for row in range(len(self.rows)) if row not in self._frozen]
        if rows:
            self.rows[rows[0]].host.begin_epoch(self._setup.streams.open("dropout", self._round, epoch))
            stacked = StackedEpoch(self._setup, self.rows, rows)
            reads_gradients = epoch % self._setup.gradient_stride == 0
            results = stacked.train(self._minibatches(epoch, rows), reads_gradients=reads_gradients)
            for row, trained in zip(rows, results, strict=True):
                self._trained[row] = trained
        scores = [None if trained is None else trained.score for trained in self._trained]
        return RowScores(
            loss=np.array([math.nan if score is None else score.loss for score in scores]),
            accuracy_pct=np.array([math.nan if score is None else score.accuracy_pct for score in scores]),
        )

    @one_thread()
    def validate(self, overrides: Overrides) -> RowScores:
        """Measure every row once a pass; a pass that overrides nothing repeats the first."""
        return validate_rows(self._setup, self._feed, self.rows, overrides)

    def _minibatches(self, epoch: int, rows: list[int]) -> list[Minibatch]:
        if self._setup.shares_data:
            shared = self._feed.minibatches(self._round, epoch)
            return [(inputs[None], targets[None]) for inputs, targets in shared]
        own = [self._feed.minibatches(self._round, epoch, row) for row in rows]
        return [
            (torch.stack([inputs for inputs, _ in alike]), torch.stack([targets for _, targets in alike]))
            for alike in zip(*own, strict=True)
        ]
