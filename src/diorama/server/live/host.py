"""`LiveHost`: what the server needs of the runtime whose world it shows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.vitals import Vitals
from diorama.telemetry.live.publisher import TelemetryPublisher


class LiveHost(Protocol):
    """A live world and the services around it; everything here is called from the server's threads."""

    @property
    def world(self) -> LiveWorld:
        """The world; only what never changes of it is read."""

    @property
    def root(self) -> Path:
        """Folder of everything that is kept."""

    @property
    def publisher(self) -> TelemetryPublisher:
        """Its telemetry."""

    @property
    def desk(self) -> ConsoleDesk:
        """Its console."""

    def vitals(self) -> Vitals:
        """How the loop and its saves fare."""

    def status(self) -> JsonObject:
        """How the loop stands: `run_id`, `tick` and `speed` at least."""

    def snapshots(self) -> Sequence[JsonObject]:
        """What was saved, newest first."""
