"""`LiveServices`: what the endpoints of a live world work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import nan
from operator import attrgetter
from typing import Annotated, Final

from fastapi import Depends, FastAPI, Path
from starlette.requests import HTTPConnection

from diorama.contracts.errors import UnknownName
from diorama.operate.live.vitals import Vitals
from diorama.server.live.host import LiveHost
from diorama.server.live.late_answers import LateAnswers
from diorama.server.meters import Meters
from diorama.server.readiness import DiskCheck, ReadyService
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


_VITALS: Final[Mapping[str, tuple[str, Callable[[Vitals], float | None]]]] = {
    "save_age_seconds": ("Time since the last save; NaN where none comes by itself", attrgetter("save_age_seconds")),
    "save_failures": ("Saves and lines of the log that the disk refused", attrgetter("save_failures")),
    "tick_lag_seconds": ("How long the loop is in one tick, or the next overdue", attrgetter("tick_lag_seconds")),
    "tick_overruns": ("Ticks that were not done when the next was due", attrgetter("tick_overruns")),
}
_QUEUES: Final = {
    "queue_length": "Messages of telemetry that wait to be sent",
    "queue_bytes": "The same in bytes",
    "dropped": "Messages of telemetry that were lost",
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
        ready: Whether the world is saved and keeps up.
        late: Answers that took too long to wait for.
    """

    live_id: str
    host: LiveHost
    settings: ServerSettings
    streams: OpenStreams
    meters: Meters
    ready: ReadyService
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
    ready = ReadyService(
        {"save": partial(_save_problem, host, settings), "tick": partial(_tick_problem, host, settings)},
        behind_seconds=settings.behind_seconds,
    )
    for name, (meaning, read) in _VITALS.items():
        meters.add_gauge(f"diorama_live_{name}", meaning, partial(_vital, host, read))
    for name, meaning in _QUEUES.items():
        meters.add_gauge(f"diorama_live_{name}", meaning, partial(_queue, host, name))
    meters.add_gauge("diorama_loop_lag_seconds", "How late requests were looked at, at most", lambda: ready.lag.seconds)
    return LiveServices(
        live_id=host.world.identity.world, host=host, settings=settings, streams=streams, meters=meters, ready=ready
    )


async def _save_problem(host: LiveHost, settings: ServerSettings) -> str | None:
    since = host.vitals().unsaved_since
    if since is not None:
        return f"nothing has been kept since tick {since}"
    return await DiskCheck(folders=(host.root,), least_free_bytes=settings.least_free_bytes)()


async def _tick_problem(host: LiveHost, settings: ServerSettings) -> str | None:
    vitals = host.vitals()
    if vitals.failure is not None:
        return vitals.failure
    lag, allowed = vitals.tick_lag_seconds, settings.behind_seconds
    return f"the loop is {lag:.1f} s behind, more than {allowed:g} s" if lag > allowed else None


def _vital(host: LiveHost, read: Callable[[Vitals], float | None]) -> float:
    value = read(host.vitals())
    return nan if value is None else value


def _queue(host: LiveHost, name: str) -> float:
    value = host.publisher.health()[name]
    return float(value) if isinstance(value, int | float) else nan


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
