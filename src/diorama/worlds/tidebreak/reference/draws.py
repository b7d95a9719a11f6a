"""Keyed draws of a battle: ⟨stream; a, b, k⟩ with the battle's seed and, unless a rule fixes it, its tick."""

from enum import IntEnum

from diorama.rng import keyed
from diorama.worlds.tidebreak.reference.state import Battle


class Stream(IntEnum):
    """Which rule draws."""

    SETUP = 0
    SENSOR_EXCESS = 1
    MEASUREMENT = 2
    DISPERSION = 3
    DAMAGE = 4
    POINT_DEFENCE = 5
    LAYER_TRANSITION = 6
    MORALE = 7
    BOARDING = 8
    WEATHER = 9
    SEEKER = 10
    IDENTIFICATION = 11
    SCRIPTS = 12
    SCENARIO = 13
    SQUADRONS = 14
    CLUTTER = 15


def draw(battle: Battle, stream: Stream, a: int, b: int, k: int, *, tick: int | None = None) -> int:
    """64 random bits; `tick` is given where the answer must never change for the pair."""
    return keyed.draw(battle.seed, stream, battle.tick if tick is None else tick, a, b, k)


def uniform(battle: Battle, stream: Stream, a: int, b: int, k: int, *, tick: int | None = None) -> float:
    """`u01`: a fraction in [0, 1)."""
    return keyed.u01(draw(battle, stream, a, b, k, tick=tick))


def bell(battle: Battle, stream: Stream, a: int, b: int, k: int) -> float:
    """`n4`: mean 0, variance 1, range ±3.464."""
    return keyed.n4(draw(battle, stream, a, b, k))


def choice(battle: Battle, stream: Stream, a: int, b: int, k: int, n: int) -> int:
    """`pick`: an index in 0..n-1."""
    return keyed.pick(draw(battle, stream, a, b, k), n)
