"""What the endpoints of a live world answer with; the OpenAPI document is made from these."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from diorama.contracts.spec import Better
from diorama.server.models.base import Answer, JsonObject, OpenAnswer


class LiveWorldRow(OpenAnswer):
    """A live world, and how its loop stands."""

    id: str
    world: str
    run_id: str
    tick: int
    speed: str


class LiveWorldList(Answer):
    """The live worlds of a server."""

    worlds: list[LiveWorldRow]


class ConsoleErrorBlock(Answer):
    """Why a command was refused."""

    code: Literal[
        "usage",
        "invalid_args",
        "unauthorized",
        "forbidden",
        "not_found",
        "conflict",
        "rate_limited",
        "unsupported",
        "internal",
    ]
    reason: str
    message: str
    details: JsonObject


class ConsoleAnswer(Answer):
    """The answer to a command: `result` where it went well, `error` where it did not."""

    cmd_id: str | None
    name: str | None
    status: Literal["ok", "error"]
    result: JsonObject | None = None
    error: ConsoleErrorBlock | None = None
    issuer: str | None
    tick: int
    latency_ms: float
    replayed: bool


class ConsolePending(Answer):
    """The command waits for its turn; ask again with its id."""

    cmd_id: str
    status: Literal["pending"] = "pending"


class TelemetrySnapshot(OpenAnswer):
    """A message of telemetry that holds the whole state."""

    schema_version: str
    world: str
    run_id: str
    config_id: str
    seq: int
    payload_type: Literal["snapshot"]
    tick: int
    day: int
    tod: int
    state: JsonObject


class Kpi(Answer):
    """How a KPI is judged; with `at` reaching a bound is enough to be beyond it."""

    key: str
    title: str
    better: Better
    target: float
    amber: float
    red: float
    at: bool
    gate: float | None
    is_gate_relative: bool


class Kpis(Answer):
    """The KPIs of a live world as telemetry tells them, and how they are judged."""

    tick: int
    kpis: JsonObject
    targets: list[Kpi]


class Training(Answer):
    """How the policy that decides was trained: the last records of its run's PPO log, if it has one."""

    run_id: str | None
    records: list[JsonObject]


class SavedList(Answer):
    """What was saved, newest first."""

    snapshots: list[JsonObject]


class SaveRequest(BaseModel):
    """How to save: under which name, and the id that makes it happen once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = Field(default=None, description="Of the file; its tick if null.")
    cmd_id: Annotated[str | None, Field(min_length=1, max_length=64, description="Makes it happen once.")] = None
