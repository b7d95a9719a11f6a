"""A town in which seats change hands all the time: whoever is a little hungry for some ticks leaves."""

from typing import Final

RESTLESS: Final[dict[str, object]] = {
    "lifecycle": {
        "collapse": {"threshold": 0.99, "ticks": 6},
        "exit_cooldown_ticks": 2,
        "max_exits_per_day": 50,
        "spawn_delay_ticks": [2, 4],
    },
    "perturbations": {"enabled": False},
}
