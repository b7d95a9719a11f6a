"""How the two tiers of `townlet` are compared: every variant, every scenario and fifty towns of any kind."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.drawn_actions import drawn
from diorama.worlds.townlet.bots.scripted import Scripted
from diorama.worlds.townlet.codes import Option, Primitive
from diorama.worlds.townlet.contract import VARIANTS
from diorama.worlds.townlet.random_configs import random_config
from diorama.worlds.townlet.scenarios.loading import load_scenario, scenario_names
from diorama.worlds.townlet.scenarios.opening import config_of

_ACTION_STREAM: Final = 79
_UNMASKED_SEED_OFFSET: Final = 1000
_PURPOSEFUL_SEED_OFFSET: Final = 2000
_ANY_ACTIONS: Final = (-1, 14)  # exclusive at the end; some on either side do not exist
_LONGEST_WALK: Final = 20
_RANDOM_TOWNS: Final = 50
_QUICK_RANDOM_TOWNS: Final = 8


def _masked(rng: Pcg32, mask: U8) -> Decision:
    return (rng.choose_valid(mask),)


def _unmasked(rng: Pcg32, mask: U8) -> Decision:
    return (rng.randint_exclusive(*_ANY_ACTIONS),)


class _Purposeful:
    """Lives: by the scripted controller where options are chosen; else it walks far and uses what it comes by."""

    def __init__(self, seed: int) -> None:
        self._rng = Pcg32.from_seed(seed + _PURPOSEFUL_SEED_OFFSET, _ACTION_STREAM)
        self._scripted = Scripted()
        self._way = int(Primitive.WAIT)
        self._steps = 0

    def reset(self, episode_seed: int) -> None:
        """Go another way."""
        self._steps = 0

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Choose an option, or a primitive that leads somewhere."""
        if len(mask) == len(Option):
            return self._scripted.act(obs, obs_u8, mask)
        if self._rng.randint_exclusive(0, 2) and mask[Primitive.INTERACT_0]:
            return (int(Primitive.INTERACT_0),)
        if self._steps == 0 or not mask[self._way]:
            self._way = self._rng.randint_inclusive(Primitive.MOVE_NORTH, Primitive.MOVE_WEST)
            self._steps = self._rng.randint_inclusive(1, _LONGEST_WALK)
        self._steps -= 1
        return (self._way,)


def _scenario(name: str) -> Callable[[], Mapping[str, object]]:
    return lambda: config_of(load_scenario(name)).model_dump(mode="json")


def _random(seed: int) -> Callable[[], Mapping[str, object]]:
    return lambda: random_config(seed)


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(name="masked", summary="uniform over the mask", start=drawn(_masked, stream=_ACTION_STREAM)),
        ActionSuite(
            name="unmasked",
            summary="any action, valid or not",
            start=drawn(_unmasked, stream=_ACTION_STREAM, seed_offset=_UNMASKED_SEED_OFFSET),
        ),
        ActionSuite(name="purposeful", summary="towns that live", start=_Purposeful),
    ),
    quick_suites=("masked", "purposeful"),
    configs=(
        ("default", {}),
        *VARIANTS.items(),
        *((f"random-{seed:02d}", _random(seed)) for seed in range(_QUICK_RANDOM_TOWNS)),
        *((f"scenario-{name}", _scenario(name)) for name in scenario_names()),
        *((f"random-{seed:02d}", _random(seed)) for seed in range(_QUICK_RANDOM_TOWNS, _RANDOM_TOWNS)),
    ),
    seeds=1,
    steps=2000,
    quick_configs=1 + len(VARIANTS) + _QUICK_RANDOM_TOWNS,
    quick_steps=120,
)
