"""Portions of a rollout: picked sequences, gathered into memory of their own, or a block that is read where it lies."""

from dataclasses import dataclass
from typing import Protocol

import torch

from diorama.learn.ppo.sequences import sequence_decisions


class Portion(Protocol):
    """Some sequences of a rollout."""

    @property
    def sequences(self) -> int:
        """How many there are."""

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of these sequences from an array with one per sequence."""

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of their decisions, step by step, from an array with one per decision."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive single decisions: steps follow one another in memory, so nothing is copied."""

    first: int
    sequences: int

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)


@dataclass(frozen=True, slots=True)
class Picked:
    """Any sequences; `places` says where their decisions lie, step by step."""

    chosen: torch.Tensor
    places: torch.Tensor

    @property
    def sequences(self) -> int:
        """How many there are."""
        return len(self.chosen)

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return copies."""
        return array.index_select(0, self.chosen)

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return copies."""
        return array.index_select(0, self.places)


def pick(sequences: torch.Tensor, *, rows: int, length: int) -> Picked:
    """Return the portion of these sequences."""
    return Picked(sequences, sequence_decisions(sequences, rows=rows, length=length).reshape(-1))


def blocks(total: int, size: int) -> list[Block]:
    """Cut so many single decisions into blocks of one size; the last may be smaller."""
    return [Block(first, min(size, total - first)) for first in range(0, total, size)]
