"""Who decides in duels and comparisons: controllers by name, and policies of runs."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import UnknownName
from diorama.contracts.values import F32
from diorama.engine.players import Contender, let_see
from diorama.engine.venue import open_venue
from diorama.runs.champions import find_run, is_champion_id
from diorama.training.evaluation import run_contender
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import WORLD_ID
from diorama.worlds.morphogenesis.controller.deciding import Actions
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.engine.core import SLOT_BY_OP
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.controllers import CONTROLLER_NAMES, Decider


class LearnedController:
    """A trained policy as a controller of some hosts; a rollback clears what it remembers of a host."""

    def __init__(self, contender: Contender, config: MorphogenesisConfig, world: MorphogenesisWorld) -> None:
        """Begin with empty memories."""
        self._world = world
        self._player = contender.start(open_venue(WORLD_ID, config.model_dump(mode="json")).spec, len(world.envs))
        self._forgets: NDArray[np.bool_] = np.ones(len(world.envs), np.bool_)
        let_see(self._player, self._extra)

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return one action per env."""
        world = self._world
        rows: list[int] = np.flatnonzero(self._forgets).tolist()
        self._player.reset(rows, [world.nursery.streams.root_key] * len(rows))
        self._forgets = ~world.deciding
        return self._player.act(obs, world.blueprint_bytes, world.flat_masks).astype(np.int64)

    def _extra(self, name: str) -> NDArray[np.generic]:
        if name != SLOT_BY_OP:
            raise UnknownName.among("extra array of hosts in a duel", name, (SLOT_BY_OP,))
        return self._world.slot_by_op.reshape(len(self._world.envs), -1)


def decider_named(name: str, config: MorphogenesisConfig, run_root: Path) -> Decider:
    """Return who decides: a controller of that name, or else the newest policy of the run of that name.

    Raises:
        UnknownName: There is neither, or the run has no checkpoint.
        CheckpointMismatch: The policy is of another world or of other slots.
    """
    if name in CONTROLLER_NAMES:
        return name
    if not is_champion_id(name) and not (run_root / name).is_dir():
        nobody = UnknownName.among("controller", name, CONTROLLER_NAMES)
        raise UnknownName(f"{nobody}; and there is no run {name!r} in {run_root}")
    venue = open_venue(WORLD_ID, config.model_dump(mode="json"))
    contender = run_contender(find_run(run_root, name).layout, venue, deterministic=True)
    return lambda world: LearnedController(contender, config, world)
