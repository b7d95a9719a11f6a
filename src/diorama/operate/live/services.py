"""Everything around one live world, in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.opening import PolicyShelf
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.window_book import Observed
from diorama.operate.stability.monitor import StabilityMonitor


class Publisher(Protocol):
    """What a live loop asks of its telemetry; everything is called on the thread of the loop."""

    def publish(self, events: Sequence[LiveEvent], narrations: Sequence[Narration], service_blocks: JsonObject) -> None:
        """Tell a tick, or what was done to a paused world."""

    def publish_failure(self, event: LiveEvent) -> None:
        """Tell that the loop ends, and nothing of the tick it ends in."""

    def heartbeat(self) -> None:
        """Serve newcomers while no tick runs."""

    def start_over(self) -> None:
        """Tell everything anew: the world is another one."""

    def announce(self, narration: Narration) -> bool:
        """Tell a story with the next message; False where there are too many."""

    def latest_snapshot(self) -> JsonObject:
        """Return the whole state with its envelope."""

    def hide(self, value: JsonObject) -> JsonObject:
        """Return a value without what privacy mode hides."""

    def health(self) -> JsonObject:
        """Return the block `transport`."""

    def set_privacy(self, on: bool) -> None:
        """Hide who is who, or not."""

    def hide_issuers(self, labels: Sequence[str]) -> None:
        """Hide these labels in privacy mode, too."""

    def apply_settings(self, settings: Telemetry) -> None:
        """Take over what a reload changed."""

    def export(self) -> JsonObject:
        """Return what must survive a snapshot."""

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned."""

    def close(self) -> None:
        """Send what waits, for a while, and end."""


@dataclass(slots=True, kw_only=True, eq=False)
class Services:
    """A live world and what runs around it; `decider` changes with every release, `settings` with every reload.

    Attributes:
        desk: The console; put in place as soon as there is one, because it is given what is here.
    """

    world: LiveWorld
    shelf: PolicyShelf
    decider: Decider
    publisher: Publisher
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
