"""How the two tiers of `gameboy` are compared: few steps, for the readable tier runs instruction by instruction."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.plans import ActionSuite, ParityPlan
from diorama.contracts.records import Decision
from diorama.contracts.values import U8
from diorama.rng import Pcg32
from diorama.worlds.drawn_actions import drawn
from diorama.worlds.gameboy.bots import BOTS
from diorama.worlds.gameboy.codec import get_action_codec

_ACTION_STREAM: Final = 79
_SHORT: Final[Mapping[str, object]] = {"frames_per_step": 4, "release_after_frames": 2, "max_steps": 9}


def _any_key(rng: Pcg32, mask: U8) -> Decision:
    return (rng.randint_exclusive(0, get_action_codec().num_actions),)


PARITY: Final = ParityPlan(
    suites=(
        ActionSuite(name="random", summary="uniform over the keys", start=drawn(_any_key, stream=_ACTION_STREAM)),
        ActionSuite(name="solver", summary="the way to the flag", start=lambda _seed: BOTS["grid_goal_solver"]()),
    ),
    quick_suites=("random",),
    configs=(
        ("default", {}),
        ("goal", {**_SHORT}),
        ("packed-stack", {**_SHORT, "observation": "packed2", "stack": 2, "noop_start_max": 2}),
        ("keydoor", {**_SHORT, "rom": "KEYDOOR", "kind": "gb_tasks"}),
        ("catch", {**_SHORT, "rom": "CATCH", "kind": "gb_tasks"}),
        ("curriculum", {**_SHORT, "kind": "gb_curriculum", "k_consecutive": 1, "tau": 0.6, "max_steps": 20}),
        ("ram", {**_SHORT, "rom": "OPCODE_SWEEP", "kind": "gb_pixels", "observation": "ram_v3", "boot": "stub"}),
        ("sprites", {**_SHORT, "rom": "PPU_SPRITES", "kind": "gb_pixels", "observation": "shade_full"}),
    ),
    seeds=2,
    steps=24,
    quick_configs=2,
    quick_seeds=1,
    quick_steps=8,
)
