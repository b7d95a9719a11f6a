"""What groups of commands have in common."""

import typer


def command_group() -> typer.Typer:
    """Make a group that shows its help when nothing is asked of it."""
    return typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def examples(*lines: str) -> str:
    """Return the end of a help page; an empty line between two examples makes typer keep them apart."""
    return "\n\n".join(("Examples:", *lines))
