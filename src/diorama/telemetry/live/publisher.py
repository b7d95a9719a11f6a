"""`TelemetryPublisher`: tells what happens in a live world to everybody who listens, without ever waiting for them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from threading import Condition, get_ident
from time import monotonic
from typing import Final

import msgspec

from diorama.contracts.errors import ContractError, SnapshotError
from diorama.contracts.live.events import EventKind, LiveEvent, Narration
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.world import Clock, LiveWorld
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.event_history import EventFollower, EventHistory
from diorama.telemetry.live.event_lines import ToldEvent, event_line, narration_line
from diorama.telemetry.live.health import transport_block
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.moments import ON_REQUEST, Blocks, Kind, Moment, News, Origin
from diorama.telemetry.live.narration_limiter import NarrationLimiter
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.service_events import SERVICE_EVENTS
from diorama.telemetry.live.subscription import Subscription
from diorama.telemetry.live.telling import Telling
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.telemetry.live.transports.building import build_transports
from diorama.telemetry.live.transports.protocol import Transport
from diorama.telemetry.live.worker import Worker
