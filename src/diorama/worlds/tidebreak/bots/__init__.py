"""The nine scripts, a hunter and a stalker, as baselines that play from an observation row, like any policy.

The scripts are the captains of `reference/scripts` with what a row shows: helm and throttle in the steps of the action
heads, gun ranges from the class that the row's cost and armour stand for, map distances as if the map were 16 km wide.
"""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.worlds.tidebreak.bots.captain import Captain
from diorama.worlds.tidebreak.bots.courses import ambush, attack, drift, escort, evade, kite, stand_still, take
from diorama.worlds.tidebreak.bots.hunting import hunt
from diorama.worlds.tidebreak.bots.stalking import stalk
from diorama.worlds.tidebreak.bots.suiting import suiting

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "idle": lambda: Captain(stand_still),
    "drifter": lambda: Captain(drift),
    "aggressor": lambda: Captain(attack),
    "kiter": lambda: Captain(kite),
    "ambusher": lambda: Captain(ambush),
    "escort": lambda: Captain(escort),
    "evader": lambda: Captain(evade),
    "boarder": lambda: Captain(take),
    "auto": lambda: Captain(suiting),
    "hunter": lambda: Captain(hunt),
    "stalker": lambda: Captain(stalk),
}
