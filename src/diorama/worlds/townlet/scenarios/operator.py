"""Gives a town the commands of a timeline, each at the beginning of its tick."""

from collections.abc import Sequence

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.reference.console.executing import apply_console
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.tick import CONSOLE
from diorama.worlds.townlet.scenarios.model import TimelineEntry


class Operator:
    """Stage hooks that carry out a timeline.

    Attributes:
        responses: What the town answered in the last tick, command by command.
        surprises: Commands that came out otherwise than the timeline says, in words.
    """

    def __init__(self, timeline: Sequence[TimelineEntry]) -> None:
        """Take the commands, in the order in which those of one tick are given."""
        self._due: dict[int, list[TimelineEntry]] = {}
        for entry in timeline:
            self._due.setdefault(entry.tick, []).append(entry)
        self.responses: list[JsonObject] = []
        self.surprises: list[str] = []

    def before_stage(self, number: int, town: Town) -> None:
        """Give the commands that are due."""
        if number != CONSOLE:
            return
        due = self._due.get(town.tick, [])
        self.responses = apply_console(town, [_envelope(entry, place) for place, entry in enumerate(due)])
        for entry, response in zip(due, self.responses, strict=True):
            if (response["status"] == "error") != entry.refused:
                self.surprises.append(f"tick {entry.tick}: {entry.name}: {_told(response)}")

    def after_stage(self, number: int, town: Town) -> None:
        """Nothing to do."""


def _envelope(entry: TimelineEntry, place: int) -> JsonObject:
    return {
        "name": entry.name,
        "args": entry.args,
        "kwargs": entry.kwargs,
        "cmd_id": f"timeline-{entry.tick}-{place}",
    }


def _told(response: JsonObject) -> str:
    error = response.get("error")
    return str(error["message"]) if isinstance(error, dict) else "was carried out"
