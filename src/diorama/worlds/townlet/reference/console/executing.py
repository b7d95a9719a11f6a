"""Executing commands in process: what scenarios, and the console service, do to a town in stage 1."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import Field, ValidationError

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.reference.console import citizens, happenings, management, society
from diorama.worlds.townlet.reference.state.town import Town

_ALL: Final[tuple[Command[Town, Any], ...]] = (
    *citizens.COMMANDS,
    *happenings.COMMANDS,
    *society.COMMANDS,
    *management.COMMANDS,
)
COMMANDS: Final[Mapping[str, Command[Town, Any]]] = {command.name: command for command in _ALL}
_BY_NAME: Final = {name: command for command in _ALL for name in (command.name, *command.aliases)}


class Envelope(Arguments):
    """A command as it is sent."""

    name: str = Field(min_length=1)
    args: list[Any] = Field(default_factory=list)
    kwargs: dict[str, Any] = Field(default_factory=dict)
    cmd_id: str | None = Field(default=None, min_length=1, max_length=64)
    metadata: dict[str, Any] = Field(default_factory=dict)


def apply_console(town: Town, operations: Iterable[Mapping[str, object]]) -> list[JsonObject]:
    """Execute envelopes in order; every one is answered, and a refused one changes nothing.

    Returns:
        One response per envelope: `cmd_id`, `name`, `status`, `tick`, and `result` or `error`.
    """
    return [_respond(town, operation) for operation in operations]


def execute(town: Town, name: str, /, *args: object, **kwargs: object) -> JsonObject:
    """Execute one command of the town.

    Raises:
        CommandError: It is refused.
    """
    command = _BY_NAME.get(name)
    if command is None:
        raise CommandError("unsupported", "unknown_command", f"the town knows no command {name!r}")
    return command.execute(town, args, kwargs)


def _respond(town: Town, operation: Mapping[str, object]) -> JsonObject:
    answer: dict[str, JsonValue] = {
        "cmd_id": _text(operation.get("cmd_id")),
        "name": _text(operation.get("name")),
        "tick": town.tick,
    }
    try:
        envelope = Envelope.model_validate(operation)
        return {**answer, "status": "ok", "result": execute(town, envelope.name, *envelope.args, **envelope.kwargs)}
    except ValidationError as error:
        refusal = CommandError("usage", "envelope", first_problem(error))
    except CommandError as error:
        refusal = error
    return {
        **answer,
        "status": "error",
        "error": {"code": refusal.code, "reason": refusal.reason, "message": refusal.message, "details": {}},
    }


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
