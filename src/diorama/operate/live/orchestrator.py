"""The seven stages of a tick in their order, with hooks and timers around them.

1 console     commands are executed
2 schedule    what is due happens                      the world
3 policy      observations are read, actions selected  the world, told by whoever decides
4 resolve     actions are carried out                  the world
5 settle      needs, endings, rewards                  the world
6 tell        stability, promotion, telemetry
7 keep        the log, on to the next tick, autosave
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from diorama.contracts.live.world import LiveWorld
from diorama.operate.live.timers import STAGES, StageTimers

CONSOLE, SCHEDULE, POLICY, RESOLVE, SETTLE, TELL, KEEP = range(1, STAGES + 1)
STAGE_NAMES: Final = ("console", "schedule", "policy", "resolve", "settle", "tell", "keep")

Stage = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageContext:
    """What a hook is told: the world, and the tick that is being executed."""

    world: LiveWorld
    tick: int


class StageHook(Protocol):
    """Somebody who watches the stages, such as a renderer; it must leave the world as it is."""

    def before_stage(self, number: int, ctx: StageContext) -> None:
        """A stage is about to begin."""

    def after_stage(self, number: int, ctx: StageContext) -> None:
        """A stage has ended."""


class StageFailure(Exception):
    """A stage raised; the tick is cut short and nothing of it may be told."""

    def __init__(self, tick: int, stage: int, error: Exception) -> None:
        """Keep where it happened; `error` is why."""
        super().__init__(f"tick {tick}, stage {stage} ({STAGE_NAMES[stage - 1]}): {type(error).__name__}: {error}")
        self.tick = tick
        self.stage = stage
        self.error = error


class Orchestrator:
    """Owns the order of the stages and nothing of what they do.

    Attributes:
        timers: How long they take.
    """

    def __init__(self, world: LiveWorld, stages: Sequence[Stage], hooks: Sequence[StageHook] = ()) -> None:
        """Take one callable per stage, in order."""
        if len(stages) != STAGES:
            raise ValueError(f"{len(stages)} stages were given; a tick has {STAGES}")
        self._world = world
        self._stages = tuple(stages)
        self._hooks = [*hooks]
        self.timers = StageTimers()

    def add_hook(self, hook: StageHook) -> None:
        """Call somebody around every stage from now on."""
        self._hooks.append(hook)

    def run_tick(self) -> None:
        """Execute one tick.

        Raises:
            StageFailure: A stage or a hook raised; the stages after it were not run.
        """
        context = StageContext(world=self._world, tick=self._world.clock.tick)
        seconds: list[float] = []
        for number, stage in enumerate(self._stages, start=1):
            began = time.perf_counter()
            try:
                for hook in self._hooks:
                    hook.before_stage(number, context)
                stage()
                for hook in self._hooks:
                    hook.after_stage(number, context)
            except Exception as error:
                raise StageFailure(context.tick, number, error) from error
            seconds.append(time.perf_counter() - began)
        self.timers.note(context.tick, seconds)
