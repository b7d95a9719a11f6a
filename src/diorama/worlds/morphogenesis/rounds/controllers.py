"""Controllers by name, and whoever else decides in rounds in which nothing is learned."""

from collections.abc import Callable
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.rules import RuleController
from diorama.worlds.morphogenesis.controller.schedules import SCHEDULES, schedule_named
from diorama.worlds.morphogenesis.controller.scripted import RandomController, ScheduleController, WaitController
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld

CONTROLLERS: Final[dict[str, Callable[[Nursery], Controller]]] = {
    "rules": lambda nursery: RuleController(nursery.task.topology, nursery.slots.slot_ids),
    "wait": lambda nursery: WaitController(),
    "random": lambda nursery: RandomController(nursery.streams),
}
"""Controllers beside the schedules, which are named, too."""

CONTROLLER_NAMES: Final = (*CONTROLLERS, *SCHEDULES)


Decider = str | Callable[[MorphogenesisWorld], Controller]
"""Who decides: a controller by name, or one that is made for the hosts, such as a trained policy."""


def controller_of(decider: Decider, world: MorphogenesisWorld) -> Controller:
    """Return a controller for the hosts of a world.

    Raises:
        UnknownName: There is no controller of that name.
    """
    return controller_named(decider, world.nursery) if isinstance(decider, str) else decider(world)


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
