"""Streams of the keyed draws made before a battle starts."""

from typing import Final

SETUP_STREAM: Final = 0
SCENARIO_STREAM: Final = 13
