"""`Catalogue`: every command of a console by name, and the help that is made of their models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

from pydantic import Field

from diorama.contracts.errors import ContractError
from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.console.context import OperatorContext

Source = Literal["platform", "world"]
_TITLE: Final = "title"


class HelpArguments(Arguments):
    """Which command; all of them without a name."""

    name: str | None = Field(default=None, max_length=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A command and whose it is: the platform's are given the services, a world's its own subject."""

    command: Command[Any, Any]
    source: Source


class Catalogue:
    """The commands of one console."""

    def __init__(self, platform: Sequence[Command[OperatorContext, Any]], world: Sequence[Command[Any, Any]]) -> None:
        """Put the platform's commands and those of a world together, with `help` for all of them.

        Raises:
            ContractError: Two of them have the same name.
        """
        helping = Command(
            name="help",
            role="viewer",
            needs_id=False,
            summary="Show what can be asked, and how.",
            arguments=HelpArguments,
            run=self._help,
        )
        self.entries: dict[str, Entry] = {}
        self._by_name: dict[str, Entry] = {}
        for command in (helping, *platform):
            self._add(Entry(command=command, source="platform"))
        for command in world:
            self._add(Entry(command=command, source="world"))
        # Made once: whoever asks for help must not hold up a tick.
        self._described = {name: _describe(entry) for name, entry in self.entries.items()}

    def _add(self, entry: Entry) -> None:
        self.entries[entry.command.name] = entry
        for name in (entry.command.name, *entry.command.aliases):
            if name in self._by_name:
                raise ContractError(f"two commands are called {name!r}")
            self._by_name[name] = entry

    def find(self, name: str) -> Entry:
        """Return the command of a name or alias.

        Raises:
            CommandError: `unsupported`: there is none.
        """
        entry = self._by_name.get(name)
        if entry is None:
            near = get_close_matches(name, self._by_name, n=1)
            advice = f"did you mean {near[0]}?" if near else "help lists what there is"
            raise CommandError("unsupported", "unknown_command", f"this console knows no command {name!r}; {advice}")
        return entry

    def describe(self, name: str | None = None) -> JsonObject:
        """Describe a command, or all of them.

        Raises:
            CommandError: `not_found`: there is none of that name.
        """
        if name is None:
            return {"commands": list(self._described.values())}
        if name not in self._by_name:
            raise CommandError("not_found", "unknown_command", f"there is no command {name!r}; help lists all")
        return {"commands": [self._described[self._by_name[name].command.name]]}

    def _help(self, _: OperatorContext, given: HelpArguments) -> JsonObject:
        return self.describe(given.name)


def _describe(entry: Entry) -> JsonObject:
    command = entry.command
    return {
        "name": command.name,
        "aliases": list(command.aliases),
        "source": entry.source,
        "role": command.role,
        "needs_id": command.needs_id or command.needs_id_when is not None,
        "summary": command.summary,
        "usage": command.usage,
        "arguments": _untitled(command.arguments.model_json_schema()),
    }


def _untitled(schema: JsonValue) -> JsonValue:
    """Drop the titles pydantic makes of names: they say nothing, twice."""
    if isinstance(schema, Mapping):
        return {key: _untitled(value) for key, value in schema.items() if key != _TITLE or not isinstance(value, str)}
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    return schema
