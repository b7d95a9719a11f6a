"""Sequences: what a minibatch is made of.

A rollout is cut along time into chunks of equal length. Chunk `c` of row `r` is sequence `c · rows + r`; without
memory the length is 1 and a sequence is a single decision.
"""

import torch


def sequence_count(steps: int, rows: int, length: int) -> int:
    """Return how many sequences a rollout holds."""
    return steps // length * rows


def sequence_decisions(sequences: torch.Tensor, *, rows: int, length: int) -> torch.Tensor:
    """Return the decisions of the sequences, length × sequences, as places in a rollout flattened step by step."""
    if length == 1:
        return sequences[None]
    chunks = torch.div(sequences, rows, rounding_mode="floor")
    first = chunks * (length * rows) + sequences % rows
    return first[None] + torch.arange(length, device=sequences.device)[:, None] * rows
