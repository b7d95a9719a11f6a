"""`OperationSettings`: logs, readiness and shutdown of a server."""

from pathlib import Path
from typing import Literal

from pydantic import Field, PositiveFloat
from pydantic_settings import BaseSettings

from diorama.operate.shutdown import DEFAULT_SECONDS

LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]


class OperationSettings(BaseSettings):
    """Settings of running a server, in the same environment as all others.

    Attributes:
        log_format: Form of the log: `text` for people, or `json`, one object a line.
        log_level: The least important lines that are written.
        log_file: File of the log, instead of standard error; put aside when it has `log_rotate_bytes`.
        log_rotate_bytes: Size at which the log file is put aside as `FILE.1`, `FILE.2` and so on.
        log_rotate_keep: Log files put aside that stay.
        access_log: Whether every request gets a line; where there is a `log_file` unless given.
        shutdown_seconds: How long a server that was told to end may take; what hangs longer is abandoned.
        behind_seconds: How far behind a server may be and still count as ready.
        least_free_bytes: Free room on its disks below which a server does not count as ready.
    """

    log_format: LogFormat = "text"
    log_level: LogLevel = "warning"
    log_file: Path | None = None
    log_rotate_bytes: int = Field(default=64 << 20, ge=4096)
    log_rotate_keep: int = Field(default=8, ge=1, le=10_000)
    access_log: bool | None = None
    shutdown_seconds: PositiveFloat = DEFAULT_SECONDS
    behind_seconds: PositiveFloat = 2.0
    least_free_bytes: int = Field(default=64 << 20, ge=0)

    @property
    def logs_access(self) -> bool:
        """Whether every request gets a line."""
        return self.log_file is not None if self.access_log is None else self.access_log
