"""Orders: a verb and its arguments, as people and programs write them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from diorama.contracts.errors import ContractError


class Verb(StrEnum):
    """What a player can order."""

    MOVE = "move"
    STANCE = "stance"
    SPLIT = "split"
    MERGE = "merge"
    MISSION = "mission"
    INVADE = "invade"
    PROPOSE = "propose"
    PRESS = "press"
    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    GOODS = "goods"
    SIEGE = "siege"
    COVERT = "covert"
    DISMISS = "dismiss"


class Budget(StrEnum):
    """What of the day's orders an order uses up."""

    FLEET = "fleet"
    POLICY = "policy"
    FREE = "free"


FLEET_ORDERS_PER_DAY: Final = 6
POLICY_ORDERS_PER_DAY: Final = 2

BUDGETS: Final[Mapping[Verb, Budget]] = MappingProxyType(
    {
        Verb.MOVE: Budget.FLEET,
        Verb.STANCE: Budget.FLEET,
        Verb.SPLIT: Budget.FLEET,
        Verb.MERGE: Budget.FLEET,
        Verb.MISSION: Budget.FLEET,
        Verb.INVADE: Budget.FLEET,
        Verb.PROPOSE: Budget.POLICY,
        Verb.PRESS: Budget.POLICY,
        Verb.OFFER: Budget.POLICY,
        Verb.ACCEPT: Budget.FREE,
        Verb.DECLINE: Budget.FREE,
        Verb.GOODS: Budget.FREE,
        Verb.SIEGE: Budget.FREE,
        Verb.COVERT: Budget.POLICY,
        Verb.DISMISS: Budget.FREE,
    }
)
USAGE: Final[Mapping[Verb, str]] = MappingProxyType(
    {
        Verb.MOVE: "move FLEET NODE",
        Verb.STANCE: "stance FLEET STANCE",
        Verb.SPLIT: "split FLEET SHIP[,SHIP...]",
        Verb.MERGE: "merge FLEET FLEET",
        Verb.MISSION: "mission NUMBER FLEET",
        Verb.INVADE: "invade FLEET HUB",
        Verb.PROPOSE: "propose HUB DECISION [TARGET]",
        Verb.PRESS: "press HUB DECISION [TARGET]",
        Verb.OFFER: "offer FACTION TREATY",
        Verb.ACCEPT: "accept OFFER",
        Verb.DECLINE: "decline OFFER",
        Verb.GOODS: "goods ROUTE out|back RESOURCE UNITS",
        Verb.SIEGE: "siege NUMBER ACTION",
        Verb.COVERT: "covert FACTION",
        Verb.DISMISS: "dismiss PERSON",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Something the player can order; `text` says it in plain words and does not take part in comparison."""

    verb: Verb
    arguments: tuple[str, ...]
    text: str = ""

    @property
    def code(self) -> str:
        """The order in one line, as `parse_order` reads it."""
        return " ".join((self.verb.value, *self.arguments))

    @property
    def budget(self) -> Budget:
        """What of the day's orders it uses up."""
        return BUDGETS[self.verb]


def parse_order(code: str) -> Order:
    """Read an order such as `move fleet-1 narrows`.

    Raises:
        ContractError: It has no known verb, or the wrong number of arguments.
    """
    words = code.split()
    verbs = {verb.value: verb for verb in Verb}
    if not words or words[0].lower() not in verbs:
        raise ContractError(f"{code!r} is no order; orders begin with one of {', '.join(verbs)}")
    verb = verbs[words[0].lower()]
    usage = USAGE[verb].split()
    least = sum(not part.startswith("[") for part in usage)
    if not least <= len(words) <= len(usage):
        raise ContractError(f"{code!r} is not of the form: {USAGE[verb]}")
    return Order(verb=verb, arguments=tuple(words[1:]))
