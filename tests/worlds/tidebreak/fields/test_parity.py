"""Both tiers in lockstep over random sequences: every stamp, step, query and state word must have the same bits."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from diorama.contracts.values import F32
from diorama.worlds.tidebreak.reference.fields import Field
from tests.worlds.tidebreak.fields.spaces import CELLS, Space, open_space

QUICK = [pytest.param(seed, 30, id=f"seed-{seed}") for seed in range(24)]
LONG = [pytest.param(seed, 400, id=f"long-{seed}", marks=pytest.mark.slow) for seed in range(1000, 1040)]


class Pair:
    """The same space in both tiers, and the numbers that decide what is done to it."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.side_m = self.draw.choice([2000.0, 4096.0, 8000.0, 16384.0, 32768.0])
        # In whole meters, so that rounding makes no side longer than it is meant to be.
        self.center = float(self.draw.randint(-9999, 9999)), float(self.draw.randint(-9999, 9999))
        half = self.side_m / 2
        bounds = (self.center[0] - half, self.center[1] - half, self.center[0] + half, self.center[1] + half)
        settings: dict[str, Any] = {
            "field_period": self.draw.randint(1, 10),
            "max_bricks": self.draw.choice([0, 3, 20, 192, 768]),
            "temperature": [self.draw.uniform(-5.0, 30.0) for _ in range(3)] if self.draw.random() < 0.5 else None,
        }
        self.reference: Space = open_space("reference", bounds, **settings)
        self.fast: Space = open_space("fast", bounds, **settings)
        self._set_static(np.random.default_rng(seed))

    def both(self, ask: Callable[[Space], object]) -> None:
        """Do or ask the same in both tiers, and compare what comes back."""
        expected, found = ask(self.reference), ask(self.fast)
        if isinstance(expected, dict) and isinstance(found, dict):
            assert list(expected) == list(found)
            for name, value in expected.items():
                _assert_same_bits(value, found[name])
        else:
            _assert_same_bits(expected, found)

    def place(self) -> tuple[float, float]:
        """Draw a place in the domain or somewhat beyond."""
        x, y = (at + self.draw.uniform(-0.6, 0.6) * self.side_m for at in self.center)
        return x, y

    def stamp(self) -> None:
        """Draw a stamp or an effect and apply it."""
        draw, (x, y) = self.draw, self.place()
        layers, layer = draw.randint(1, 7), draw.randint(0, 2)
        size_m = draw.choice([1.0, 30.0, 100.0, 500.0, 2000.0]) * draw.uniform(0.5, 1.5)
        has_falloff = draw.random() < 0.7
        mods = [
            (
                draw.randint(5, 10),
                draw.randint(0, 6),
                draw.choice([1.0, -1.0, 0.3, 40.0]) * draw.random(),
                draw.random(),
            )
            for _ in range(draw.randint(1, 3))
        ]
        end = x + draw.uniform(-2.0, 2.0) * size_m, y + draw.uniform(-1.0, 1.0) * size_m
        share, speed_ms = draw.uniform(0.0, 2.0), draw.uniform(0.0, 25.0)
        deeds: list[Callable[[Space], object]] = [
            lambda space: space.stamp_circle(layers, x, y, size_m, mods, has_falloff),
            lambda space: space.stamp_box(layers, x, y, x + size_m, y + size_m / 3, mods),
            lambda space: space.stamp_capsule(layers, x, y, *end, size_m / 4, mods, has_falloff),
            lambda space: space.explosion_surface(x, y, share),
            lambda space: space.explosion_underwater(x, y),
            lambda space: space.fire(x, y, share),
            lambda space: space.sonar_ping(layer, x, y),
            lambda space: space.transit(layers, x, y),
            lambda space: space.wake(layer, x, y, 40.0 * share, speed_ms),
            lambda space: space.sinking(x, y),
        ]
        self.both(draw.choice(deeds))

    def propagate(self) -> None:
        """Draw a wind and advance; how many cells that takes is each tier's own affair."""
        wind = self.draw.uniform(-30.0, 30.0), self.draw.uniform(-30.0, 30.0)
        self.reference.propagate(*wind)
        self.fast.propagate(*wind)

    def compare_states(self) -> None:
        self.both(lambda space: space.brick_keys)
        self.both(lambda space: space.is_saturated)
        self.both(lambda space: space.state_words())
        self.both(lambda space: space.state_hash())

    def compare_queries(self) -> None:
        draw, (x, y) = self.draw, self.place()
        layer, level, field = draw.randint(0, 2), draw.randint(0, 5), draw.randint(0, 10)
        radius_m = draw.choice([0.0, 10.0, 500.0, 3000.0]) * draw.uniform(0.0, 2.0)
        heading, shell = draw.uniform(-10.0, 10.0), (0.0, draw.uniform(1.0, 900.0), draw.randint(1, 64), level)
        depth = draw.randint(0, 4)
        node = depth, draw.randrange(1 << depth), draw.randrange(1 << depth), draw.randrange((1, 2, 3, 3, 3)[depth])
        self.both(lambda space: space.point(layer, x, y, level))
        self.both(lambda space: space.volume(layer, x, y, radius_m, level))
        self.both(lambda space: space.foveated(layer, x, y, heading, range(11)))
        self.both(lambda space: space.foveated(layer, x, y, heading, [field, 1], [shell]))
        self.both(lambda space: space.summary(*node))
        self.both(lambda space: space.grid(field, layer, level))

    def _set_static(self, noise: np.random.Generator) -> None:
        for layer in range(3):
            if self.draw.random() < 0.7:
                walls = noise.random((CELLS, CELLS)) < self.draw.choice([0.02, 0.3])
                self._set_in_both(Field.OCCUPANCY, layer, walls * np.float32(self.draw.choice([0.5, 0.6, 1.0])))
            for field in (Field.DEPTH, Field.SALINITY, Field.CURRENT_X, Field.CURRENT_Y):
                if self.draw.random() < 0.3:
                    self._set_in_both(field, layer, noise.normal(size=(CELLS, CELLS)).astype(np.float32))

    def _set_in_both(self, field: int, layer: int, values: F32) -> None:
        self.reference.set_static(field, layer, values)
        self.fast.set_static(field, layer, values)


