"""The arrays of a task."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.errors import ContractError

Inputs = NDArray[np.float32] | NDArray[np.int64]
Targets = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskData:
    """Inputs and targets to train on and to validate with; tokens have a target per position."""

    train_inputs: Inputs
    train_targets: Targets
    val_inputs: Inputs
    val_targets: Targets

    def __post_init__(self) -> None:
        """Refuse inputs without as many targets."""
        pairs = ((self.train_inputs, self.train_targets), (self.val_inputs, self.val_targets))
        if any(len(inputs) != len(targets) for inputs, targets in pairs):
            raise ContractError("a data set needs one target for each input")

    def first_validation(self, count: int) -> "TaskData":
        """Return the same data with the first samples of the validation set only."""
        return TaskData(
            train_inputs=self.train_inputs,
            train_targets=self.train_targets,
            val_inputs=self.val_inputs[:count],
            val_targets=self.val_targets[:count],
        )
