"""`Executor`: executes commands, and remembers the answers, so that none with a `cmd_id` happens twice."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from diorama.contracts.errors import SnapshotError, StorageError
from diorama.contracts.live.commands import Role
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.console.answers import Response, error_of, response
from diorama.operate.console.callers import Caller
from diorama.operate.console.catalogue import Catalogue, Entry
from diorama.operate.console.context import OperatorContext
from diorama.operate.console.executed import Executed
from diorama.operate.console.history import History, fingerprint
from diorama.operate.console.orders import Order

_log: Final = logging.getLogger(__name__)
_NOT_KEPT: Final = CommandError(
    "internal", "not_kept", "it was done, and is forgotten if the world restarts before its disk has room again"
)


class Executor:
    """Does what the console of one live world is asked for.

    Attributes:
        issuer: Who gave the command that is being executed.
    """

    def __init__(
        self,
        context: OperatorContext,
        world: LiveWorld,
        catalogue: Catalogue,
        history_limit: int,
        journal: Callable[[JsonObject], None] | None,
    ) -> None:
        """Remember nothing yet; `journal` takes what changed something before it is answered."""
        self.issuer = ""
        self._context = context
        self._world = world
        self._catalogue = catalogue
        self._journal = journal
        self._histories: dict[Role, History] = {"viewer": History(history_limit), "admin": History(history_limit)}

    def lookup(self, cmd_id: str, caller: Caller) -> Response | None:
        """Return the answer of a command the caller gave; None if it is not remembered. From any thread."""
        return self._histories[caller.role].lookup(caller.issuer, cmd_id)

    def answer(self, order: Order) -> Response:
        """Execute an order, unless it was executed before; on the thread that runs the world."""
        envelope, caller = order.envelope, order.caller
        history = self._histories[caller.role]
        mark = fingerprint(order.entry.command.name, envelope.args, envelope.kwargs)
        try:
            if envelope.cmd_id is not None:
                stored = history.find(caller.issuer, envelope.cmd_id, mark)
                if stored is not None:
                    return stored
        except CommandError as error:
            return self._respond(error, order)
        answer = self._respond(self._execute(order), order)
        # Before the journal, which may write a snapshot with the history in it.
        if envelope.cmd_id is not None:
            history.keep(caller.issuer, envelope.cmd_id, mark, answer)
        if order.changes and error_of(answer) is None and self._journal is not None:
            try:
                self._journal(Executed.of(order, answer).to_json())
            except StorageError:
                answer = self._respond(_NOT_KEPT, order)
                if envelope.cmd_id is not None:
                    history.keep(caller.issuer, envelope.cmd_id, mark, answer)
        return answer

    def replay(self, executed: Sequence[JsonObject]) -> None:
        """Do again what the journal holds: the world's own commands, and those of the platform that say so.

        Of others only the answers are kept.

        Raises:
            SnapshotError: It is something else, or the world refuses what it once did.
        """
        for item in executed:
            done = Executed.parse(item)
            try:
                entry = self._catalogue.find(done.name)
                if entry.source == "world" or entry.command.is_repeated:
                    entry.command.execute(self._subject(entry), done.args, done.kwargs)
            except CommandError as error:
                raise SnapshotError(f"{done.name} cannot be done again: {error.message}") from None
            if done.cmd_id is not None:
                mark = fingerprint(entry.command.name, done.args, done.kwargs)
                self._histories[done.role].keep(done.issuer, done.cmd_id, mark, done.response)

    def export(self) -> JsonValue:
        """Return what must survive a snapshot: which commands of admins happened."""
        return self._histories["admin"].export()

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned.

        Raises:
            SnapshotError: It is no such state; nothing changes.
        """
        self._histories["admin"].load(state)

    def _execute(self, order: Order) -> JsonObject | CommandError:
        self.issuer = order.caller.issuer
        try:
            return order.entry.command.run(self._subject(order.entry), order.arguments)
        except CommandError as error:
            return error
        except Exception:
            # A mistake in a command must not stop the world; its sender gets no traceback, the log does.
            _log.exception("the command %s failed", order.entry.command.name)
            return CommandError("internal", "unexpected", "the command failed; the log of the world says why")

    def _subject(self, entry: Entry) -> object:
        return self._context if entry.source == "platform" else self._world.subject

    def _respond(self, outcome: JsonObject | CommandError, order: Order) -> Response:
        answer = response(
            outcome,
            cmd_id=order.envelope.cmd_id,
            name=order.envelope.name,
            issuer=order.caller.issuer,
            tick=self._context.tick,
            latency_ms=(time.perf_counter() - order.arrived) * 1000.0,
        )
        # Admins must know who is who to command them; viewers see what spectators see.
        return answer if order.caller.role == "admin" else dict(self._context.hide(answer))
