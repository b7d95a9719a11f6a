"""The script that suits a unit's class and objective."""

from typing import Final

from diorama.worlds.tidebreak.codes import ObjectiveType
from diorama.worlds.tidebreak.reference.orders import Order, Script
from diorama.worlds.tidebreak.reference.scripts.aggressor import aggressor
from diorama.worlds.tidebreak.reference.scripts.ambusher import ambusher
from diorama.worlds.tidebreak.reference.scripts.boarder import boarder
from diorama.worlds.tidebreak.reference.scripts.escort import escort
from diorama.worlds.tidebreak.reference.scripts.evader import evader
from diorama.worlds.tidebreak.reference.scripts.kiter import kiter
from diorama.worlds.tidebreak.reference.state import Battle, Unit

BY_CLASS: Final[dict[str, Script]] = {
    "attack_sub": ambusher,
    "deep_runner": ambusher,
    "freighter": evader,
    "assault_transport": boarder,
    "carrier": kiter,
}
BY_OBJECTIVE: Final[dict[ObjectiveType, Script]] = {
    ObjectiveType.PROTECT: escort,
    ObjectiveType.SCREEN: escort,
    ObjectiveType.EVADE: evader,
    ObjectiveType.DELIVER: evader,
}


def auto(battle: Battle, unit: Unit) -> Order:
    """Act as the suitable script would."""
    return suitable_script(unit)(battle, unit)


def suitable_script(unit: Unit) -> Script:
    """An objective decides before the class; hulls without a class are submarines or attack."""
    task, hull = unit.spec.objective, unit.spec.hull
    if task is not None and ObjectiveType(task.type) in BY_OBJECTIVE:
        return BY_OBJECTIVE[ObjectiveType(task.type)]
    return BY_CLASS.get(hull.class_name, ambusher if hull.is_submarine else aggressor)
