"""The scripted baselines of `morphogenesis`, weakest first; they play one row from what it observes."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.worlds.morphogenesis.bots.floor import Random, Wait
from diorama.worlds.morphogenesis.bots.growing import GrowThree
from diorama.worlds.morphogenesis.bots.rules import Rules
from diorama.worlds.morphogenesis.bots.sowing import Sower

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "wait": Wait,
    "random": Random,
    "sower": Sower,
    "rules": Rules,
    "grow_three": GrowThree,
}
