"""What every request passes on its way in and out, whichever app answers it."""

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from diorama.server.body_limit import LimitBodies
from diorama.server.cautious_headers import CautiousHeaders
from diorama.server.compression import Compress
from diorama.server.disconnects import EndWithClient
from diorama.server.head import AnswerHead
from diorama.server.meters import CountRequests, Meters
from diorama.server.origin_names import LOCAL_ORIGINS
from diorama.server.settings import ServerSettings
from diorama.server.visitors import KnowVisitors


def add_middleware(
    app: FastAPI, settings: ServerSettings, meters: Meters, *, methods: Sequence[str], headers: Sequence[str]
) -> None:
    """End with the client, limit bodies, compress answers, let configured pages in, caution browsers, and count.

    Args:
        app: Which.
        settings: Names the pages of other hosts.
        meters: Where requests are counted.
        methods: What those pages may do.
        headers: What they may send with it.
    """
    app.add_middleware(EndWithClient)
    app.add_middleware(LimitBodies)
    app.add_middleware(Compress)
    app.add_middleware(AnswerHead)
    # Who may have what these headers offer is decided before, by `KnowVisitors`.
    patterns = [settings.cors_origin_regex, LOCAL_ORIGINS if settings.cors_localhost else None]
    pattern = "|".join(f"(?:{each})" for each in patterns if each)
    if settings.cors_origins or pattern:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_origin_regex=pattern or None,
            allow_methods=methods,
            allow_headers=headers,
        )
    app.add_middleware(KnowVisitors, settings=settings)
    app.add_middleware(CautiousHeaders)
    app.add_middleware(CountRequests, meters=meters)
