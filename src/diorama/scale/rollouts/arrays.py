"""The arrays of a rollout by name, with the rows of one worker in each."""

import torch

from diorama.contracts.buffers import PER_COPY
from diorama.learn.rollout import Rollout

_FOR_ONE_STEP = frozenset({"final_obs", "final_obs_u8"})  # read where they were written, right after the step


def rollout_arrays(rollout: Rollout) -> dict[str, torch.Tensor]:
    """Return everything that gathering a rollout writes."""
    host = {f"host.{name}": array for name, array in rollout.host.items() if name not in _FOR_ONE_STEP}
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


def place_of(name: str, rollout: Rollout, copies: slice) -> tuple[slice, ...]:
    """Return where the rows of some copies lie in an array of `rollout_arrays`."""
    agents = rollout.shape.spec.agents
    rows = slice(copies.start * agents, copies.stop * agents)
    if name == "memory":
        return (rows,)
    return (slice(None), copies if name.removeprefix("host.") in PER_COPY else rows)
