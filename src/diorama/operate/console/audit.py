"""`AuditLog`: one JSON line for every command and every failed attempt to become somebody."""

import errno
import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import msgspec

from diorama.contracts.errors import ConfigError, StorageError
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.console.answers import error_of
from diorama.operate.console.callers import Caller
from diorama.operate.console.envelopes import Envelope
from diorama.telemetry.live.transports.rotation import Rotation

REMOVED: Final = "[removed]"
BEGUN: Final = "begun"  # status of a command that is being carried out, or was when its process was killed
_ROOM: Final = 256  # bytes that the outcome of a command may need beyond its intent
_SECRET_KEY: Final = re.compile(r"token|secret|password|passwd|authorization|api_?key|credential", re.IGNORECASE)
_log: Final = logging.getLogger(__name__)

T = TypeVar("T")


def is_secret_key(key: str) -> bool:
    """Whether a key sounds as if a secret lay under it."""
    return _SECRET_KEY.search(key) is not None


def without_secrets(value: JsonValue) -> JsonValue:
    """Return a value without what lies under keys that sound like a secret."""
    if isinstance(value, Mapping):
        return {key: REMOVED if is_secret_key(key) else without_secrets(inner) for key, inner in value.items()}
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


def intent_line(envelope: Envelope, caller: Caller, tick: int, *, has_token: bool) -> JsonObject:
    """Describe a command before it is carried out."""
    answer: JsonObject = {"tick": tick, "status": BEGUN, "latency_ms": 0.0, "replayed": False}
    return audit_line(envelope, caller, answer, has_token=has_token)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The place of a line that stands in the audit and may grow to `size` bytes."""

    offset: int
    size: int


class AuditLog:
    """Appends whole lines to a file; used from any thread.

    A command stands in it before it is carried out, in a line with room for its outcome, so that the disk cannot
    refuse that any more.

    Attributes:
        path: The file.
        rotation: When it is put aside, and how many of those stay.
        failures: Lines that the disk refused.
    """

    def __init__(self, path: Path, rotation: Rotation) -> None:
        """Open the file, which is made where it does not exist, for its owner alone.

        Raises:
            ConfigError: It cannot be written.
        """
        self.path = path
        self.rotation = rotation
        self.failures = 0
        self._lock = Lock()
        self._open_entries = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: int | None = _opened(path)
        except OSError as error:
            raise ConfigError(f"console.audit_path: {path} cannot be written ({error.strerror})") from None

    def write(self, line: JsonObject) -> None:
        """Append a line; a disk that refuses is counted and logged, and stops nobody."""
        with self._lock:
            if self._file is not None:
                self._try(lambda file: self._append(file, msgspec.json.encode(line) + b"\n"))

    def begin(self, line: JsonObject) -> Entry | None:
        """Append what is about to be done, with room for what comes of it; None where the disk refuses."""
        with self._lock:
            if self._file is None:
                return None
            text = msgspec.json.encode(line)
            entry = self._try(lambda file: self._append(file, text + b" " * _ROOM + b"\n"))
            self._open_entries += entry is not None
            return entry

    def finish(self, entry: Entry, line: JsonObject) -> None:
        """Put what came of it in the place of what was about to be done."""
        text = msgspec.json.encode(line)
        with self._lock:
            if self._file is not None:
                self._try(lambda file: self._replace(file, entry, text))
            self._open_entries -= 1

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _try(self, write: Callable[[int], T]) -> T | None:
        try:
            return write(self._turned())
        except (OSError, StorageError) as error:
            self.failures += 1
            if self.failures == 1:
                _log.error("the console's audit cannot be written: %s", error)
            return None

    def _turned(self) -> int:
        """Return the file to write to: another one where this has come to its size."""
        assert self._file is not None
        if not self._open_entries and os.fstat(self._file).st_size >= self.rotation.most_bytes:
            self.rotation.put_aside(self.path)
            former, self._file = self._file, _opened(self.path)
            os.close(former)
        return self._file

    def _append(self, file: int, data: bytes) -> Entry:
        before = os.fstat(file).st_size
        if os.pwrite(file, data, before) < len(data):
            os.ftruncate(file, before)  # half a line would spoil the next one, too
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return Entry(offset=before, size=len(data))

    def _replace(self, file: int, entry: Entry, text: bytes) -> None:
        if len(text) >= entry.size:
            self._append(file, text + b"\n")
        elif os.fstat(file).st_size > entry.offset + entry.size:
            os.pwrite(file, text.ljust(entry.size - 1) + b"\n", entry.offset)
        else:
            # Blanks after the newline belong to the next line, should the process end before they are cut off.
            os.pwrite(file, (text + b"\n").ljust(entry.size), entry.offset)
            os.ftruncate(file, entry.offset + len(text) + 1)


def _opened(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
