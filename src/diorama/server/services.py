"""`Services`: what the endpoints work with, built once per app."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, FastAPI
from starlette.requests import HTTPConnection

from diorama.server.campaigns.service import CampaignService
from diorama.server.completeness.service import CompletenessService
from diorama.server.consoles.service import ConsoleService
from diorama.server.event_schema import describe_events
from diorama.server.exports.shelf import ExportShelf
from diorama.server.following.hub import FollowHub
from diorama.server.meters import Meters
from diorama.server.play.limits import PlayLimits
from diorama.server.play.service import PlayService
from diorama.server.readiness import DiskCheck, ReadyService
from diorama.server.reading.frames import FrameShelf
from diorama.server.reading.shelf import RunShelf
from diorama.server.scoreboard.service import ScoreboardService
from diorama.server.settings import ServerSettings
from diorama.server.shares import Shares
from diorama.server.streams import OpenStreams
from diorama.server.tracker.questions import Scope
from diorama.server.tracker.service import TrackerService, TrackerSettings
from diorama.server.turns import Turns

_DRAWING_THREADS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything an endpoint may need.

    Attributes:
        settings: What the server was told.
        shares: What one visitor may take.
        limits: Bounds of play sessions and walls.
        runs: The runs below the root.
        frames: The frames of their replays.
        drawing: Threads that draw them.
        follow: Tells pages what running runs do.
        streams: The connections that stay open, and how they are told to end.
        meters: Counts what `/metrics` shows.
        ready: Whether this server can save, play and keep up.
        play: People at play.
        campaigns: Campaigns that people play.
        consoles: Consoles that people play.
        tracker: Weights & Biases.
        completeness: Which sources of analytics runs have.
        exports: Policies of runs as files for others.
        scoreboards: Everyone of a world on the same seeds.
    """

    settings: ServerSettings
    shares: Shares
    limits: PlayLimits
    runs: RunShelf
    frames: FrameShelf
    drawing: Turns
    follow: FollowHub
    streams: OpenStreams
    meters: Meters
    ready: ReadyService
    play: PlayService
    campaigns: CampaignService
    consoles: ConsoleService
    tracker: TrackerService
    completeness: CompletenessService
    exports: ExportShelf
    scoreboards: ScoreboardService


class ServicesApp(FastAPI):
    """An app that carries its services."""

    services: Services

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        is_known = self.openapi_schema is not None
        document = super().openapi()
        return document if is_known else describe_events(document)


def build_services(settings: ServerSettings) -> Services:
    """Build the services of one app; nothing runs yet."""
    runs = RunShelf(settings.runs_root, files=settings.file_access)
    shares = Shares(settings.visitor_share, saved_seconds=settings.visitor_saved_seconds)
    streams = OpenStreams(
        limits={
            "follow": settings.max_followers,
            "frames": settings.max_frame_streams,
            "wall": settings.wall_max,
        },
        shares=shares,
    )
    meters = Meters(streams)
    limits = PlayLimits(
        sessions=settings.play_max_sessions,
        idle_seconds=settings.play_idle_seconds,
        call_seconds=settings.call_seconds,
        opening_seconds=settings.opening_cost_seconds,
        decision_seconds=settings.decision_cost_seconds,
        memory_bytes=settings.play_memory_bytes,
    )
    play = PlayService(runs, limits, shares=shares)
    meters.add_gauge("diorama_play_sessions", "Open play sessions", lambda: len(play.rooms))
    campaigns = CampaignService(
        settings.campaigns_directory,
        settings.runs_root,
        limit=settings.campaigns_max,
        idle_seconds=settings.campaign_idle_seconds,
        call_seconds=settings.call_seconds,
        shares=shares,
        files=settings.file_access,
    )
    consoles = ConsoleService(
        settings.roms_root,
        limit=settings.console_max_sessions,
        idle_seconds=settings.console_idle_seconds,
        shares=shares,
    )
    meters.add_gauge("diorama_console_sessions", "Consoles that are switched on", lambda: len(consoles.rooms))
    exports = ExportShelf(runs, max_waiting=settings.export_max_waiting)
    drawing = Turns(_DRAWING_THREADS, shares, name="diorama-draw")
    for stop in (play.rooms.stop, consoles.rooms.stop, campaigns.opened.stop, drawing.stop):
        streams.on_end(stop)
    tracker = TrackerService(_tracker_settings(settings))
    ready = ReadyService(
        {
            "save": DiskCheck(folders=(settings.campaigns_directory,), least_free_bytes=settings.least_free_bytes),
            "play": play.rooms.problem,
        },
        behind_seconds=settings.behind_seconds,
    )
    meters.add_gauge("diorama_loop_lag_seconds", "How late requests were looked at, at most", lambda: ready.lag.seconds)
    meters.add_gauge("diorama_play_calls_waiting", "Calls of play sessions that wait", lambda: play.rooms.waiting)
    meters.add_gauge("diorama_exports_waiting", "Requests that wait for exports", lambda: exports.waiting)
    return Services(
        settings=settings,
        shares=shares,
        limits=limits,
        runs=runs,
        drawing=drawing,
        frames=FrameShelf(runs, cache_bytes=settings.frame_cache_bytes),
        follow=FollowHub(runs, poll_seconds=settings.follow_poll_seconds),
        streams=streams,
        meters=meters,
        ready=ready,
        play=play,
        campaigns=campaigns,
        consoles=consoles,
        tracker=tracker,
        completeness=CompletenessService(runs, tracker),
        exports=exports,
        scoreboards=ScoreboardService(settings.runs_root),
    )


def _tracker_settings(settings: ServerSettings) -> TrackerSettings:
    key = settings.wandb_api_key
    return TrackerSettings(
        api_key=None if key is None else key.get_secret_value() or None,
        defaults=Scope(entity=settings.wandb_entity or None, project=settings.wandb_project or None),
        cache_ttl_seconds=settings.wandb_cache_ttl_seconds,
        runs_root=settings.runs_root,
    )


@asynccontextmanager
async def running(services: Services) -> AsyncIterator[None]:
    """Keep the services running for as long as the app does."""
    # The first look at thousands of runs takes a while; it begins before anybody asks.
    warming = asyncio.create_task(asyncio.to_thread(services.runs.warm))
    try:
        async with services.ready.lag.watched():
            yield
    finally:
        services.streams.end_all()
        services.exports.close()
        services.scoreboards.close()
        await warming
        await services.follow.close()
        await services.play.close()
        await services.campaigns.close()
        await services.consoles.close()
        services.tracker.close()
        await asyncio.to_thread(services.drawing.close)
        services.frames.close()
        services.runs.close()


def get_services(connection: HTTPConnection) -> Services:
    """Return the services of the app that answers."""
    app = connection.app
    if not isinstance(app, ServicesApp):
        raise TypeError(f"{type(app).__name__} carries no services; build the app with create_app")
    return app.services


ServicesDep = Annotated[Services, Depends(get_services)]
