"""Stream numbers of the trainer's random draws, one per purpose; changing one changes every run."""

from typing import Final

ACTIONS: Final = 1
MINIBATCHES: Final = 2
DEMONSTRATIONS: Final = 3
WEIGHTS: Final = 4
MATCHES: Final = 5
MATCH_SEEDS: Final = 6
OPPONENTS: Final = 7
DISTURBANCES: Final = 8
REPLAYS: Final = 9
DROPOUT: Final = 10
START_STATES: Final = 11
