"""State of a training between two updates: counters, weights, optimizer, statistics, snapshots."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Final, Self

import numpy as np
import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.distributed import Team, all_reduce_counts
from diorama.learn.normalization import RewardScaler
from diorama.learn.optimizer import FlatAdam
from diorama.learn.policies.policy import Policy
from diorama.learn.teachers import stack_memories


@dataclass(slots=True)
class Counters:
    """Totals of a run, over all processes of a team.

    Attributes:
        updates: Policy updates from rollouts.
        env_steps_total: Steps of copies.
        agent_steps_total: Decisions of seats that were alive, and transitions of replays.
        ticks_total: Simulated time.
        replays: Policy updates from stored episodes.
        skips_in_a_row: Updates since the last one with an optimizer step.
    """

    updates: int = 0
    env_steps_total: int = 0
    agent_steps_total: int = 0
    ticks_total: int = 0
    replays: int = 0
    skips_in_a_row: int = 0

    @classmethod
    def of(cls, values: Mapping[str, JsonValue]) -> Self:
        """Return the counters of a stored state; older states have no `replays` and `skips_in_a_row`.

        Raises:
            ConfigError: A counter is missing or not an integer.
        """
        stored: dict[str, JsonValue] = {"replays": 0, "skips_in_a_row": 0, **values}
        return cls(**{counter.name: read_int(stored, counter.name) for counter in fields(cls)})

    def values(self) -> dict[str, int]:
        """Return every counter by name."""
        return asdict(self)

    def count_steps(self, rollout: RolloutBuffer, team: Team | None) -> None:
        """Add the env steps of a rollout; every process of a team has as many."""
        self.env_steps_total += rollout.shape.steps * rollout.shape.copies * (1 if team is None else team.size)

    def count_decisions(self, rollout: RolloutBuffer, team: Team | None) -> None:
        """Add decisions and simulated time of a rollout, summed over a team."""
        agent_steps = int(np.count_nonzero(rollout.host["alive"][:-1].numpy()))
        ticks = int(rollout.host["dt"][1:].numpy().sum())
        if team is not None:
            agent_steps, ticks = all_reduce_counts(team, agent_steps, ticks)
        self.agent_steps_total += agent_steps
        self.ticks_total += ticks


def read_int(values: Mapping[str, JsonValue], name: str) -> int:
    """Return an integer of a stored state.

    Raises:
        ConfigError: It is missing or not an integer.
    """
    number = values.get(name)
    if not isinstance(number, int):
        raise ConfigError(
            f"trainer state: {name!r} is {number!r}; it must be an integer",
            code="state_value_not_integer",
            name=name,
            value=number,
        )
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerState:
    """State of a training between two updates.

    Attributes:
        tensors: By dotted name: `model_state_dict.…`, `optimizer_state_dict.…`, `normalizer_state_dict.…`,
            `rollout.…`; on the CPU.
        values: Counters and seed; every random draw is a function of these.
        snapshots: One per copy.
    """

    tensors: dict[str, torch.Tensor]
    values: JsonObject
    snapshots: list[bytes]


def prefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return copies on the CPU, with a prefix and a dot before their names."""
    return {f"{prefix}.{name}": tensor.detach().cpu().clone() for name, tensor in tensors.items()}


def unprefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tensors with this prefix, without the prefix."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }


_POLICY: Final = "model_state_dict"
_OPTIMIZER: Final = "optimizer_state_dict"
_SCALER: Final = "normalizer_state_dict"
_PER_ROW_STATISTIC: Final = "returns"  # of the reward scaler: differs between processes


@dataclass(frozen=True, slots=True)
class ModelState:
    """Weights, optimizer moments and statistics of a training; tensor names are those of a checkpoint."""

    policy: Policy
    adam: FlatAdam
    scaler: RewardScaler

    def tensors(self, *, with_rows: bool = True) -> dict[str, torch.Tensor]:
        """Return copies on the CPU; without `with_rows` only tensors that are equal in all processes of a team."""
        scaler = self.scaler.state_dict()
        if not with_rows:
            del scaler[_PER_ROW_STATISTIC]
        return {
            **prefixed(_POLICY, self.policy.state_dict()),
            **prefixed(_OPTIMIZER, self.adam.state_dict()),
            **prefixed(_SCALER, scaler),
        }

    def load(self, tensors: dict[str, torch.Tensor], *, with_rows: bool = True) -> None:
        """Load what `tensors` returned; other names are ignored."""
        self.policy.load_state_dict(unprefixed(_POLICY, tensors))
        self.adam.load_state_dict(unprefixed(_OPTIMIZER, tensors))
        self.scaler.load_state_dict(unprefixed(_SCALER, tensors), strict=with_rows)


TEACHER_MEMORIES: Final = "rollout.teacher_memories"  # only where a teacher is asked
# Split over the processes of a team; everything else is equal in all of them.
_PER_ROW: Final[tuple[str, ...]] = (
    "normalizer_state_dict.returns",
    "rollout.episode_start",
    "rollout.memory",
    TEACHER_MEMORIES,
)


def gather_state(team: Team, own: TrainerState) -> TrainerState:
    """Return the combined state to the leader, and `own` to the other processes."""
    parts = team.gather_objects(({name: own.tensors[name] for name in _PER_ROW if name in own.tensors}, own.snapshots))
    if not parts:
        return own
    rows = {name: _stacked([tensors[name] for tensors, _ in parts]) for name in parts[0][0]}
    return replace(
        own, tensors={**own.tensors, **rows}, snapshots=[data for _, snapshots in parts for data in snapshots]
    )


def _stacked(parts: list[torch.Tensor]) -> torch.Tensor:
    return stack_memories(parts) if parts[0].dim() > 1 else torch.cat(parts)


def state_share(team: Team, whole: TrainerState) -> TrainerState:
    """Return the part of a combined state that this process continues."""
    per_row = [name for name in _PER_ROW if name in whole.tensors]
    rows = {name: whole.tensors[name].tensor_split(team.size)[team.rank] for name in per_row}
    copies = len(whole.snapshots) // team.size
    first = team.rank * copies
    return replace(whole, tensors={**whole.tensors, **rows}, snapshots=whole.snapshots[first : first + copies])
