"""Every random number of the platform: seeded PCG32 streams, stateless keyed draws, and the mixing of seeds."""

from diorama.rng.keyed import draw, n4, pick, u01
from diorama.rng.mixing import GOLDEN, episode_seed, mix, mix64
from diorama.rng.pcg32 import Pcg32

__all__ = ["GOLDEN", "Pcg32", "draw", "episode_seed", "mix", "mix64", "n4", "pick", "u01"]
