"""`Executed`: a command that changed something, as a replay log keeps it."""

from typing import Any, Self

import msgspec

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.commands import Role
from diorama.contracts.values import JsonObject
from diorama.operate.console.answers import Response
from diorama.operate.console.orders import Order


class Executed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who did what, and what came of it."""

    name: str
    args: list[Any]
    kwargs: dict[str, Any]
    cmd_id: str | None
    issuer: str
    role: Role
    response: dict[str, Any]

    @classmethod
    def of(cls, order: Order, answer: Response) -> Self:
        """Note an order that was carried out."""
        envelope, caller = order.envelope, order.caller
        return cls(
            name=envelope.name,
            args=envelope.args,
            kwargs=envelope.kwargs,
            cmd_id=envelope.cmd_id,
            issuer=caller.issuer,
            role=caller.role,
            response=answer,
        )

    def to_json(self) -> JsonObject:
        """Return it as `parse` reads it."""
        fields: JsonObject = msgspec.to_builtins(self)
        return fields

    @classmethod
    def parse(cls, value: JsonObject) -> Self:
        """Read what was noted.

        Raises:
            SnapshotError: It is something else.
        """
        try:
            return msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise SnapshotError(f"a command of the replay log is broken: {error}") from None
