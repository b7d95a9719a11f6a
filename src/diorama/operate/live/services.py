"""Everything around one live world, in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.opening import PolicyShelf
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.window_book import Observed
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.telemetry.live.publisher import TelemetryPublisher


@dataclass(slots=True, kw_only=True, eq=False)
class Services:
    """A live world and what runs around it; `decider` changes with every release, `settings` with every reload.

    Attributes:
        desk: The console; put in place as soon as there is one, because it is given what is here.
    """

    world: LiveWorld
    shelf: PolicyShelf
    decider: Decider
    publisher: TelemetryPublisher
    monitor: StabilityMonitor
    promotion: PromotionManager
    settings: LiveSettings
    desk: ConsoleDesk = field(init=False)

    def judge(self, events: Sequence[LiveEvent], transport: JsonObject) -> list[LiveEvent]:
        """Let the stability monitor and promotion see a tick; return what they have to say."""
        world = self.world
        edges = self.monitor.ingest(world.record(events, transport))
        observed = Observed(alerts=self.monitor.latest_stability_alerts(), close_window=world.close_window)
        return [*edges, *self.promotion.observe(world.clock.tick, observed)]
