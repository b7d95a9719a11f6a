"""How minibatches reach the hosts: the whole data set on the device, one permutation an epoch."""

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from diorama.worlds.morphogenesis.data.augmentation import crop_flip
from diorama.worlds.morphogenesis.data.minibatches import minibatch_rows
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup

Minibatch = tuple[Tensor, Tensor]
SHARED_ROW: Final = 0


class Feed:
    """Training and validation tensors of a run, and the minibatches of its epochs."""

    def __init__(self, setup: EngineSetup) -> None:
        """Put the data on the device."""
        data = setup.data
        self._setup = setup
        self._train_inputs = torch.from_numpy(data.train_inputs).to(setup.device)
        self._train_targets = torch.from_numpy(data.train_targets).to(setup.device)
        self.val_inputs = torch.from_numpy(data.val_inputs).to(setup.device)
        self.val_targets = torch.from_numpy(data.val_targets).to(setup.device)

    def minibatches(self, round_index: int, epoch: int, row: int = SHARED_ROW) -> list[Minibatch]:
        """Return the minibatches of an epoch; the row matters only where hosts do not share their data."""
        setup = self._setup
        own = () if setup.shares_data else (setup.layout.stream_id(row),)
        rows = minibatch_rows(
            len(self._train_inputs),
            setup.batch_size,
            setup.streams.open("data", round_index, epoch, *own),
            max_batches=setup.max_batches,
        )
        order = torch.from_numpy(np.concatenate(rows)).to(setup.device)
        targets = self._train_targets[order].split(setup.batch_size)
        if setup.augments:
            inputs = [self._augmented(picked, round_index, epoch, batch) for batch, picked in enumerate(rows)]
        else:
            inputs = list(self._train_inputs[order].split(setup.batch_size))
        return list(zip(inputs, targets, strict=True))

    def _augmented(self, picked: NDArray[np.int64], round_index: int, epoch: int, batch: int) -> Tensor:
        draws = self._setup.streams.open("augment", round_index, epoch, batch)
        images = self._setup.data.train_inputs[picked].astype(np.float32, copy=False)
        return torch.from_numpy(crop_flip(images, draws)).to(self._setup.device)
