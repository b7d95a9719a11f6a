"""`diorama console`: gives commands to a live world, one or many."""

import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from diorama.cli.options import FormatName
from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from diorama.cli.console.client import ConsoleClient

DEFAULT_URL: Final = "http://127.0.0.1:8001"
URL_ENV: Final = "DIORAMA_LIVE_URL"
DEFAULT_TOKEN_ENV: Final = "DIORAMA_CONSOLE_TOKEN"
FAILED: Final = 1
WRONG: Final = 2
_WRONG_CODES: Final = ("usage", "invalid_args")

UrlOption = Annotated[str, typer.Option(envvar=URL_ENV, help="Address of the live server.")]
TokenEnvOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Environment variable that holds the token; without one you are a viewer.",
        show_default=DEFAULT_TOKEN_ENV,
    ),
]
WorldOption = Annotated[
    str | None, typer.Option("--world", metavar="ID", help="Live world.", show_default="the only one")
]


def console(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND] [ARGUMENTS]...",
            help="Values in order, name=value or --name value. Without a command a prompt opens; 'help' lists all.",
            show_default=False,
        ),
    ] = None,
    url: UrlOption = DEFAULT_URL,
    token_env: TokenEnvOption = None,
    world: WorldOption = None,
    cmd_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Makes it happen once, however often it is sent.", show_default="new"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check the command and its arguments.")] = False,
    form: Annotated[FormatName, typer.Option("--format", help="How to print it; json is the whole answer.")] = "text",
    audit: Annotated[
        Path | None,
        typer.Option(
            "--audit",
            dir_okay=False,
            allow_dash=True,
            metavar="FILE",
            help="Write everything that was ever commanded to a new file, or to standard output with '-', and give no "
            "command. For admins; in privacy mode it names nobody.",
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.0, help="Seconds to wait for an answer.")] = 30.0,
) -> int:
    """Give a command to a live world, or open a prompt.

    Options come before the command. Exit codes: 0 it was done, 1 it was refused or nobody answers, 2 it was wrong.
    """
    from diorama.cli.console.auditing import write_audit
    from diorama.cli.console.client import ConsoleFailure
    from diorama.cli.console.prompt import converse
    from diorama.cli.console.tables import show_answer

    try:
        client = open_client(url, token_env)
        target = client.world(world)

        def give(words: list[str], given_id: str | None) -> dict[str, Any]:
            envelope = envelope_of(words, cmd_id=given_id, dry_run=dry_run)
            return client.give(target, envelope, timeout_seconds=timeout)

        if audit is not None:
            return write_audit(client.audit(target), audit)
        if not words:
            return converse(target, lambda line: give(line, None), as_json=form == "json")
        answer = give(words, cmd_id)
        show_answer(answer, as_json=form == "json")
        return exit_code(answer)
    except ConsoleFailure as error:
        typer.echo(f"diorama: {error}", err=True)
        return FAILED


def open_client(url: str, token_env: str | None) -> "ConsoleClient":
    """Return a client with the token of the environment.

    Raises:
        ConfigError: The address is none, or the variable that was named is not set.
    """
    from diorama.cli.console.client import ConsoleClient
    from diorama.cli.console.overhearing import warn_if_overheard
    from diorama.cli.server_address import parse_base

    token = token_of(token_env)
    base = parse_base("--url", url)
    warn_if_overheard(base, token)
    return ConsoleClient(base, token)


def token_of(token_env: str | None) -> str | None:
    """Return the token of the environment, of the variable that was named or the usual one.

    Raises:
        ConfigError: The variable that was named is not set.
    """
    token = os.environ.get(token_env or DEFAULT_TOKEN_ENV) or None
    if token_env is not None and token is None:
        raise ConfigError(f"--token-env {token_env}: this environment variable is not set")
    return token


def envelope_of(words: list[str], *, cmd_id: str | None, dry_run: bool) -> dict[str, Any]:
    """Put an envelope together; without an id it gets a new one, so that asking again does no harm."""
    from diorama.cli.console.words import parse_words

    args, kwargs = parse_words(words[1:])
    return {
        "name": words[0],
        "args": args,
        "kwargs": kwargs,
        "cmd_id": cmd_id or uuid.uuid4().hex,
        "dry_run": dry_run,
    }


def exit_code(answer: dict[str, Any]) -> int:
    """Return the exit code of an answer."""
    if answer["status"] == "ok":
        return 0
    return WRONG if answer["error"]["code"] in _WRONG_CODES else FAILED
