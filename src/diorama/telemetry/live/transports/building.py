"""Makes transports from the settings."""

from collections import Counter
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.telemetry import Telemetry, TransportType
from diorama.contracts.live.settings.telemetry import Transport as TransportSettings
from diorama.telemetry.live.transports.file import FileTransport
from diorama.telemetry.live.transports.http import HttpTransport
from diorama.telemetry.live.transports.lines import line_to
from diorama.telemetry.live.transports.protocol import Transport
from diorama.telemetry.live.transports.rotation import Rotation
from diorama.telemetry.live.transports.stdout import StdoutTransport
from diorama.telemetry.live.transports.tcp import TcpTransport

DEFAULT_FILE: Final = "telemetry/live.ndjson"
DEFAULT_COUNTERS: Final = "telemetry/live.prom"
# A world that runs for months fills no disk unless somebody asks for all of it.
DEFAULT_ROTATE_BYTES: Final = 256 << 20
DEFAULT_ROTATE_KEEP: Final = 7

# Those who come over a WebSocket subscribe; nothing has to be sent to them from here.
_NOT_SENT: Final[frozenset[TransportType]] = frozenset({"websocket", "none"})


def build_transports(settings: Telemetry, root: Path) -> tuple[Transport, ...]:
    """Make what the settings list, in their order; a type that is listed twice gets a number behind its name.

    Args:
        settings: Of the publisher.
        root: Where relative file paths begin.

    Raises:
        ConfigError: An endpoint, certificate or combination is wrong.
        MissingExtra: A transport needs a package that is not installed.
    """
    listed = settings.transport if isinstance(settings.transport, tuple) else (settings.transport,)
    seen: Counter[str] = Counter()
    transports = []
    for item in listed:
        if item.type not in _NOT_SENT:
            seen[item.type] += 1
            name = item.type if seen[item.type] == 1 else f"{item.type}{seen[item.type]}"
            transports.append(_build(item, root, name))
    return tuple(transports)


def _build(settings: TransportSettings, root: Path, name: str) -> Transport:
    match settings.type:
        case "file":
            return FileTransport(root / (settings.file_path or DEFAULT_FILE), name, rotation=_rotation(settings))
        case "stdout":
            return StdoutTransport(name=name)
        case "prometheus":
            # Imported here because its package comes with an extra.
            from diorama.telemetry.live.transports.prometheus import PrometheusTransport

            return PrometheusTransport(root / (settings.file_path or DEFAULT_COUNTERS), name)
        case "tcp":
            return TcpTransport(line_to(settings, default_port=None), name)
        case "http":
            return HttpTransport(line_to(settings, default_port=443 if settings.enable_tls else 80), name)
        case _:
            raise ConfigError(f"telemetry.transport.type: {settings.type!r} is not sent from here")


def _rotation(settings: TransportSettings) -> Rotation:
    if settings.rotate_bytes is None:
        return Rotation(most_bytes=DEFAULT_ROTATE_BYTES, keep=DEFAULT_ROTATE_KEEP)
    return Rotation(most_bytes=settings.rotate_bytes, keep=settings.rotate_keep)
