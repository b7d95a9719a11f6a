"""The arrays of a rollout by name, with the rows of one worker in each."""

from itertools import pairwise

import torch

from diorama.contracts.buffers import PER_COPY, buffer_shapes
from diorama.learn.buffer import RolloutBuffer


def shares_of(copies: int, workers: int) -> list[slice]:
    """Return which copies each worker has; `Batch.split` cuts a batch in the same places."""
    return [slice(start, stop) for start, stop in pairwise(part * copies // workers for part in range(workers + 1))]


def rollout_arrays(rollout: RolloutBuffer) -> dict[str, torch.Tensor]:
    """Return everything that gathering a rollout writes."""
    one_step = buffer_shapes(rollout.shape.spec, rollout.shape.copies)
    # What is not kept for every step is read right after the one that wrote it.
    host = {f"host.{name}": array for name, array in rollout.host.items() if array.dim() > len(one_step[name][0])}
    extras = {f"extras.{name}": array for name, array in rollout.host_extras.items()}
    return {
        **host,
        **extras,
        "actions": rollout.host_actions,
        "log_probs": rollout.log_probs,
        "values": rollout.values,
        "bootstrap": rollout.bootstrap,
        "memory": rollout.memory,
        "chunk_memory": rollout.chunk_memory,
    }


def place_of(name: str, rollout: RolloutBuffer, copies: slice) -> tuple[slice, ...]:
    """Return where the rows of some copies lie in an array of `rollout_arrays`."""
    agents = rollout.shape.spec.agents
    rows = slice(copies.start * agents, copies.stop * agents)
    if name == "memory":
        return (rows,)
    return (slice(None), copies if name.removeprefix("host.") in PER_COPY else rows)