def _assert_same_bits(expected: object, found: object) -> None:
    one, other = np.asarray(expected), np.asarray(found)
    assert one.dtype == other.dtype
    assert one.shape == other.shape
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("seed", "ticks"), [*QUICK, *LONG])
def test_both_tiers_agree_bit_for_bit(seed: int, ticks: int) -> None:
    pair = Pair(seed)
    for _ in range(ticks):
        for _ in range(pair.draw.randint(0, 3)):
            pair.stamp()
        if pair.draw.random() < 0.7:
            pair.propagate()
        pair.compare_states()
        pair.compare_queries()
        if pair.draw.random() < 0.05:
            words = pair.fast.state_words()
            for space in (pair.reference, pair.fast):
                space.reset()
                space.restore(words)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_deeds_give_the_same_words_again(seed: int) -> None:
    hashes = []
    for _ in range(2):
        pair = Pair(seed)
        for _ in range(10):
            pair.stamp()
            pair.propagate()
        hashes.append((pair.reference.state_hash(), pair.fast.state_hash()))

    assert hashes[0] == hashes[1]
    assert hashes[0][0] == hashes[0][1]


def test_quiet_corners_stay_quiet_in_both_tiers() -> None:
    spaces = [open_space(tier, decay=[0.0] * 6) for tier in ("reference", "fast")]
    for space in spaces:
        space.fire(100.0, 100.0, 1.0)
        for _ in range(50):
            space.propagate(25.0, -25.0)

    assert spaces[0].state_hash() == spaces[1].state_hash()
    assert all(np.all(space.grid(Field.NOISE, 2) == 0.0) for space in spaces)
