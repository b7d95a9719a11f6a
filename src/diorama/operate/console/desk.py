"""`ConsoleDesk`: takes commands from any thread, has them executed in stage 1, answers and audits every one."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from diorama.contracts.live.commands import Command
from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.operation import Console
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.answers import Response, error_of, told
from diorama.operate.console.audit import AuditLog, attempt_line, audit_line, intent_line
from diorama.operate.console.audit_export import exported_audit
from diorama.operate.console.callers import Caller
from diorama.operate.console.catalogue import Catalogue
from diorama.operate.console.context import OperatorContext
from diorama.operate.console.executor import Executor
from diorama.operate.console.gate import Gate
from diorama.operate.console.guesses import RETRY_AFTER, GuessLimit, place_of
from diorama.operate.console.orders import Order
from diorama.operate.console.platform.commands import PLATFORM_COMMANDS
from diorama.operate.console.queue import OrderQueue
from diorama.operate.console.rate_limit import WINDOW_SECONDS, RateLimit, Verdict
from diorama.operate.console.tokens import TokenBook
from diorama.telemetry.live.transports.rotation import Rotation

_EVENT: Final = "console_result"
_NOT_AUDITED: Final = CommandError(
    "internal",
    "not_audited",
    "it was not done, because the audit cannot be written; make room on its disk, or set console.allow_unaudited",
)


class ConsoleDesk:
    """The console of one live world.

    Attributes:
        catalogue: What can be asked.
        executor: Who does it, and remembers the answers.
        guesses: Stands before the tokens.
        results: What spectators may know of the answers of the last `drain`.
    """

    def __init__(
        self,
        context: OperatorContext,
        world: LiveWorld,
        *,
        catalogue: Catalogue,
        book: TokenBook,
        settings: Console,
        audit: AuditLog,
        wake: Callable[[], None] | None = None,
        journal: Callable[[JsonObject], None] | None = None,
    ) -> None:
        """Open a console whose queue is empty."""
        self.catalogue = catalogue
        self.executor = Executor(context, world, catalogue, settings.history_limit, journal)
        self.results: list[JsonObject] = []
        self.guesses = GuessLimit(book)
        self._context = context
        self._book = book
        self._settings = settings
        self._audit = audit
        self._wake = wake
        self._limit = RateLimit(settings.rate_limit_per_minute)
        self._attempts = RateLimit(settings.rate_limit_per_minute)
        self._gate = Gate(context, catalogue, book, self._limit, audit)
        self._queue = OrderQueue(settings.max_pending)
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    @classmethod
    def open(
        cls,
        context: OperatorContext,
        world: LiveWorld,
        commands: Sequence[Command[Any, Any]],
        settings: LiveSettings,
        root: Path,
        environment: Mapping[str, str] = os.environ,
        *,
        wake: Callable[[], None] | None = None,
        journal: Callable[[JsonObject], None] | None = None,
    ) -> Self:
        """Open the console of a live world.

        Args:
            context: The services, for the platform's commands.
            world: Whose `subject` the world's own commands are given.
            commands: The world's own.
            settings: Of the services.
            root: Directory in which the path of the audit lies.
            environment: Where tokens may be.
            wake: Called by whoever submits something that waits for its turn.
            journal: Takes every command that changed something, as `replay` needs it, before it is answered: what was
                acknowledged must not be lost.

        Raises:
            ConfigError: A token is missing or wrong, or the audit cannot be written.
        """
        book = TokenBook(settings.console_auth, environment)
        return cls(
            context,
            world,
            catalogue=Catalogue(PLATFORM_COMMANDS, commands),
            book=book,
            settings=settings.console,
            audit=AuditLog(root / settings.console.audit_path, _rotation(settings.console)),
            wake=wake,
            journal=journal,
        )

    @property
    def tick(self) -> int:
        """The tick of the world; from any thread."""
        return self._context.tick

    @property
    def needs_token(self) -> bool:
        """Whether even viewers need one."""
        return self._book.needs_token

    @property
    def issuers(self) -> tuple[str, ...]:
        """Labels of all tokens."""
        return self._book.labels

    def authenticate(self, token: str | None, address: str) -> Caller:
        """Say who has a token; from any thread.

        Raises:
            CommandError: `unauthorized`, or `rate_limited` for whoever has tried too often.
        """
        try:
            return self.guesses.caller(token, address)
        except CommandError as error:
            self._count("failed_attempts")
            if self._attempts.take(place_of(address)) is Verdict.ALLOWED:
                self._audit.write(attempt_line(address, self._context.tick, error))
            elif error.code == "unauthorized":
                wait = {RETRY_AFTER: int(WINDOW_SECONDS)}
                raise CommandError(
                    "rate_limited", "too_many_attempts", "too many attempts; wait a minute", wait
                ) from None
            raise

    def submit(self, envelope: object, caller: Caller) -> Future[Response]:
        """Ask for something; from any thread. The answer comes in stage 1, a refusal often at once."""
        admitted = self._gate.admit(envelope, caller)
        if isinstance(admitted, Order):
            if (refusal := self._queue.add(admitted)) is None:
                if self._wake is not None:
                    self._wake()
                return admitted.answer
            admitted = self._gate.refuse(admitted, refusal)
        if error_of(admitted) is not None:
            self._count("refused")
        answered: Future[Response] = Future()
        answered.set_result(admitted)
        return answered

    def lookup(self, cmd_id: str, caller: Caller) -> Response | None:
        """Return the answer of a command the caller gave; `status` is `pending` until there is one, None if unknown."""
        is_waiting = self._queue.holds(caller.issuer, cmd_id)  # asked first: it may be answered in between
        answer = self.executor.lookup(cmd_id, caller)
        return {"cmd_id": cmd_id, "status": "pending"} if answer is None and is_waiting else answer

    def export_audit(self) -> Iterator[bytes]:
        """Yield the audit line by line, without who is who where people are hidden; from any thread."""
        commands = (entry.command for entry in self.catalogue.entries.values())
        names = {name for command in commands for name in (command.name, *command.aliases)}
        return exported_audit(self._audit.path, self._context.hide, names)

    def drain(self, limit: int | None = None) -> list[LiveEvent]:
        """Execute what waits, in the order of arrival; on the thread that runs the world.

        Args:
            limit: How many at most; as many as the settings allow if left out.

        Returns:
            A `console_result` for each.
        """
        self.results = []
        events: list[LiveEvent] = []
        for _ in range(self._settings.max_commands_per_tick if limit is None else limit):
            if (order := self._queue.take()) is None:
                break
            if order.answer.set_running_or_notify_cancel():
                events.append(self._settle(order))
        return events

    def _settle(self, order: Order) -> LiveEvent:
        is_admin = order.caller.role == "admin"
        intent = intent_line(order.envelope, order.caller, self._context.tick, has_token=order.has_token)
        entry = self._audit.begin(intent)
        if entry is None and not self._settings.allow_unaudited:
            answer = self._gate.refuse(order, _NOT_AUDITED)
        else:
            answer = self.executor.answer(order)
        if entry is not None:
            self._audit.finish(entry, audit_line(order.envelope, order.caller, answer, has_token=order.has_token))
        self._count("executed" if error_of(answer) is None else "refused")
        shown = told(answer, changes=order.changes, is_admin=is_admin)
        self.results.append(shown)
        order.answer.set_result(answer)
        return LiveEvent(name=_EVENT, tick=self._context.tick, priority=Priority.P0, fields=shown)

    def apply_settings(self, settings: Console) -> None:
        """Take over the limits that may change while a world runs."""
        self._settings = settings
        self._queue.limit = settings.max_pending
        self._audit.rotation = _rotation(settings)
        self._limit.per_minute = self._attempts.per_minute = settings.rate_limit_per_minute

    def health(self) -> dict[str, int]:
        """Return how busy the console is, and what it had to refuse."""
        with self._lock:
            counts = dict(self._counts)
        return {
            "pending": len(self._queue),
            "executed": counts.get("executed", 0),
            "refused": counts.get("refused", 0),
            "failed_attempts": counts.get("failed_attempts", 0),
            "audit_failures": self._audit.failures,
        }

    def close(self) -> None:
        """Answer everybody who still waits, and take no more."""
        for order in self._queue.close():
            if order.answer.set_running_or_notify_cancel():
                refusal = CommandError("conflict", "stopping", "the world was stopped before the command's turn")
                order.answer.set_result(self._gate.refuse(order, refusal))
        self._audit.close()

    def _count(self, what: str) -> None:
        with self._lock:
            self._counts[what] += 1


def _rotation(settings: Console) -> Rotation:
    return Rotation(most_bytes=settings.audit_rotate_bytes, keep=settings.audit_rotate_keep)
