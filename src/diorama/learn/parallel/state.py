"""The state of a training in several processes: put together for a checkpoint, and shared out again."""

from dataclasses import replace
from typing import Final

import torch

from diorama.learn.parallel.team import Team
from diorama.learn.state import TrainerState

# Everything else is the same in every process.
_PER_ROW: Final = ("normalizer_state_dict.returns", "rollout.episode_start", "rollout.memory")


def bring_state(team: Team, own: TrainerState) -> TrainerState:
    """Return to the leader the state of one process with everybody's copies; to the others their own."""
    parts = team.bring_objects(({name: own.tensors[name] for name in _PER_ROW}, own.snapshots))
    if not parts:
        return own
    rows = {name: torch.cat([tensors[name] for tensors, _ in parts]) for name in _PER_ROW}
    return replace(
        own, tensors={**own.tensors, **rows}, snapshots=[data for _, snapshots in parts for data in snapshots]
    )


def share_of(team: Team, whole: TrainerState) -> TrainerState:
    """Return the part of a whole state that this process continues."""
    rows = {name: whole.tensors[name].tensor_split(team.size)[team.rank] for name in _PER_ROW}
    copies = len(whole.snapshots) // team.size
    first = team.rank * copies
    return replace(whole, tensors={**whole.tensors, **rows}, snapshots=whole.snapshots[first : first + copies])
