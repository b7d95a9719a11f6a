"""Controllers by name."""

from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak.reference.orders import Controller, Script
from diorama.worlds.tidebreak.reference.scripts.aggressor import aggressor
from diorama.worlds.tidebreak.reference.scripts.ambusher import ambusher
from diorama.worlds.tidebreak.reference.scripts.auto import auto
from diorama.worlds.tidebreak.reference.scripts.boarder import boarder
from diorama.worlds.tidebreak.reference.scripts.drifter import drifter
from diorama.worlds.tidebreak.reference.scripts.escort import escort
from diorama.worlds.tidebreak.reference.scripts.evader import evader
from diorama.worlds.tidebreak.reference.scripts.idle import idle
from diorama.worlds.tidebreak.reference.scripts.kiter import kiter

AGENT: Final = Controller("agent")
SCRIPTS: Final[dict[str, Script]] = {
    "idle": idle,
    "drifter": drifter,
    "aggressor": aggressor,
    "kiter": kiter,
    "ambusher": ambusher,
    "escort": escort,
    "evader": evader,
    "boarder": boarder,
    "auto": auto,
}
_PREFIX: Final = "script:"


def controller_named(name: str) -> Controller:
    """Look a controller up: `agent`, `script:kiter`, or `script:kiter@0.6` for one that is heard on 60% of ticks.

    Raises:
        ConfigError: There is no such controller.
    """
    if name == AGENT.name:
        return AGENT
    script_name, _, skill_text = name.removeprefix(_PREFIX).partition("@")
    script = SCRIPTS.get(script_name)
    if script is None:
        raise ConfigError(f"controller {name!r} is unknown; use 'agent' or 'script:' and one of {', '.join(SCRIPTS)}")
    return Controller(name, script, _skill(name, skill_text) if "@" in name else 1.0)


def _skill(name: str, text: str) -> float:
    try:
        skill = float(text)
    except ValueError:
        skill = -1.0
    if not 0.0 <= skill <= 1.0:
        raise ConfigError(f"controller {name!r}: what follows '@' must be a share from 0 to 1")
    return skill
