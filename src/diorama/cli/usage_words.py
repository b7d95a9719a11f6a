"""What is wrong with a command line, in words."""

import typer


def usage_words(error: typer.TyperException) -> str:
    """Return what typer refuses, with the value that was given and what would be right."""
    cause = error.__cause__
    if isinstance(error, typer.BadParameter) and cause is not None:
        from pydantic import ValidationError

        from diorama.contracts.validation import problem_words

        if isinstance(cause, ValidationError):
            item = cause.errors(include_url=False)[0]
            words = problem_words(item)
            # Whoever lists the choices quotes the value already.
            error.message = words if words.startswith(repr(item["input"])) else f"{item['input']!r} is wrong; {words}"
    return error.format_message().strip()
