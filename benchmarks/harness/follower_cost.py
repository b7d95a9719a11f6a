"""Towns in this process with more and more followers, some ticks of each in turn."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from diorama.contracts.config import parse_config
from diorama.operate.live.runtime import LiveRuntime
from diorama.telemetry.live.subscription import Subscription
from diorama.worlds.registry import load_world

_WORLD: Final = "townlet"
_SEED: Final = 1
_IN_A_ROW: Final = 10


@dataclass(slots=True)
class FollowerCost:
    """What was measured with one number of followers.

    Attributes:
        tick_s: Processor time of each tick, in seconds.
        read_s: Processor time of everybody's reading, in sum.
    """

    tick_s: list[float] = field(default_factory=list)
    read_s: float = 0.0


class FollowedTown:
    """A town with so many followers."""

    def __init__(self, count: int, folder: Path) -> None:
        """Open it and let everybody in."""
        world = load_world(_WORLD)
        config = parse_config(_WORLD, world.config_type, {})
        self._runtime = LiveRuntime.open(world, config, root=folder, speed="max", seed=_SEED)
        self._followers: list[Subscription] = [self._runtime.publisher.subscribe() for _ in range(count)]

    def tick(self, cost: FollowerCost) -> None:
        """Live through one tick, then let everybody read all that was told."""
        began = time.thread_time()
        self._runtime.run_ticks(1)
        told = time.thread_time()
        for follower in self._followers:
            while follower.next(0.0) is not None:
                pass
        cost.tick_s.append(told - began)
        cost.read_s += time.thread_time() - told

    def close(self) -> None:
        """Let go of it."""
        self._runtime.close()


def followed(counts: Sequence[int], ticks: int, folder: Path) -> dict[int, FollowerCost]:
    """Run one town for each number of followers through the same ticks, in turn."""
    costs = {count: FollowerCost() for count in counts}
    with ExitStack() as open_towns:
        towns = {count: FollowedTown(count, folder / str(count)) for count in counts}
        for town in towns.values():
            open_towns.callback(town.close)
            town.tick(FollowerCost())  # the first message is the whole state, for everybody
        # Several ticks at a time: what a town's own followers leave in the processor's caches is part of their cost.
        for begun in track(range(0, ticks, _IN_A_ROW), description="followers", console=Console(stderr=True)):
            for count, town in towns.items():
                for _ in range(min(_IN_A_ROW, ticks - begun)):
                    town.tick(costs[count])
    return costs
