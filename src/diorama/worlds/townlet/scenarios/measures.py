"""Numbers of a town by name, as expectations write them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.reference.names import find_citizen
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.kpis import kpi_row
from diorama.worlds.townlet.reference.systems.ties import rivalry_now, tie_to

FAMILIES: Final = ("kpi", "queues", "price", "stock", "population", "exit_queue", "held", "citizen", "tie")


def measure(town: Town, name: str) -> float:
    """Return a number of a town.

    Raises:
        ConfigError: It has no number of that name; with those it has.
    """
    family, *path = name.split(".")
    match family, path:
        case "population", []:
            return float(len(town.living()))
        case "exit_queue", []:
            return float(len(town.employment.queue))
        case "held", []:
            return float(sum(citizen.holding != NOTHING for citizen in town.living()))
        case "kpi", [key]:
            return _named(asdict(kpi_row(town)), key, name)
        case "queues", [key]:
            return _named(asdict(town.queues), key, name)
        case "price", [key]:
            return _named(dict(zip(PRICE_KEYS, town.economy.live, strict=True)), key, name)
        case "stock", [object_id, item]:
            return _stock(town, object_id, item, name)
        case "citizen", [who, key]:
            return _named(_numbers_of(_citizen(town, who, name)), key, name)
        case "tie", [who, other, key]:
            return _tie(town, _citizen(town, who, name), _citizen(town, other, name), key, name)
        case _:
            raise ConfigError(f"no measure is called {name!r}; they begin with: {', '.join(FAMILIES)}")


def _named(numbers: dict[str, float], key: str, name: str) -> float:
    if key not in numbers:
        raise ConfigError(f"measure {name!r}: there is no {key!r}; there are: {', '.join(numbers)}")
    return float(numbers[key])


def _citizen(town: Town, who: str, name: str) -> Citizen:
    citizen = find_citizen(town, who)
    if citizen is None:
        raise ConfigError(f"measure {name!r}: nobody called {who!r} lives here at tick {town.tick}")
    return citizen


def _numbers_of(citizen: Citizen) -> dict[str, float]:
    shift, decline = citizen.shift, citizen.decline
    return {
        **dict(zip(NEED_NAMES, citizen.needs, strict=True)),
        "wallet": citizen.wallet,
        "job": citizen.job,
        "shift_state": shift.state,
        "attendance": shift.attendance_ratio,
        "late_ticks": shift.late_ticks,
        "rent_arrears": decline.rent_arrears,
        "collapse_streak": decline.collapse_streak,
        "is_running": citizen.is_running,
        "slot": citizen.slot,
        **asdict(citizen.tally),
    }


def _stock(town: Town, object_id: str, item: str, name: str) -> float:
    objects: Sequence[str] = [row.id for row in town.tables.objects]
    if object_id not in objects or item not in town.tables.items:
        raise ConfigError(f"measure {name!r}: there is no such object, or no such item")
    return float(town.objects[objects.index(object_id)].stock[town.tables.items.index(item)])


def _tie(town: Town, citizen: Citizen, other: Citizen, key: str, name: str) -> float:
    tie = tie_to(citizen, other.seat)
    known = {"trust": tie.trust, "familiarity": tie.familiarity, "rivalry": rivalry_now(town, tie)}
    return _named(known, key, name)
