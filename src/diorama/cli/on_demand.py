"""Commands that are loaded when they are called: help and completion know them by their entries alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_group

from diorama.cli.groups import Group, command_group, examples
from diorama.cli.help_page import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A command, or a group of them, that nobody has called yet."""

    name: str
    target: str
    """Where its function or its typer app is, as `module:attribute`."""
    summary: str
    """The first paragraph of its help."""
    examples: tuple[str, ...] = ()
    command_class: str | None = None
    """Where its class is, as `module:attribute`, if it is not typer's own."""
    context_settings: Mapping[str, Any] = field(default_factory=dict)

    def listed(self) -> TyperCommand:
        """Return what lists show of it."""
        return TyperCommand(self.name, help=self.summary)

    def loaded(self) -> Any:
        """Return the command itself."""
        shelf = command_group()
        shelf.callback()(_nothing)
        target = resolve_name(self.target)
        if isinstance(target, typer.Typer):
            shelf.add_typer(target, name=self.name)
        else:
            shelf.command(
                self.name,
                cls=resolve_name(self.command_class) if self.command_class else None,
                context_settings=dict(self.context_settings),
                epilog=examples(*self.examples),
            )(target)
        return get_group(shelf).commands[self.name]


class OnDemandGroup(Group):
    """A group whose commands are loaded one by one, each when it is asked for."""

    entries: ClassVar[tuple[Entry, ...]]

    def __init__(self, **attributes: Any) -> None:
        """Know the entries; typer gives everything else."""
        super().__init__(**{**attributes, "commands": [entry.listed() for entry in self.entries]})
        self._waiting = {entry.name: entry for entry in self.entries}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command; flags that nobody has given are no reason to load pydantic."""
        for option in self.get_params(ctx):
            if isinstance(option, TyperOption) and option.is_flag and option.default is None:
                option.default = False
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, loaded."""
        entry = self._waiting.get(cmd_name)
        if entry is not None:
            self.commands[cmd_name] = entry.loaded()
            del self._waiting[cmd_name]
        return super().get_command(ctx, cmd_name)

    def listing(self, ctx: Any) -> list[Row]:
        """Return the name of every command with what it does, without loading one."""
        return [(entry.name, entry.summary) for entry in self.entries]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Offer names without loading a command."""
        names = TyperGroup(name=self.name, commands=[entry.listed() for entry in self.entries], params=self.params)
        return names.shell_complete(typer.Context(names, info_name=ctx.info_name), incomplete)


def _nothing() -> None:
    """Makes a group of what would else be a single command."""
