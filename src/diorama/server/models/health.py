"""What `/health` and `/ready` answer."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer


class Health(Answer):
    """The server is up."""

    status: Literal["ok"]


class Check(Answer):
    """One thing that a server must be able to do."""

    name: str = Field(description="`save`, `play`, `tick` or `keep_up`.")
    ok: bool
    problem: str | None = Field(description="Why it is not; null where it is.")


class Readiness(Answer):
    """Whether the server can do what it is for."""

    status: Literal["ready", "not_ready"]
    checks: list[Check]
