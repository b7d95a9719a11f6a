"""How the two tiers of `tidebreak` are compared: every stage, every stored scenario and fifty battles of any kind."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.contracts.records import Decision
from diorama.contracts.values import U8
from diorama.rng import Pcg32
from diorama.worlds.drawn_actions import drawn
from diorama.worlds.tidebreak.bots import BOTS
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEAD_SIZES
from diorama.worlds.tidebreak.scenarios.named import scenario_names
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from diorama.worlds.tidebreak.scenarios.stages import STAGES

_ACTION_STREAM: Final = 78
_UNMASKED_SEED_OFFSET: Final = 1000
_RANDOM_BATTLES: Final = 50
_EVERYONE: Final = 12  # seats that hold every unit of a random battle


def _masked(rng: Pcg32, mask: U8) -> Decision:
    heads = zip(HEAD_OFFSETS, HEAD_SIZES, strict=True)
    return tuple(rng.choose_valid(mask[start : start + size]) for start, size in heads)


def _unmasked(rng: Pcg32, mask: U8) -> Decision:
    return tuple(rng.randint_exclusive(0, size) for size in HEAD_SIZES)


def _stage(number: int) -> Mapping[str, object]:
    # Some units of the larger battles have no seat, so that scripts fight beside agents.
    return {"stage": number, "seats": 4, "played": "all", "credit_dead": number % 2 == 0, "shaping_discount": 0.99}


def _random(seed: int) -> Callable[[], Mapping[str, object]]:
    return lambda: {"package": random_battle(seed).model_dump(mode="json"), "seats": _EVERYONE, "played": "all"}


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(
            name="masked", summary="uniform over the mask of every head", start=drawn(_masked, stream=_ACTION_STREAM)
        ),
        ActionSuite(
            name="unmasked",
            summary="uniform over all options, valid or not",
            start=drawn(_unmasked, stream=_ACTION_STREAM, seed_offset=_UNMASKED_SEED_OFFSET),
        ),
        ActionSuite(
            name="auto", summary="captains that fight as their class and objective ask", start=lambda _: BOTS["auto"]()
        ),
    ),
    quick_suites=("masked",),
    configs=(
        *((f"stage-{stage.number:02d}", _stage(stage.number)) for stage in STAGES),
        ("compact", {"stage": 2, "observation": "compact"}),
        ("ticks-4", {"stage": 2, "decision_ticks": 4}),
        ("ticks-7", {**_stage(11), "decision_ticks": 7}),  # marines, who must be ordered on every tick
        ("random-00", _random(0)),
        ("random-01", _random(1)),
        *((name, {"scenario": name, "seats": 2}) for name in scenario_names()),
        *((f"random-{seed:02d}", _random(seed)) for seed in range(2, _RANDOM_BATTLES)),
    ),
    seeds=1,
    steps=200,
    quick_configs=len(STAGES) + 5,
    quick_steps=25,
)
