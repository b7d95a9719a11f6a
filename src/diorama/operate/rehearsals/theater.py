"""`Theater`: a live world that only moves when the rehearsal says so, and everything it tells."""

from collections.abc import Mapping, Sequence
from itertools import count
from types import TracebackType
from typing import Final, Self

from diorama.contracts.live.commands import Role
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.console.callers import Caller
from diorama.operate.live.runtime import LiveRuntime

CALLERS: Final[Mapping[Role, Caller]] = {
    "admin": Caller.local("rehearsal"),
    "viewer": Caller(issuer="onlooker", role="viewer", address="local", limit_key=None),
}


class Theater:
    """Gives commands through the real console, runs ticks, and keeps the events; closes the world in the end."""

    def __init__(self, runtime: LiveRuntime) -> None:
        """Take over a runtime that was opened and not started."""
        self.runtime = runtime
        self.events: list[JsonObject] = []
        self._numbers = count(1)
        runtime.publisher.register_event_subscriber(self.events.extend)

    def __enter__(self) -> Self:
        """Nothing more to do."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the world; a loop that failed has let go of itself."""
        self.runtime.close()

    @property
    def tick(self) -> int:
        """The next one."""
        return self.runtime.world.clock.tick

    def run(self, ticks: int) -> None:
        """Let so many ticks pass.

        Raises:
            StageFailure: A stage raised.
        """
        self.runtime.run_ticks(ticks)

    def command(
        self,
        name: str,
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
        *,
        role: Role = "admin",
    ) -> JsonObject:
        """Give a command, let a tick pass, and return the answer."""
        envelope = {
            "name": name,
            "args": list(args),
            "kwargs": dict(kwargs or {}),
            "cmd_id": f"rehearsal-{next(self._numbers)}",
        }
        answer = self.runtime.desk.submit(envelope, CALLERS[role])
        self.run(1)
        return answer.result(timeout=0)

    def has_told(self, event: str) -> bool:
        """Whether an event of that name happened so far."""
        return any(told["event"] == event for told in self.events)


def refusal_of(answer: JsonObject) -> tuple[str | None, str | None]:
    """Code and reason for which a command was refused; None for both where it was not."""
    error: JsonValue = answer.get("error")
    return (str(error["code"]), str(error["reason"])) if isinstance(error, Mapping) else (None, None)


def outcome_of(answer: JsonObject) -> str:
    """Say in a word how a command went."""
    code, reason = refusal_of(answer)
    return "ok" if code is None else f"{code} ({reason})"
