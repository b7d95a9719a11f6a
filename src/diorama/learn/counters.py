"""`Counters`: how far a training run has come."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Self

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonValue
from diorama.learn.parallel.team import Team
from diorama.learn.parallel.telling import count_together
from diorama.learn.rollouts.rollout import Rollout


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

    def count_steps(self, rollout: Rollout, team: Team | None) -> None:
        """Take in how many steps a rollout has, and those of the others of a team, which are as many each."""
        self.env_steps_total += rollout.shape.steps * rollout.shape.copies * (1 if team is None else team.size)

    def count_decisions(self, rollout: Rollout, team: Team | None) -> None:
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
