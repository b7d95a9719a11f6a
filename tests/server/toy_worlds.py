"""Worlds that are registered for tests: two seats with two heads, and one that is a picture."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from diorama.contracts.config import WorldConfig
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import ActionHead, Dtype, EventKind, Metric, ObservationField, WorldSpec
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.contracts.world import World
from diorama.worlds import registry
from diorama.worlds.entries import ENTRIES, Entry
from tests.engine.toy_world import TOY, refuse

SCREEN_SHAPE = (2, 3)


class CountingBot:
    """Chooses one more with every decision, so that what it does shows what it remembers."""

    def reset(self, episode_seed: int) -> None:
        self._decisions = 0

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        self._decisions += 1
        return (self._decisions % 3, 0)


DUO: World[Any] = replace(TOY, bots={"counting": CountingBot})


class ScreenConfig(WorldConfig):
    """`length` decisions end an episode."""

    length: int = 5


def screen_spec(_: ScreenConfig) -> WorldSpec:
    return WorldSpec(
        world="screen",
        interface_version="screen-v1",
        agents=1,
        observation=(
            ObservationField(name="steps", start=0, high=100.0, meaning="steps so far"),
            ObservationField(name="picture", start=0, shape=SCREEN_SHAPE, dtype=Dtype.UINT8, high=255.0, meaning="it"),
            ObservationField(name="code", start=6, dtype=Dtype.UINT8, high=255.0, meaning="the last button"),
        ),
        heads=(ActionHead(name="button", options=("none", "a", "b"), noop=0),),
        has_mask=True,
        metrics=(Metric(key="pressed", label="Buttons pressed"),),
        events=(EventKind(name="pressed"),),
        tick_seconds=0.01,
        snapshot_magic=b"SCRN",
        snapshot_version=1,
        headline=("pressed",),
    )


class ScreenSimulation:
    """Every pixel shows the last button; every press is a point."""

    def __init__(self, config: ScreenConfig) -> None:
        self._length = config.length
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._seed, self._steps, self._button, self._pressed = seed, 0, 0, 0

    @property
    def is_over(self) -> bool:
        return self._steps >= self._length

    @property
    def episode_seed(self) -> int:
        return self._seed

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        self._button = decisions[0][0]
        self._steps += 1
        self._pressed += self._button != 0
        return self._record(tuple(decisions), float(self._button), dt=1)

    def opening_record(self) -> StepRecord:
        return self._record((None,), 0.0, dt=0)

    def _record(self, decisions: tuple[Decision | None, ...], reward: float, *, dt: int) -> StepRecord:
        return StepRecord(
            received=decisions,
            effective=decisions,
            rewards=(reward,),
            reward_terms=({"button": reward},),
            terminated=(self.is_over,),
            truncated=(False,),
            metrics=((float(self._pressed),),),
            dt=dt,
            events=("pressed",) if reward else (),
            event_data={},
            info={},
            draws=0,
        )

    def observe(self, obs: F32, obs_u8: U8) -> None:
        obs[0, 0] = self._steps
        obs_u8[0] = self._button

    def write_masks(self, masks: U8) -> None:
        masks[:] = 1

    def write_alive(self, alive: U8) -> None:
        alive[:] = 1

    def write_episode_starts(self, starts: U8) -> None:
        starts[:] = 0

    def state_words(self) -> U64:
        return np.array([self._seed, self._steps, self._button, self._pressed], np.uint64)

    def snapshot_words(self) -> U64:
        return self.state_words()

    def load_words(self, words: U64) -> None:
        self._seed, self._steps, self._button, self._pressed = (int(word) for word in words)

    def render_state(self) -> JsonObject:
        return {"schema_version": 1, "headline": {"pressed": self._pressed}, "time": self._steps}


SCREEN: World[Any] = replace(
    TOY,
    id="screen",
    summary="Press buttons.",
    config_type=ScreenConfig,
    describe=screen_spec,
    simulate=ScreenSimulation,
    accelerate=refuse,
)


@contextmanager
def registered() -> Iterator[None]:
    """Let `load_world` find both while the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        for world, module in ((DUO, "duo_registration"), (SCREEN, "screen_registration")):
            patch.setitem(ENTRIES, world.id, Entry(f"tests.server.{module}", f"{world.id}-v1", world.summary))
        yield
        registry.load_world.cache_clear()
