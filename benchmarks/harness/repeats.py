"""How often everything is measured."""

from typing import Final

REPEATS: Final = 5  # the best counts
