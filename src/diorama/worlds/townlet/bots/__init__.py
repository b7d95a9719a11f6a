"""The scripted baselines of `townlet`, weakest first."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.worlds.townlet.bots.floor import Idle, RandomValid
from diorama.worlds.townlet.bots.scripted import Scripted

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "idle": Idle,
    "random_valid": RandomValid,
    "scripted": Scripted,
}
