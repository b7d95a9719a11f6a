"""What commands and groups of them have in common: how they explain themselves, and what none of them takes."""

from math import isfinite
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from diorama.cli.help_page import Row, help_page


class Command(TyperCommand):
    """A command with our help, whose numbers are numbers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; refuse numbers that are none, and let every refusal know where it was made."""
        try:
            rest = super().parse_args(ctx, args)
        except typer.TyperException as error:
            if vars(error).get("ctx", ctx) is None:
                vars(error)["ctx"] = ctx
            raise
        for item in self.params:
            value = ctx.params.get(item.name)
            if isinstance(value, float) and not isfinite(value):
                words = f"{value} is wrong; it should be a finite number"
                raise typer.BadParameter(words, ctx=ctx, param_hint=" / ".join(f"'{name}'" for name in item.opts))
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        formatter.write(help_page(self, ctx))


class Group(TyperGroup):
    """A group of commands that shows its help when nothing is asked of it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit
        return super().parse_args(ctx, args)

    def listing(self, ctx: Any) -> list[Row]:
        """Return the name of every command with what it does."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        return [
            (name, " ".join((command.help or "").partition("\n\n")[0].split()))
            for name, command in commands
            if command is not None and not command.hidden
        ]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        formatter.write(help_page(self, ctx, commands=self.listing(ctx)))


class _Commands(typer.Typer):
    def command(self, *args: Any, **settings: Any) -> Any:
        return super().command(*args, **{**settings, "cls": settings.get("cls") or Command})


def command_group(**settings: Any) -> typer.Typer:
    """Make a group of our commands; settings are typer's."""
    return _Commands(
        **{
            "cls": Group,
            "pretty_exceptions_enable": False,
            "rich_markup_mode": None,
            "context_settings": {"help_option_names": ["-h", "--help"]},
            **settings,
        }
    )


def examples(*lines: str) -> str:
    """Return the end of a help page."""
    return "\n\n".join(("Examples:", *lines))
