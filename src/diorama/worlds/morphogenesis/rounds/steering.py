"""Orders of an operator for envs that play rounds outside a batch."""

from collections.abc import Mapping, Sequence

import numpy as np

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import I32, JsonObject
from diorama.worlds.morphogenesis.console import COMMANDS
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.controller.deciding import Actions
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.operator import OperatorDesk
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld


class WorldCopies:
    """The envs of a world as an operator's desk wants them: each is a copy of one run."""

    def __init__(self, world: MorphogenesisWorld) -> None:
        """Stand before a world."""
        self._world = world

    @property
    def copies(self) -> int:
        """Number of envs."""
        return len(self._world.envs)

    def nursery_of(self, copy: int) -> tuple[Nursery, int]:
        """Return the run, and the row of an env."""
        return self._world.nursery, copy

    def expert_actions(self, actions: I32) -> None:
        """Write what the rules would decide now."""
        actions[:] = self._world.expert_actions()


class Steering:
    """Takes the commands of this world's console, and puts what was ordered in the place of what was decided."""

    def __init__(self, world: MorphogenesisWorld) -> None:
        """Stand before a world whose episode is open."""
        self._desk = OperatorDesk(WorldCopies(world))

    def obey(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> JsonObject:
        """Carry out one command between two epochs.

        Raises:
            CommandError: There is no such command, or it cannot be carried out now.
        """
        command = next((command for command in COMMANDS if command.name == name), None)
        if command is None:
            known = ", ".join(command.name for command in COMMANDS)
            raise CommandError("not_found", "command", f"no command is called {name!r}; there are: {known}")
        return command.execute(self._desk, args, kwargs)

    def revise(self, actions: Actions) -> tuple[Actions, list[Initiator] | None]:
        """Return the decisions as ordered, and who took them; None where nobody interfered."""
        if self._desk.is_idle:
            return actions, None
        revised, initiators = self._desk.revise(actions.astype(np.int32))
        return revised.astype(np.int64), initiators
