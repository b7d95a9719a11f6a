"""`Meters`: what `/metrics` shows, and the middleware that counts requests."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diorama.server.logs import access_log
from diorama.server.route_templates import route_template
from diorama.server.streams import OpenStreams

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER: Final = "other"
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


# What the framework refuses before an endpoint is asked, or what an endpoint refuses, by its status.
_LIMITS: Final[Mapping[int, str]] = {413: "body_bytes", 429: "visitors", 431: "head_bytes"}
_access: Final = access_log()


class _Gauges(Collector):
    """Gauges that are read when somebody asks."""

    def __init__(self, streams: OpenStreams) -> None:
        self._streams = streams
        self.read: dict[str, tuple[str, Callable[[], float]]] = {}

    def collect(self) -> Iterator[Metric]:
        open_streams = GaugeMetricFamily("diorama_open_streams", "Connections that stay open", labels=["kind"])
        for kind, count in sorted(self._streams.counts.items()):
            open_streams.add_metric([kind], count)
        yield open_streams
        for name, (meaning, read) in self.read.items():
            yield GaugeMetricFamily(name, meaning, value=read())


class Meters:
    """The figures of one app, in a registry of its own."""

    def __init__(self, streams: OpenStreams) -> None:
        """Begin at nothing."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "diorama_http_requests", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "diorama_http_request_seconds",
            "Time until an answer was sent",
            ["method", "route"],
            registry=self._registry,
            buckets=_SECONDS,
        )
        self._limits = Counter(
            "diorama_limits_reached", "Requests refused because of a limit", ["limit"], registry=self._registry
        )
        self._gauges = _Gauges(streams)
        self._registry.register(self._gauges)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def add_gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Show a number that is read whenever somebody asks, such as the open play sessions."""
        self._gauges.read[name] = (meaning, read)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Note an answer."""
        known = method if method in _METHODS else _OTHER
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    def limit_reached(self, limit: str) -> None:
        """Count a refusal by a limit; limits are few, and named by us."""
        self._limits.labels(limit).inc()

    def text(self) -> bytes:
        """Return everything in the text format of Prometheus."""
        return generate_latest(self._registry)


class CountRequests:
    """Middleware: notes every answer under the template of its route, so that labels stay few."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        """Stand before an app."""
        self._app = app
        self._meters = meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and take the time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status, sent = 500, 0

        async def note(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            seconds = time.perf_counter() - began
            route = route_template(scope)
            self._meters.count(scope["method"], route, status, seconds)
            if (limit := _LIMITS.get(status)) is not None:
                self._meters.limit_reached(limit)
            client = scope.get("client")
            # Without the query, in which a client may have put a token by mistake.
            _access.info(
                "request",
                method=scope["method"],
                path=scope["path"],
                route=route,
                status=status,
                ms=round(seconds * 1000.0, 1),
                bytes=sent,
                client=None if client is None else client[0],
            )
