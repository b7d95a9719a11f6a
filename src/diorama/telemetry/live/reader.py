"""`LiveState`: the state of a live world, put together from the messages that tell it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.storage.json_text import decode_json
from diorama.telemetry.live.merge_patch import JsonDict, apply_patch
from diorama.telemetry.live.messages import SCHEMA_VERSION

_KINDS: Final = ("snapshot", "diff", "heartbeat")


class LiveState:
    """What a reader of live telemetry knows.

    A diff that does not follow the last message is left out, and so is everything until the next snapshot; a message
    that was seen already is left out and changes nothing.
    """

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        """Begin with nothing; `tell` gets one line when the messages are of a newer minor version."""
        self.state: JsonDict = {}
        self.tick = 0
        self.seq: int | None = None
        self.discarded = 0
        self._needs_snapshot = True
        self._tell = tell

    @property
    def needs_snapshot(self) -> bool:
        """Whether a gap was seen, or nothing yet: a snapshot must come, or be asked for with `resync`."""
        return self._needs_snapshot

    def apply(self, message: JsonObject) -> bool:
        """Take a message in, and say whether it fitted.

        Raises:
            DocumentError: It is no message, or of another major version.
        """
        kind, seq = self._check(message)
        if kind == "snapshot":
            self.state = _object(apply_patch({}, _object(message.get("state"), "state")), "state")
            self._needs_snapshot = False
        elif self._needs_snapshot or self.seq is None or seq <= self.seq:
            self.discarded += 1
            return False
        elif kind == "diff":
            if message.get("base_seq") != self.seq:
                self._needs_snapshot = True
                self.discarded += 1
                return False
            self.state = _object(apply_patch(self.state, _object(message.get("state"), "state")), "state")
        self.seq = seq
        self.tick = _whole(message.get("tick"), "tick")
        return True

    def _check(self, message: JsonObject) -> tuple[str, int]:
        kind = message.get("payload_type")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise DocumentError(f"payload_type is {kind!r}; a telemetry message has one of: {', '.join(_KINDS)}")
        self._check_version(message.get("schema_version"))
        return kind, _whole(message.get("seq"), "seq")

    def _check_version(self, version: JsonValue) -> None:
        if version == SCHEMA_VERSION:
            return
        major, minor = _version(version)
        own_major, own_minor = _version(SCHEMA_VERSION)
        if major != own_major:
            raise DocumentError(f"these messages are of version {version}; this reader knows {SCHEMA_VERSION}")
        if minor > own_minor and self._tell is not None:
            self._tell(f"these messages are of version {version}; this reader knows {SCHEMA_VERSION} and reads on")
            self._tell = None


def read_lines(lines: Iterable[bytes]) -> Iterator[JsonDict]:
    """Decode messages, one per line; empty lines and an unfinished last one are left out.

    Raises:
        DocumentError: A line is no JSON object.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield decode_json(line, dict, where=f"line {number} is no telemetry message")
        except DocumentError:
            if not line.endswith(b"\n"):
                return
            raise


def _version(version: JsonValue) -> tuple[int, int]:
    parts = version.split(".") if isinstance(version, str) else []
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        raise DocumentError(f"schema_version is {version!r}; it has three numbers, such as {SCHEMA_VERSION}")
    return int(parts[0]), int(parts[1])


def _whole(value: JsonValue, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise DocumentError(f"{name} is {value!r}; it must be a whole number")
    return value


def _object(value: JsonValue, name: str) -> JsonDict:
    if not isinstance(value, Mapping):
        raise DocumentError(f"{name} is no object in a telemetry message")
    return value if isinstance(value, dict) else dict(value)
