"""Live towns for tests, and the little of the services that drives them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.stability import TickRecord
from diorama.contracts.live.world import Selection
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.live.town import LiveTown
from diorama.worlds.townlet.reference.console.executing import execute
from tests.worlds.townlet.towns import QUIET, SOCIAL, config_of

LIVELY: Mapping[str, Any] = {
    **SOCIAL,
    "world": {"population": 7},
    "perturbations": {"global_cooldown_ticks": 0, "max_concurrent_events": 8},
    "conflict": {"rivalry": {"increment_per_conflict": 0.6}},
}


class Watched:
    """A live town, and everything that was told of it."""

    def __init__(self, town: LiveTown) -> None:
        """Watch from now on."""
        self.live = town
        self.events: list[LiveEvent] = []
        self.narrations: list[Narration] = []
        self.records: list[TickRecord] = []
        self.patches: list[JsonObject] = []
        self.state: JsonValue = merged({}, town.blocks())

    def run(self, ticks: int) -> "Watched":
        """Let the scripted controller decide for some ticks."""
        for _ in range(ticks):
            events = self.stages()
            self.events += events
            self.records.append(self.live.record(events, {}))
            self.narrations += self.live.narrate(events)
            self.patches.append(self.live.changes())
            self.state = merged(self.state, self.patches[-1])
            self.live.advance()
        return self

    def stages(self) -> Sequence[LiveEvent]:
        """Stages 2 to 5 of a tick."""
        live = self.live
        live.schedule()
        live.decide(Selection(actions=live.expert_actions()))
        live.resolve()
        live.settle()
        return live.take_events()

    def command(self, name: str, /, *args: object, **kwargs: object) -> JsonObject:
        """Give a command, as stage 1 does."""
        return execute(self.live.subject, name, *args, **kwargs)

    def told(self, category: str) -> list[Narration]:
        """Sentences of a category."""
        return [narration for narration in self.narrations if narration.category == category]


def watched(*overrides: Mapping[str, Any], seed: int = 7, path: Path | None = None) -> Watched:
    """A town of these settings."""
    return Watched(LiveTown(config_of(*overrides), path, seed))


def quiet(*overrides: Mapping[str, Any], population: int = 3, seed: int = 7) -> Watched:
    """A town in which little happens by itself, and with ties."""
    return watched(QUIET, SOCIAL, {"world": {"population": population}}, *overrides, seed=seed)


def merged(state: JsonValue, patch: JsonValue) -> JsonValue:
    """A merge patch applied, word by word as RFC 7396 has it."""
    if not isinstance(patch, Mapping):
        return patch
    target = dict(state) if isinstance(state, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target
