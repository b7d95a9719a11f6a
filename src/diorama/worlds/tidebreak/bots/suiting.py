"""The plan that suits a ship's class and objective."""

from typing import Final

from diorama.worlds.tidebreak.bots.captain import Memory, Plan
from diorama.worlds.tidebreak.bots.courses import ambush, attack, escort, evade, kite, take
from diorama.worlds.tidebreak.bots.view import View
from diorama.worlds.tidebreak.bots.wish import Wish
from diorama.worlds.tidebreak.codes import ObjectiveType

_BY_CLASS: Final[dict[str, Plan]] = {
    "attack_sub": ambush,
    "deep_runner": ambush,
    "freighter": evade,
    "assault_transport": take,
    "carrier": kite,
}
_BY_OBJECTIVE: Final[dict[ObjectiveType, Plan]] = {
    ObjectiveType.PROTECT: escort,
    ObjectiveType.SCREEN: escort,
    ObjectiveType.EVADE: evade,
    ObjectiveType.DELIVER: evade,
}


def suiting(view: View, memory: Memory) -> Wish:
    """Act as the suitable captain would; an objective decides before the class."""
    plan = None if view.objective is None else _BY_OBJECTIVE.get(view.objective)
    return (plan or _BY_CLASS.get(view.hull.name, attack))(view, memory)
