"""Everything a run needs to continue exactly: counters, weights, optimizer, statistics, snapshots."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Final, Self

import numpy as np
import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.distributed import Team, count_together
from diorama.learn.normalization import RewardScaler
from diorama.learn.optimizer import FlatAdam
from diorama.learn.policies.policy import Policy


@dataclass(slots=True)
class Counters:
    """Totals of a whole run, over all processes of a team.

    Attributes:
        updates: Policy updates from rollouts.
        env_steps_total: Steps of copies.
        agent_steps_total: Decisions of seats that were alive, and transitions of replays.
        ticks_total: Simulated time.
        replays: Policy updates from stored episodes.
        skips_in_a_row: Updates since the last in which a step could be taken.
    """

    updates: int = 0
    env_steps_total: int = 0
    agent_steps_total: int = 0
    ticks_total: int = 0
    replays: int = 0
    skips_in_a_row: int = 0

    @classmethod
    def of(cls, values: Mapping[str, JsonValue]) -> Self:
        """Return the counters of a stored state; states from before replays and skips were counted had none.

        Raises:
            ConfigError: One is missing or no whole number.
        """
        known: dict[str, JsonValue] = {"replays": 0, "skips_in_a_row": 0, **values}
        return cls(**{counter.name: whole_number(known, counter.name) for counter in fields(cls)})

    def values(self) -> dict[str, int]:
        """Return every counter by name."""
        return asdict(self)

    def count_steps(self, rollout: RolloutBuffer, team: Team | None) -> None:
        """Take in how many steps a rollout has, and those of the others of a team, which are as many each."""
        self.env_steps_total += rollout.shape.steps * rollout.shape.copies * (1 if team is None else team.size)

    def count_decisions(self, rollout: RolloutBuffer, team: Team | None) -> None:
        """Take in decisions and simulated time of a rollout, and those of the others of a team."""
        agent_steps = int(np.count_nonzero(rollout.host["alive"][:-1].numpy()))
        ticks = int(rollout.host["dt"][1:].numpy().sum())
        if team is not None:
            agent_steps, ticks = count_together(team, agent_steps, ticks)
        self.agent_steps_total += agent_steps
        self.ticks_total += ticks


def whole_number(values: Mapping[str, JsonValue], name: str) -> int:
    """Return a whole number of a stored state.

    Raises:
        ConfigError: There is none of that name.
    """
    number = values.get(name)
    if not isinstance(number, int):
        raise ConfigError(f"trainer state: {name!r} is {number!r}; it must be a whole number")
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerState:
    """A training between two updates.

    Attributes:
        tensors: By dotted name: `model_state_dict.…`, `optimizer_state_dict.…`, `normalizer_state_dict.…`,
            `rollout.…`; on the CPU.
        values: Counters and the seed; every draw is a function of these.
        snapshots: One per copy.
    """

    tensors: dict[str, torch.Tensor]
    values: JsonObject
    snapshots: list[bytes]


def prefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return copies on the CPU under dotted names."""
    return {f"{prefix}.{name}": tensor.detach().cpu().clone() for name, tensor in tensors.items()}


def unprefixed(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tensors of one dotted name, without it."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }


_POLICY: Final = "model_state_dict"
_OPTIMIZER: Final = "optimizer_state_dict"
_SCALER: Final = "normalizer_state_dict"
_OF_ROWS: Final = "returns"  # what a scaler knows of the rows of one process


@dataclass(frozen=True, slots=True)
class ModelState:
    """Weights, momenta and statistics of a training; names begin as in a checkpoint."""

    policy: Policy
    adam: FlatAdam
    scaler: RewardScaler

    def tensors(self, *, of_rows: bool = True) -> dict[str, torch.Tensor]:
        """Return copies on the CPU; without `of_rows` only what is the same in every process of a team."""
        scaler = {name: tensor for name, tensor in self.scaler.state_dict().items() if of_rows or name != _OF_ROWS}
        return {
            **prefixed(_POLICY, self.policy.state_dict()),
            **prefixed(_OPTIMIZER, self.adam.state()),
            **prefixed(_SCALER, scaler),
        }

    def take(self, tensors: dict[str, torch.Tensor], *, of_rows: bool = True) -> None:
        """Go on with what `tensors` returned elsewhere; other names in it are passed over."""
        self.policy.load_state_dict(unprefixed(_POLICY, tensors))
        self.adam.load_state(unprefixed(_OPTIMIZER, tensors))
        self.scaler.load_state_dict(unprefixed(_SCALER, tensors), strict=of_rows)


# Everything else is the same in every process.
_PER_ROW: Final = ("normalizer_state_dict.returns", "rollout.episode_start", "rollout.memory")


def gather_state(team: Team, own: TrainerState) -> TrainerState:
    """Return to the leader the state of one process with everybody's copies; to the others their own."""
    parts = team.gather_objects(({name: own.tensors[name] for name in _PER_ROW}, own.snapshots))
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
