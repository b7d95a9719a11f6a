"""All state blocks of a town, told whole or as what has changed."""

from diorama.contracts.values import JsonValue
from diorama.worlds.townlet.live.blocks.books import BOOK_SECTIONS
from diorama.worlds.townlet.live.blocks.citizens import CITIZEN_SECTIONS
from diorama.worlds.townlet.live.blocks.policy import (
    INSPECTOR_SECTION,
    KPI_SECTIONS,
    POLICY_SECTIONS,
    REWARD_SECTION,
)
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.sections import Crowd, Roll, Teller
from diorama.worlds.townlet.live.blocks.society import CONFLICT_SECTIONS, RELATIONSHIP_SECTIONS
from diorama.worlds.townlet.live.blocks.things import THING_SECTIONS


class StateBlocks:
    """Remembers what was told, so that only what has changed is told again."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._citizens = Crowd(CITIZEN_SECTIONS)
        self._things = Crowd(THING_SECTIONS)
        self._rewards = Roll(REWARD_SECTION)
        self._inspector = Roll(INSPECTOR_SECTION)
        self._policy = Teller(POLICY_SECTIONS)
        self._conflict = Teller(CONFLICT_SECTIONS)
        self._relationships = Teller(RELATIONSHIP_SECTIONS)
        self._kpis = Teller(KPI_SECTIONS)
        self._books = Teller(BOOK_SECTIONS)

    @property
    def told(self) -> dict[str, JsonValue]:
        """The whole state as it was told last."""
        return {
            "agents": self._citizens.told,
            "objects": self._things.told,
            "conflict": {**self._conflict.told},
            "relationships": {**self._relationships.told},
            "rewards": {**self._rewards.told},
            "policy": {**self._policy.told, "inspector": {**self._inspector.told}},
            "kpis": {**self._kpis.told},
            **self._books.told,
        }

    def news(self, scene: Scene) -> dict[str, JsonValue]:
        """A merge patch from what was told to what is now."""
        town = scene.town
        people = [(scene.ids[citizen.seat], citizen) for citizen in town.living()]
        things = [(row.id, row.index) for row in town.tables.objects]
        policy = self._policy.news(scene, town)
        if inspected := self._inspector.news(scene, people):
            policy["inspector"] = inspected
        blocks = {
            "agents": self._citizens.news(scene, people),
            "objects": self._things.news(scene, things),
            "conflict": self._conflict.news(scene, town),
            "relationships": self._relationships.news(scene, town),
            "rewards": self._rewards.news(scene, people),
            "policy": policy,
            "kpis": self._kpis.news(scene, town),
        }
        patch: dict[str, JsonValue] = {name: block for name, block in blocks.items() if block}
        return {**patch, **self._books.news(scene, town)}
