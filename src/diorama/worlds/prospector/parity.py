"""How the two tiers of `prospector` are compared: the action suites A to E and their matrix."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Final

from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.drawn_actions import drawn
from diorama.worlds.prospector.bots.prudent_hauler import PrudentHauler
from diorama.worlds.prospector.contract import Act

_ACTION_STREAM: Final = 77
_ANY_SEED_OFFSET: Final = 1000
_MASKED_SEED_OFFSET: Final = 2000
_ANY_ACTIONS: Final = (-5, 75)  # exclusive at the end; some on either side do not exist

_TRADE_LOOP: Final = (43, 61, 67, 28, 29, 30, 10, 9, 7, 33, 200, -3, 255, 6, 42, 68)
_MINING_LOOP: Final = (8, 11, 12, 29, 33, 6, 0, 42, 45, 32, 35, 7, 6, 68)


class _Loop:
    """The same actions over and over, across episodes."""

    def __init__(self, actions: Sequence[int]) -> None:
        self._actions = cycle(actions)

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Take the next action of the loop."""
        return (next(self._actions),)


def _loop(actions: Sequence[int]) -> Callable[[int], _Loop]:
    return lambda _seed: _Loop(actions)


def _any_integer(rng: Pcg32, mask: U8) -> Decision:
    return (rng.randint_exclusive(*_ANY_ACTIONS),)


def _valid_but_never_done(rng: Pcg32, mask: U8) -> Decision:
    return (rng.choose_valid(mask[: Act.CASH_OUT_END_EPISODE]),)


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(
            name="A",
            summary="uniform integers -5..74, valid or not",
            start=drawn(_any_integer, stream=_ACTION_STREAM, seed_offset=_ANY_SEED_OFFSET),
        ),
        ActionSuite(name="B", summary="a loop of station business, mining and nonsense", start=_loop(_TRADE_LOOP)),
        ActionSuite(name="C", summary="a loop of scanning, mining and leaving", start=_loop(_MINING_LOOP)),
        ActionSuite(
            name="D",
            summary="uniform over the mask without cashing out: long, deep episodes",
            start=drawn(_valid_but_never_done, stream=_ACTION_STREAM, seed_offset=_MASKED_SEED_OFFSET),
        ),
        ActionSuite(
            name="E", summary="prudent_hauler: thousands of decisions per episode", start=lambda _seed: PrudentHauler()
        ),
    ),
    quick_suites=("A", "B", "C"),
    configs=(("time-2000", {"time_max": 2000}), ("time-8000", {"time_max": 8000})),
    seeds=10,
    steps=2000,
)
