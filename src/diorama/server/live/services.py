"""`LiveServices`: what the endpoints of a live world work with."""

from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Final

from fastapi import Depends, FastAPI, Path
from starlette.requests import HTTPConnection

from diorama.contracts.errors import UnknownName
from diorama.server.live.host import LiveHost
from diorama.server.live.late_answers import LateAnswers
from diorama.server.meters import Meters
from diorama.server.settings import ServerSettings
from diorama.server.streams import OpenStreams

UNINTRODUCED: Final = "unintroduced"
_MOST_UNINTRODUCED: Final = 128  # sockets that have not said yet who they are; nobody else is kept out by them
_FIGURES: Final = {
    "pending": "Console commands that wait",
    "executed": "Console commands that were executed",
    "refused": "Console commands that were refused",
    "failed_attempts": "Attempts without a valid token",
    "audit_failures": "Lines the audit could not be given",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveServices:
    """Everything an endpoint of a live world may need.

    Attributes:
        live_id: The name of the live world in addresses.
        host: The world and the services around it.
        settings: What the server was told.
        streams: The connections that stay open.
        meters: Counts what `/metrics` shows.
        late: Answers that took too long to wait for.
    """

    live_id: str
    host: LiveHost
    settings: ServerSettings
    streams: OpenStreams
    meters: Meters
    late: LateAnswers = field(default_factory=LateAnswers)

    def find(self, live_id: str) -> LiveHost:
        """Return the live world of a name.

        Raises:
            UnknownName: It is another.
        """
        if live_id != self.live_id:
            raise UnknownName.among("live world", live_id[:64], (self.live_id,))
        return self.host


class LiveApp(FastAPI):
    """An app that carries the services of a live world."""

    services: LiveServices


def build_live_services(host: LiveHost, settings: ServerSettings) -> LiveServices:
    """Build the services of one app."""
    streams = OpenStreams(
        limits={
            "telemetry": settings.live_max_spectators,
            "operator": settings.live_max_operators,
            "events": settings.live_max_event_streams,
            UNINTRODUCED: _MOST_UNINTRODUCED,
        }
    )
    meters = Meters(streams)
    meters.add_gauge("diorama_live_tick", "The tick of the live world", lambda: host.desk.tick)
    for name, meaning in _FIGURES.items():
        meters.add_gauge(f"diorama_console_{name}", meaning, partial(_figure, host, name))
    return LiveServices(live_id=host.world.identity.world, host=host, settings=settings, streams=streams, meters=meters)


def _figure(host: LiveHost, name: str) -> float:
    return host.desk.health()[name]


def get_live_services(connection: HTTPConnection) -> LiveServices:
    """Return the services of the app that answers."""
    app = connection.app
    if not isinstance(app, LiveApp):
        raise TypeError(f"{type(app).__name__} carries no live world; build the app with create_live_app")
    return app.services


LiveServicesDep = Annotated[LiveServices, Depends(get_live_services)]
LiveId = Annotated[str, Path(max_length=128, description="Name of the live world; by default its world id.")]
