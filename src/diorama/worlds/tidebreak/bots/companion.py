"""Who commands the ships that nobody commands by hand."""

from diorama.worlds.tidebreak.config import TidebreakConfig


def companion(config: TidebreakConfig) -> str:
    """Return the captain who does what suits a ship's class and objective."""
    return "auto"
