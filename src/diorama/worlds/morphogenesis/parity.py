"""How the two tiers of `morphogenesis` are compared: few epochs, for every step of the readable tier trains hosts."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.worlds.morphogenesis.bots.floor import Random
from diorama.worlds.morphogenesis.bots.growing import GrowThree

_SHORT: Final[Mapping[str, object]] = {"max_epochs": 8, "train_batches_per_epoch": 4, "val_subset": 120}


def _random(seed: int) -> Bot:
    bot = Random()
    bot.reset(seed)
    return bot


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(name="random", summary="a random valid operation every epoch", start=_random),
        ActionSuite(name="grow_three", summary="three seeds by the clock", start=lambda _seed: GrowThree()),
    ),
    quick_suites=("random",),
    configs=(
        ("default", {**_SHORT}),
        ("auto-forward", {**_SHORT, "auto_forward_g1": True, "min_prune_age": 1}),
        ("tokens", {**_SHORT, "task": "tokens", "max_epochs": 4}),
    ),
    seeds=2,
    steps=12,
    quick_configs=1,
    quick_seeds=1,
    quick_steps=6,
)
