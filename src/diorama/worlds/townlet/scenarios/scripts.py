"""Scripts: what citizens of a scenario do, whatever anybody else would decide for them."""

from collections.abc import Sequence

from diorama.worlds.townlet.codes import NOTHING, OPTION_NAMES, PRIMITIVE_NAMES
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController, Controller
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.scenarios.model import CitizenEntry, Level, ScriptEntry


class Script:
    """A list of actions that begins again after the last."""

    def __init__(self, entries: Sequence[ScriptEntry]) -> None:
        """Read the entries: a name, or a name and for how many ticks."""
        self._names = [name for entry in entries for name in _unrolled(entry)]

    @property
    def level(self) -> Level:
        """Whether it names options or primitives."""
        return "option" if self._names[0] in OPTION_NAMES else "primitive"

    def action(self, tick: int) -> int:
        """The action of a tick."""
        name = self._names[tick % len(self._names)]
        return OPTION_NAMES.index(name) if name in OPTION_NAMES else PRIMITIVE_NAMES.index(name)


class ScriptedTown:
    """Selects for a whole town: scripts for those who have one, the controller for everybody else.

    Somebody whose script has primitives in a town of options is possessed by it, as by an operator.
    """

    def __init__(self, citizens: Sequence[CitizenEntry], level: Level, controller: Controller | None = None) -> None:
        """Take the scripts; citizens have their numbers in this order."""
        self._scripts = {
            number: Script(citizen.script) for number, citizen in enumerate(citizens) if citizen.script is not None
        }
        self._level = level
        self._controller = BehaviorController() if controller is None else controller

    def select(self, town: Town) -> dict[int, int]:
        """Return an action by seat; the observations of this tick have been taken."""
        return {citizen.seat: self._selected(town, citizen) for citizen in town.living()}

    def _selected(self, town: Town, citizen: Citizen) -> int:
        script = self._scripts.get(citizen.number)
        if script is None:
            # A town of primitives has no controller: who has no script waits.
            return self._controller.decide(town, citizen) if self._level == "option" else 0
        action = script.action(town.tick - citizen.spawn_tick)
        if script.level == self._level:
            return action
        if script.level == "primitive":
            citizen.is_possessed, citizen.possessed_primitive = True, action
            return NOTHING
        return 0


def _unrolled(entry: ScriptEntry) -> list[str]:
    return [entry] if isinstance(entry, str) else [entry[0]] * entry[1]
