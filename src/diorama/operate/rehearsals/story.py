"""A timeline of commands, given one after another while a world runs, and what must come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from diorama.operate.rehearsals.drills import Drill
from diorama.operate.rehearsals.rehearsal import Rehearsal
from diorama.operate.rehearsals.theater import Theater, outcome_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A timeline.

    Attributes:
        orders: Commands by the tick in which they are given; at most one a tick.
        ticks: How long it lasts.
        events: What must happen, in this order, others between them or not.
        categories: Of narrations that must be told, in this order.
    """

    orders: Mapping[int, Drill]
    ticks: int
    events: Sequence[str]
    categories: Sequence[str]


def rehearse_story(rehearsal: Rehearsal, theater: Theater, story: Story) -> None:
    """Play a story and watch it as a spectator does.

    Raises:
        StepFailed: A command is refused, or something does not come about.
    """
    categories = _Narrations(theater)
    while theater.tick < story.ticks:
        order = story.orders.get(theater.tick)
        if order is None:
            theater.run(1)
        else:
            answer = theater.command(order.name, order.args, order.kwargs)
            rehearsal.check(order.name, answer["status"] == "ok", tick=theater.tick - 1, detail=outcome_of(answer))
        categories.read()
    told = [(str(event["event"]), int(str(event["tick"]))) for event in theater.events]
    _check_order(rehearsal, "event", story.events, told)
    _check_order(rehearsal, "narration", story.categories, categories.told)


class _Narrations:
    """What a spectator is told in sentences."""

    def __init__(self, theater: Theater) -> None:
        self.told: list[tuple[str, int]] = []
        self._subscription = theater.runtime.publisher.subscribe(frozenset({"health"}))

    def read(self) -> None:
        while (message := self._subscription.next(0.0)) is not None:
            self.told += [
                (told["category"], told["tick"]) for told in msgspec.json.decode(message).get("narrations", ())
            ]


def _check_order(rehearsal: Rehearsal, kind: str, wanted: Sequence[str], told: Sequence[tuple[str, int]]) -> None:
    rest = iter(told)
    for name in wanted:
        tick = next((tick for found, tick in rest if found == name), None)
        missing = "" if tick is not None else "it was not told, or not in this order"
        rehearsal.check(f"{kind} {name}", tick is not None, tick=tick, detail=missing)
