"""A world of nothing but random state: as mixed as messages can be, with people who come, go and come back."""

import random
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any, cast

from diorama.contracts.live.events import EventField, EventKind, LiveEvent, Narration, Priority
from diorama.contracts.live.world import Clock, LiveWorld

TICKS_PER_DAY = 100
CATALOGUE = (
    EventKind(name="arrived", priority=Priority.P0, fields=(EventField(name="agent_id", schema={"type": "string"}),)),
    EventKind(
        name="spoke",
        priority=Priority.P1,
        fields=(
            EventField(name="agent_id", schema={"type": "string"}),
            EventField(name="said", schema={"type": "string"}, is_free_text=True),
        ),
    ),
    EventKind(name="blinked", priority=Priority.P2, fields=(EventField(name="agent_id", schema={"type": "string"}),)),
)


class RandomWorld:
    """The part of a live world that a publisher asks for."""

    def __init__(self, seed: int, config_id: str = "random@0") -> None:
        self.rng = random.Random(seed)
        self.identity = SimpleNamespace(world="random", config_id=config_id)
        self.tick = 0
        self.state: dict[str, Any] = {"agents": {}, "objects": {}, "mixed": {}, "map": {"tiles": [[0, 1], [1, 0]]}}
        self._told: dict[str, Any] = {}
        self._people: dict[str, str] = {}
        for number in range(4):
            self._arrive(number)

    def as_live(self) -> LiveWorld:
        """This world as a publisher takes it."""
        return cast(LiveWorld, self)  # a publisher asks for nothing else of a live world

    @property
    def clock(self) -> Clock:
        return Clock(tick=self.tick, day=self.tick // TICKS_PER_DAY, tod=self.tick % TICKS_PER_DAY)

    def people(self) -> Iterable[tuple[str, str]]:
        return self._people.items()

    def scene(self) -> dict[str, Any]:
        return {"tick": self.tick, "figures": [{"id": agent_id, "at": None} for agent_id in self.state["agents"]]}

    def blocks(self) -> dict[str, Any]:
        self._told = _copied(self.state)
        told: dict[str, Any] = _copied(self.state)
        return told

    def changes(self) -> dict[str, Any]:
        patch = _patch(self._told, self.state)
        self._told = _copied(self.state)
        return patch

    def step(self, changes: int = 4) -> None:
        """Go to the next tick and change a few things."""
        self.tick += 1
        for _ in range(self.rng.randrange(changes + 1)):
            self.rng.choice((self._change, self._change, self._come_or_go, self._replace_object))()

    def events(self) -> list[LiveEvent]:
        return [self._event(kind) for kind in self.rng.choices(CATALOGUE, k=self.rng.randrange(4))]

    def narrations(self) -> Sequence[Narration]:
        agent_id, name = self.rng.choice(list(self._people.items()))
        message = f"{name} (known as {agent_id}) was seen by {name}'s friend."
        key = f"seen:{agent_id}"
        data = {"agent": agent_id, "names": [name]}
        return [
            Narration(
                tick=self.tick,
                category="seen",
                message=message,
                is_priority=self.rng.random() < 0.5,
                dedupe_key=key,
                data=data,
                people=(agent_id, name),
            )
        ]

    def _event(self, kind: EventKind) -> LiveEvent:
        agent_id, name = self.rng.choice(list(self._people.items()))
        fields = {"agent_id": agent_id, "said": f"{name}, hush"} if kind.name == "spoke" else {"agent_id": agent_id}
        return LiveEvent(name=kind.name, tick=self.tick, priority=kind.priority, fields=fields)

    def _arrive(self, number: int) -> None:
        agent_id = f"citizen_{number:03d}"
        self._people[agent_id] = f"Person {number}" if number % 2 else f"Zoë{number} O'Hara"
        self.state["agents"][agent_id] = {"name": self._people[agent_id], "pos": [number, 0], "needs": {"hunger": 1.0}}

    def _come_or_go(self) -> None:
        number = self.rng.randrange(8)
        if self.state["agents"].pop(f"citizen_{number:03d}", None) is None:
            self._arrive(number)

    def _change(self) -> None:
        where = self.state["mixed"]
        while self.rng.random() < 0.6:
            below = [value for value in where.values() if isinstance(value, dict)]
            if not below:
                break
            where = self.rng.choice(below)
        name = self.rng.choice(["a", "b", "c", *self._people])
        if self.rng.random() < 0.25:
            where.pop(name, None)
        else:
            where[name] = self._value(0)
        agents = [*self.state["agents"].values()]
        if agents:
            self.rng.choice(agents)["needs"]["hunger"] = self.rng.random() / 3

    def _replace_object(self) -> None:
        self.state["objects"][f"bed_{self.rng.randrange(3)}"] = {
            "holder": self.rng.choice([None, *self._people]),
            "queue": self.rng.sample([*self._people], k=2),
            self.rng.choice(["stock", "power"]): self.rng.choice([0, 1, True, 1.0]),
        }

    def _value(self, depth: int) -> Any:
        kind = self.rng.randrange(9 if depth < 3 else 7)
        if kind == 0:
            return self.rng.uniform(-1e9, 1e9) if self.rng.random() < 0.9 else float("nan")
        if kind == 1:
            return self.rng.choice([True, False, 0, 1, 1.0, 0.0])
        if kind == 2:
            return self.rng.choice(["", "true", "ünïcode \u2028", *self._people, *self._people.values()])
        if kind == 3:
            return None
        if kind == 4:
            return [self.rng.random() * 10 ** self.rng.randrange(-9, 9), None, {"null": None}, (1, 2)]
        if kind == 5:
            return {}
        if kind == 6:
            return self.rng.randrange(10**6)
        return {name: self._value(depth + 1) for name in self.rng.sample(["a", "b", "c", *self._people], k=3)}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(item) for name, item in value.items()}
    return list(value) if isinstance(value, list) else value


def _patch(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A merge patch written plainly: every member that is not the very same is told, and what is gone is null."""
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        if isinstance(value, dict):
            before = old.get(name)
            patch[name] = _patch(before if isinstance(before, dict) else {}, value)
        else:
            patch[name] = value
    return patch
