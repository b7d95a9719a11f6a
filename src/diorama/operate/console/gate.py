"""`Gate`: everything that can be refused before a command waits for its turn."""

import time
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.operate.console.answers import Response, response
from diorama.operate.console.audit import AuditLog, audit_line
from diorama.operate.console.callers import Caller
from diorama.operate.console.catalogue import Catalogue, Entry
from diorama.operate.console.context import OperatorContext
from diorama.operate.console.envelopes import Envelope, parse_envelope, texts_in
from diorama.operate.console.orders import Order
from diorama.operate.console.rate_limit import RateLimit, Verdict
from diorama.operate.console.tokens import TokenBook

_UNREADABLE: Final = Envelope(name="[unreadable]")
_LONGEST_ID: Final = 64


class Gate:
    """Checks commands as they arrive, and answers those that never need a tick; used from any thread."""

    def __init__(
        self, context: OperatorContext, catalogue: Catalogue, book: TokenBook, limit: RateLimit, audit: AuditLog
    ) -> None:
        """Stand before a queue."""
        self._context = context
        self._catalogue = catalogue
        self._book = book
        self._limit = limit
        self._audit = audit

    def admit(self, sent: object, caller: Caller) -> Order | Response:
        """Check a command; returns what waits for its turn, or the answer where there is nothing to wait for."""
        arrived = time.perf_counter()
        if caller.limit_key is not None and (verdict := self._limit.take(caller.limit_key)) is not Verdict.ALLOWED:
            return self._stop(sent, caller, arrived, verdict)
        try:
            envelope = parse_envelope(sent)
        except CommandError as error:
            return self._answer(error, _UNREADABLE, caller, arrived, named=_named(sent))
        has_token = self._book.appears_in(
            texts_in([envelope.name, envelope.cmd_id, envelope.args, envelope.kwargs, envelope.metadata])
        )
        if has_token and caller.role == "admin":
            # Whoever has tokens can give one away. Others are not told: they would learn which guess was right.
            refusal = CommandError(
                "invalid_args", "contains_token", "a token is part of the command; tokens belong in the header alone"
            )
            return self._answer(refusal, envelope, caller, arrived, named=(None, None), has_token=True)
        named = (envelope.cmd_id, envelope.name)
        try:
            return self._check(envelope, caller, arrived, has_token=has_token)
        except CommandError as error:
            return self._answer(error, envelope, caller, arrived, named=named, has_token=has_token)

    def _check(self, envelope: Envelope, caller: Caller, arrived: float, *, has_token: bool) -> Order | Response:
        entry = self._catalogue.find(envelope.name)
        command = entry.command
        if not caller.may(command.role):
            advice = f"{caller.issuer} is a {caller.role}" if self._book.labels else "console_auth gives nobody a token"
            raise CommandError("forbidden", "role_too_low", f"{command.name} is for admins, and {advice}")
        arguments = command.bind(envelope.args, envelope.kwargs)
        changes = command.changes(arguments)
        named = (envelope.cmd_id, envelope.name)
        if envelope.dry_run:
            preview = _preview(entry, arguments, changes=changes)
            return self._answer(preview, envelope, caller, arrived, named=named, has_token=has_token)
        if changes and envelope.cmd_id is None:
            raise CommandError(
                "usage",
                "cmd_id_missing",
                f"{command.name} changes something and needs a cmd_id, so that it happens once",
            )
        return Order(
            envelope=envelope,
            caller=caller,
            entry=entry,
            arguments=arguments,
            changes=changes,
            arrived=arrived,
            has_token=has_token,
        )

    def refuse(self, order: Order, error: CommandError) -> Response:
        """Answer an order that finds no place."""
        envelope = order.envelope
        named = (envelope.cmd_id, envelope.name)
        return self._answer(error, envelope, order.caller, order.arrived, named=named, has_token=order.has_token)

    def _stop(self, sent: object, caller: Caller, arrived: float, verdict: Verdict) -> Response:
        error = CommandError(
            "rate_limited", "too_many", f"{self._limit.per_minute} commands a minute are allowed; wait a little"
        )
        answer = self._respond(error, caller, arrived, _named(sent))
        if verdict is Verdict.STOPPED:  # one line for all that follow: whoever floods the gate must not fill the disk
            self._audit.write(audit_line(_UNREADABLE, caller, answer, has_token=False))
        return answer

    def _answer(
        self,
        outcome: JsonObject | CommandError,
        envelope: Envelope,
        caller: Caller,
        arrived: float,
        *,
        named: tuple[str | None, str | None],
        has_token: bool = False,
    ) -> Response:
        answer = self._respond(outcome, caller, arrived, named)
        self._audit.write(audit_line(envelope, caller, answer, has_token=has_token))
        return answer

    def _respond(
        self, outcome: JsonObject | CommandError, caller: Caller, arrived: float, named: tuple[str | None, str | None]
    ) -> Response:
        cmd_id, name = named
        return response(
            outcome,
            cmd_id=cmd_id,
            name=name,
            issuer=caller.issuer,
            tick=self._context.tick,
            latency_ms=(time.perf_counter() - arrived) * 1000.0,
        )


def _preview(entry: Entry, arguments: BaseModel, *, changes: bool) -> JsonObject:
    return {
        "dry_run": True,
        "command": entry.command.name,
        "arguments": arguments.model_dump(mode="json"),
        "changes": changes,
    }


def _named(sent: object) -> tuple[str | None, str | None]:
    """Return `cmd_id` and `name` of something that may be an envelope, so that its sender knows what is answered."""
    if not isinstance(sent, Mapping):
        return None, None
    found = (sent.get("cmd_id"), sent.get("name"))
    cmd_id, name = (text if isinstance(text, str) and len(text) <= _LONGEST_ID else None for text in found)
    return cmd_id, name
