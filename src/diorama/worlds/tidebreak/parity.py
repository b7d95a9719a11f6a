"""How the two tiers of `tidebreak` are compared: every stage, every stored scenario and fifty battles of any kind."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.tidebreak.bots import BOTS
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEAD_SIZES
from diorama.worlds.tidebreak.scenarios.named import scenario_names
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from diorama.worlds.tidebreak.scenarios.stages import STAGES

_ACTION_STREAM: Final = 78
_RANDOM_BATTLES: Final = 50
_EVERYONE: Final = 12  # seats that hold every unit of a random battle


class _Masked:
    """One of the valid options of every head, each as likely; the sequence runs on across episodes."""

    def __init__(self, seed: int) -> None:
        self._rng = Pcg32.from_seed(seed, _ACTION_STREAM)

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw an option per head."""
        heads = zip(HEAD_OFFSETS, HEAD_SIZES, strict=True)
        return tuple(self._rng.choose_valid(mask[start : start + size]) for start, size in heads)


class _Unmasked:
    """Any option of every head, valid or not."""

    def __init__(self, seed: int) -> None:
        self._rng = Pcg32.from_seed(seed + 1000, _ACTION_STREAM)

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw an option per head."""
        return tuple(self._rng.randint_exclusive(0, size) for size in HEAD_SIZES)


def _stage(number: int) -> Mapping[str, object]:
    # Some units of the larger battles have no seat, so that scripts fight beside agents.
    return {"stage": number, "seats": 4, "played": "all", "credit_dead": number % 2 == 0, "shaping_discount": 0.99}


def _random(seed: int) -> Callable[[], Mapping[str, object]]:
    return lambda: {"package": random_battle(seed).model_dump(mode="json"), "seats": _EVERYONE, "played": "all"}


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(name="masked", summary="uniform over the mask of every head", start=_Masked),
        ActionSuite(name="unmasked", summary="uniform over all options, valid or not", start=_Unmasked),
        ActionSuite(
            name="auto", summary="captains that fight as their class and objective ask", start=lambda _: BOTS["auto"]()
        ),
    ),
    quick_suites=("masked",),
    configs=(
        *((f"stage-{stage.number:02d}", _stage(stage.number)) for stage in STAGES),
        ("compact", {"stage": 2, "observation": "compact"}),
        ("random-00", _random(0)),
        ("random-01", _random(1)),
        *((name, {"scenario": name, "seats": 2}) for name in scenario_names()),
        *((f"random-{seed:02d}", _random(seed)) for seed in range(2, _RANDOM_BATTLES)),
    ),
    seeds=1,
    steps=200,
    quick_configs=len(STAGES) + 3,
    quick_steps=25,
)
