"""`telemetry`: what leaves the process, where to, and what happens when nobody keeps up."""

from ipaddress import ip_address
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from diorama.contracts.named_files import FilePath
from diorama.contracts.sections import Section, fixed, hot

TransportType = Literal["websocket", "file", "stdout", "tcp", "http", "prometheus", "none"]
_NETWORKED = ("tcp", "http")


def is_this_machine(host: str) -> bool:
    """Whether a host name or address stands for the machine this runs on."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class Transport(Section):
    """One way out.

    Attributes:
        type: Where it leads.
        file_path: File of `file` and `prometheus`, below the folder of the live world.
        endpoint: Address of `tcp` (HOST:PORT) or `http` (a URL).
        connect_timeout_seconds: Patience for a connection.
        send_timeout_seconds: Patience for one message.
        enable_tls: Whether what leaves the machine is encrypted.
        verify_hostname: Whether the receiver must prove its name.
        ca_file: Certificates to trust; those of the system unless given.
        cert_file: Certificate that is shown to the receiver.
        key_file: Key of that certificate.
    """

    type: TransportType = fixed("file")
    file_path: Annotated[str, FilePath()] | None = fixed(None, min_length=1)
    rotate_bytes: int | None = fixed(
        None, ge=4096, le=1 << 40, description="Size at which a file is put aside; 256 MiB if not given."
    )
    rotate_keep: int | None = fixed(
        None, ge=1, le=100_000, description="Files put aside that stay; all, and 7 where no size is given."
    )
    endpoint: str | None = fixed(None, min_length=1)
    connect_timeout_seconds: float = fixed(5.0, ge=0.0, le=60.0)
    send_timeout_seconds: float = fixed(1.0, ge=0.0, le=60.0)
    enable_tls: bool = fixed(True)
    verify_hostname: bool = fixed(True)
    ca_file: Annotated[str, FilePath()] | None = fixed(None, min_length=1)
    cert_file: Annotated[str, FilePath()] | None = fixed(None, min_length=1)
    key_file: Annotated[str, FilePath()] | None = fixed(None, min_length=1)
    allow_plaintext: bool = fixed(False, description="Only towards this machine itself.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.cert_file is None) != (self.key_file is None):
            raise ValueError("cert_file and key_file go together: give both or neither")
        if self.rotate_bytes is not None and self.type != "file":
            raise ValueError(f"a {self.type} transport is not rotated; leave out rotate_bytes")
        if self.rotate_keep is not None and self.rotate_bytes is None:
            raise ValueError("rotate_keep needs rotate_bytes: the size at which a file is put aside")
        if self.type in _NETWORKED:
            if self.endpoint is None:
                raise ValueError(f"a {self.type} transport needs an endpoint")
            if not self.enable_tls and not self.allow_plaintext:
                raise ValueError("without TLS allow_plaintext must be set")
            address = urlsplit(self.endpoint if "://" in self.endpoint else f"//{self.endpoint}")
            if self.allow_plaintext and not is_this_machine(address.hostname or ""):
                raise ValueError(f"plaintext may only go to this machine itself, not to {self.endpoint!r}")
        return self


class Buffer(Section):
    """What waits to be sent.

    Attributes:
        max_batch_size: Messages that are sent together.
        max_buffer_bytes: Bytes that may wait.
        flush_interval_ticks: Ticks from one sending to the next, unless much waits.
    """

    max_batch_size: int = hot(32, ge=1, le=500)
    max_buffer_bytes: int = hot(256000, ge=1024, le=16 * 1024 * 1024)
    flush_interval_ticks: int = hot(1, ge=1, le=100000)


class Retry(Section):
    """What happens when sending fails.

    Attributes:
        max_attempts: Further attempts for one message.
        backoff_seconds: Wait before the second attempt; it doubles with each.
        breaker_open_seconds: How long nothing is sent after all attempts have failed.
    """

    max_attempts: int = hot(3, ge=0, le=10)
    backoff_seconds: float = hot(0.5, ge=0.0, le=30.0)
    breaker_open_seconds: float = hot(5.0, ge=0.0, le=3600.0)


class Backpressure(Section):
    """What happens when the buffer fills up; the last two are fractions of it.

    Attributes:
        policy: Whether the oldest is dropped, or the tick waits.
        block_timeout_seconds: The longest wait of a tick under `block`.
        aggregate_at: Share of the buffer from which messages are folded into one.
        drop_events_at: Share from which events are dropped, the least important first.
    """

    policy: Literal["drop_oldest", "block"] = hot("drop_oldest")
    block_timeout_seconds: float = hot(0.5, ge=0.0, le=60.0)
    aggregate_at: float = hot(0.5, ge=0.0, le=1.0)
    drop_events_at: float = hot(0.8, ge=0.0, le=1.0)


class Narration(Section):
    """How often something is told.

    Attributes:
        global_cooldown_ticks: Silence after anything was told.
        category_cooldown_ticks: Silence by category.
        dedupe_window_ticks: How long the same is not told again.
        global_window_ticks: Length of the window whose sum is limited.
        global_window_limit: Narrations in that window.
    """

    global_cooldown_ticks: int = hot(30, ge=0, le=100000)
    category_cooldown_ticks: dict[str, Annotated[int, Field(ge=0, le=100000)]] = hot(
        default_factory=lambda: {"queue_conflict": 30, "personality_event": 45}
    )
    dedupe_window_ticks: int = hot(20, ge=0, le=100000)
    global_window_ticks: int = hot(600, ge=1, le=100000)
    global_window_limit: int = hot(10, ge=0, le=100000)


class RelationshipNarration(Section):
    """Which ties are worth telling.

    Attributes:
        friendship_trust_threshold: Trust at which a friendship is told.
        friendship_delta_threshold: Gain of trust that is told by itself.
        friendship_priority_threshold: Trust from which it has priority.
        rivalry_avoid_threshold: Rivalry at which it is told that two avoid each other.
        rivalry_escalation_threshold: Rivalry from which that has priority.
    """

    friendship_trust_threshold: float = hot(0.6, ge=-1.0, le=1.0)
    friendship_delta_threshold: float = hot(0.25, ge=0.0, le=2.0)
    friendship_priority_threshold: float = hot(0.85, ge=-1.0, le=1.0)
    rivalry_avoid_threshold: float = hot(0.7, ge=0.0, le=1.0)
    rivalry_escalation_threshold: float = hot(0.9, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.friendship_priority_threshold < self.friendship_trust_threshold:
            raise ValueError("friendship_priority_threshold is below friendship_trust_threshold")
        if self.rivalry_escalation_threshold < self.rivalry_avoid_threshold:
            raise ValueError("rivalry_escalation_threshold is below rivalry_avoid_threshold")
        return self


class PersonalityNarration(Section):
    """Which moments show a character.

    Attributes:
        enabled: Whether any of it is told.
        chat_extroversion_threshold: Extroversion from which a good chat is told.
        chat_priority_threshold: Extroversion from which it has priority.
        chat_quality_threshold: Quality from which a chat is good.
        conflict_tolerance_threshold: Tolerance under which a conflict is told as a matter of character.
    """

    enabled: bool = hot(True)
    chat_extroversion_threshold: float = hot(0.5, ge=-1.0, le=1.0)
    chat_priority_threshold: float = hot(0.75, ge=-1.0, le=1.0)
    chat_quality_threshold: float = hot(0.3, ge=0.0, le=1.0)
    conflict_tolerance_threshold: float = hot(0.95, ge=0.0, le=2.0)


class Telemetry(Section):
    """The publisher.

    Attributes:
        privacy_mode: Whether ids and names leave as aliases only.
    """

    transport: Transport | Annotated[tuple[Transport, ...], Field(strict=False)] = Field(default_factory=Transport)
    buffer: Buffer = Field(default_factory=Buffer)
    retry: Retry = Field(default_factory=Retry)
    backpressure: Backpressure = Field(default_factory=Backpressure)
    snapshot_every: int = hot(200, ge=1, le=100000, description="Messages.")
    privacy_mode: bool = hot(False)
    privacy_salt_env: str | None = fixed(None, min_length=1, description="Environment variable with the salt.")
    narration: Narration = Field(default_factory=Narration)
    relationship_narration: RelationshipNarration = Field(default_factory=RelationshipNarration)
    personality_narration: PersonalityNarration = Field(default_factory=PersonalityNarration)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.privacy_mode and self.privacy_salt_env is None:
            raise ValueError("privacy_mode needs privacy_salt_env")
        return self
