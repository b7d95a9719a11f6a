"""All settings of the services around a live world, in one."""

from pydantic import Field

from diorama.contracts.live.settings.operation import Console, ConsoleAuth, Runtime, Snapshot
from diorama.contracts.live.settings.promotion import Promotion
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.sections import Section


class LiveSettings(Section):
    """What the services read; a world whose own configuration has no such sections takes them from a file beside it."""

    telemetry: Telemetry = Field(default_factory=Telemetry)
    console_auth: ConsoleAuth = Field(default_factory=ConsoleAuth)
    console: Console = Field(default_factory=Console)
    snapshot: Snapshot = Field(default_factory=Snapshot)
    runtime: Runtime = Field(default_factory=Runtime)
    promotion: Promotion = Field(default_factory=Promotion)
