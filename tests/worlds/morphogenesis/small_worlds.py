"""Small worlds for tests: a few minibatches an epoch, a short validation set, all events kept."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld

SMALL: Mapping[str, object] = {"max_epochs": 6, "train_batches_per_epoch": 1, "batch_size": 32, "val_subset": 60}


def small_world(
    settings: Mapping[str, object] | None = None,
    *,
    envs: int = 1,
    root_key: int = 5,
    log: list[TelemetryEvent] | None = None,
    make_engine: EngineMaker = ReferenceEngine,
) -> MorphogenesisWorld:
    """Build a world on the readable engine; settings go over the small ones, and events to the log."""
    config = MorphogenesisConfig.model_validate({**SMALL, **(settings or {})})
    sinks = () if log is None else (log.append,)
    return MorphogenesisWorld.build(config, make_engine, envs=envs, root_key=root_key, events=EventStream(sinks=sinks))


def rows(*actions: Action) -> NDArray[np.int64]:
    """Return one action per env."""
    return np.array(actions, np.int64)


def play(world: MorphogenesisWorld, script: Iterable[Action], *, round_index: int = 0) -> list[float]:
    """Play a round in which every env does the same, and return the rewards of the first; it waits at the end."""
    world.reset(round_index)
    rewards, actions = [], iter(script)
    while world.is_open:
        stepped = world.step(rows(*[next(actions, WAIT)] * len(world.envs)))
        rewards.append(float(stepped.rewards[0]))
    return rewards
