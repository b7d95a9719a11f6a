"""Schedules: which action is taken at which epoch, the same for every env."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from diorama.contracts.values import JsonValue, canonical_json
from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle, LifecycleOp, TempoAction
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.timings import LifecycleTimings
from diorama.worlds.morphogenesis.controller.action_text import parse_action
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose

SCHEDULE_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Actions by epoch under a name; at every other epoch it waits."""

    schedule_id: str
    actions: Mapping[int, Action]

    @classmethod
    def of(cls, schedule_id: str, steps: Sequence[tuple[int, Action]]) -> Self:
        """Build a schedule from epochs and actions; two actions at one epoch raise `ConfigError`."""
        epochs = [epoch for epoch, _ in steps]
        twice = sorted({epoch for epoch in epochs if epochs.count(epoch) > 1})
        if twice:
            raise ConfigError(f"schedule {schedule_id!r} has two actions at epochs {twice}; give one per epoch")
        return cls(schedule_id=schedule_id, actions=dict(sorted(steps)))

    def at(self, epoch: int) -> Action:
        """Return the action of an epoch."""
        return self.actions.get(epoch, WAIT)

    def schedule_hash(self) -> str:
        """Return the SHA-256 of version and actions in canonical form."""
        steps: list[JsonValue] = [[epoch, list(action)] for epoch, action in sorted(self.actions.items())]
        return sha256(canonical_json({"version": SCHEDULE_VERSION, "actions": steps}).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedCourse:
    """One seed's way through a schedule: the epochs it is planted, advanced three times and made permanent at."""

    slot_id: str
    blueprint: BlueprintAction
    plant: int
    advances: tuple[int, int, int]
    fossilize: int

    def steps(self, slot_ids: Sequence[str]) -> tuple[tuple[int, Action], ...]:
        """Return epochs and actions for a host with these slots."""
        slot = _index(self.slot_id, slot_ids)
        return (
            (self.plant, _plant(slot, self.blueprint)),
            *((epoch, compose(LifecycleOp.ADVANCE, slot)) for epoch in self.advances),
            (self.fossilize, compose(LifecycleOp.FOSSILIZE, slot)),
        )


GROW_THREE: Final = (
    SeedCourse(slot_id="r0c0", blueprint=BlueprintAction.CONV_LIGHT, plant=4, advances=(5, 9, 12), fossilize=14),
    SeedCourse(slot_id="r0c1", blueprint=BlueprintAction.CONV_HEAVY, plant=10, advances=(11, 15, 18), fossilize=20),
    SeedCourse(slot_id="r0c2", blueprint=BlueprintAction.CONV_HEAVY, plant=16, advances=(17, 21, 24), fossilize=26),
)


def grow_three(slot_ids: Sequence[str]) -> Schedule:
    """Return the schedule that grows three seeds one after another under quick timings."""
    return Schedule.of("grow_three", [step for course in GROW_THREE for step in course.steps(slot_ids)])


def grow_norm(slot_ids: Sequence[str], timings: LifecycleTimings) -> Schedule:
    """Return the schedule that makes one `norm` permanent as soon as the timings allow."""
    training = 2
    blending = training + timings.min_training_dwell
    holding = blending + timings.tempo_epochs(TempoAction.STANDARD)
    course = SeedCourse(
        slot_id="r0c0",
        blueprint=BlueprintAction.NORM,
        plant=1,
        advances=(training, blending, holding),
        fossilize=holding + 1,
    )
    return Schedule.of("grow_norm", course.steps(slot_ids))


def plant_norm(slot_ids: Sequence[str]) -> Schedule:
    """Return the schedule that plants a `norm` at the first epoch and leaves it alone."""
    return Schedule.of("plant_norm", [(1, _plant(_index("r0c0", slot_ids), BlueprintAction.NORM))])


SCHEDULES: Final[dict[str, Callable[[Sequence[str], LifecycleTimings], Schedule]]] = {
    "grow_three": lambda slot_ids, timings: grow_three(slot_ids),
    "grow_norm": grow_norm,
    "plant_norm": lambda slot_ids, timings: plant_norm(slot_ids),
}
"""The schedules that have a name, each built for slots and timings."""


def schedule_named(name: str, slot_ids: Sequence[str], timings: LifecycleTimings) -> Schedule:
    """Return a schedule by its name; an unknown one raises `ConfigError`."""
    if name not in SCHEDULES:
        raise ConfigError(f"no schedule is called {name!r}; there are: {', '.join(SCHEDULES)}")
    return SCHEDULES[name](slot_ids, timings)


def parse_schedule(schedule_id: str, text: str, slot_ids: Sequence[str]) -> Schedule:
    """Read a schedule: one line per action, an epoch and the action; empty lines and those behind `#` count nothing.

    Raises:
        ConfigError: A line cannot be read; the message names it.
    """
    steps = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not (words[0].isascii() and words[0].isdigit() and int(words[0]) > 0):
            raise ConfigError(f"line {number}: {words[0]!r} is no epoch; write a number from 1, then the action")
        try:
            steps.append((int(words[0]), parse_action(words[1:], slot_ids)))
        except ConfigError as error:
            raise ConfigError(f"line {number}: {error}") from error
    return Schedule.of(schedule_id, steps)


def _plant(slot: int, blueprint: BlueprintAction) -> Action:
    return compose(LifecycleOp.GERMINATE, slot, blueprint=blueprint, style=GerminationStyle.LINEAR_ADD)


def _index(slot_id: str, slot_ids: Sequence[str]) -> int:
    if slot_id not in slot_ids:
        raise ConfigError(
            f"the schedule plants in slot {slot_id}, which is not enabled; enabled are: {', '.join(slot_ids)}"
        )
    return slot_ids.index(slot_id)
