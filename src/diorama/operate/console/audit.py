"""`AuditLog`: one JSON line for every command and every failed attempt to become somebody."""

import errno
import logging
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.console.answers import error_of
from diorama.operate.console.callers import Caller
from diorama.operate.console.envelopes import Envelope

REMOVED: Final = "[removed]"
_SECRET_KEY: Final = re.compile(r"token|secret|password|passwd|authorization|api_?key|credential", re.IGNORECASE)
_log: Final = logging.getLogger(__name__)


def without_secrets(value: JsonValue) -> JsonValue:
    """Return a value without what lies under keys that sound like a secret."""
    if isinstance(value, Mapping):
        return {key: REMOVED if _SECRET_KEY.search(key) else without_secrets(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(inner) for inner in value]
    return value


def audit_line(envelope: Envelope, caller: Caller, answer: JsonObject, *, has_token: bool) -> JsonObject:
    """Describe a command; one that holds a token is described without anything its sender wrote."""
    error = error_of(answer)
    sent: JsonObject = {
        "cmd_id": envelope.cmd_id,
        "name": envelope.name,
        "args": without_secrets(envelope.args),
        "kwargs": without_secrets(envelope.kwargs),
        "metadata": without_secrets(envelope.metadata),
    }
    if has_token:
        sent = {**dict.fromkeys(sent, REMOVED), "args": [], "kwargs": {}, "metadata": {}}
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "tick": answer["tick"],
        "issuer": caller.issuer,
        "role": caller.role,
        **sent,
        "dry_run": envelope.dry_run,
        "status": answer["status"],
        "error_code": None if error is None else error["code"],
        "error_reason": None if error is None else error["reason"],
        "latency_ms": answer["latency_ms"],
        "client": caller.address,
        "replayed": answer["replayed"],
    }


def attempt_line(address: str, tick: int, error: CommandError) -> JsonObject:
    """Describe somebody who came without a valid token."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "tick": tick,
        "issuer": None,
        "role": None,
        "cmd_id": None,
        "name": None,
        "args": [],
        "kwargs": {},
        "metadata": {},
        "dry_run": False,
        "status": "error",
        "error_code": error.code,
        "error_reason": error.reason,
        "latency_ms": 0.0,
        "client": address,
        "replayed": False,
    }


class AuditLog:
    """Appends whole lines to a file; used from any thread.

    Attributes:
        path: The file.
        failures: Lines that the disk refused.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, which is made where it does not exist, for its owner alone.

        Raises:
            ConfigError: It cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigError(f"console.audit_path: {path} cannot be written ({error.strerror})") from None
        self.path = path
        self._lock = Lock()
        self._is_open = True
        self.failures = 0

    def write(self, line: JsonObject) -> None:
        """Append a line; a disk that refuses is counted and logged, and stops nobody."""
        data = msgspec.json.encode(line) + b"\n"
        with self._lock:
            if not self._is_open:
                return
            try:
                self._append(data)
            except OSError as error:
                self.failures += 1
                if self.failures == 1:
                    _log.error("the console's audit cannot be written: %s", error.strerror)

    def _append(self, data: bytes) -> None:
        before = os.fstat(self._file).st_size
        if os.write(self._file, data) < len(data):
            os.ftruncate(self._file, before)  # half a line would spoil the next one, too
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._is_open:
                os.close(self._file)
                self._is_open = False
