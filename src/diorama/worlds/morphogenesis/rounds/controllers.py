"""Controllers by name, for whoever runs rounds without a learned policy."""

from collections.abc import Callable
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.rules import RuleController
from diorama.worlds.morphogenesis.controller.schedules import SCHEDULES, schedule_named
from diorama.worlds.morphogenesis.controller.scripted import RandomController, ScheduleController, WaitController
from diorama.worlds.morphogenesis.engine.nursery import Nursery

CONTROLLERS: Final[dict[str, Callable[[Nursery], Controller]]] = {
    "rules": lambda nursery: RuleController(nursery.task.topology, nursery.slots.slot_ids),
    "wait": lambda nursery: WaitController(),
    "random": lambda nursery: RandomController(nursery.streams),
}
"""Controllers beside the schedules, which are named, too."""

CONTROLLER_NAMES: Final = (*CONTROLLERS, *SCHEDULES)


def controller_named(name: str, nursery: Nursery) -> Controller:
    """Return a controller for the envs of a nursery.

    Raises:
        UnknownName: There is no controller of that name.
    """
    if name in SCHEDULES:
        return ScheduleController(schedule_named(name, nursery.slots.slot_ids, nursery.lifecycle.timings))
    check_controller(name)
    return CONTROLLERS[name](nursery)


def check_controller(name: str) -> None:
    """Refuse a name that no controller has, before anything is built.

    Raises:
        UnknownName: There is no controller of that name.
    """
    if name not in CONTROLLER_NAMES:
        raise UnknownName.among("controller", name, CONTROLLER_NAMES)
