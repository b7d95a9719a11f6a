"""Everything around one live world, in one place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.opening import PolicyShelf
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.operate.promotion.shadow import Shadow
from diorama.operate.promotion.window_book import Observed
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.telemetry.live.publisher import TelemetryPublisher


@dataclass(slots=True, kw_only=True, eq=False)
class Services:
    """A live world and what runs around it; `decider` changes with every release, `settings` with every reload.

    Attributes:
        open_twin: Opens another world of the same configuration and seed.
        make_monitor: Makes another monitor with the same analyzers.
        shadow: The candidate beside the release; None where there is none.
        desk: The console; put in place as soon as there is one, because it is given what is here.
    """

    world: LiveWorld
    shelf: PolicyShelf
    decider: Decider
    publisher: TelemetryPublisher
    monitor: StabilityMonitor
    promotion: PromotionManager
    settings: LiveSettings
    open_twin: Callable[[], LiveWorld]
    make_monitor: Callable[[], StabilityMonitor]
    shadow: Shadow | None = None
    desk: ConsoleDesk = field(init=False)

    def judge(self, events: Sequence[LiveEvent], transport: JsonObject) -> list[LiveEvent]:
        """Let the stability monitor and promotion see a tick; return what they have to say."""
        world = self.world
        edges = self.monitor.ingest(world.record(events, transport))
        observed = Observed(alerts=self.monitor.latest_stability_alerts(), close_window=world.close_window)
        if self.promotion.shadow is None:
            self.shadow = None
        beside = None if self.shadow is None else self.shadow.tick()
        return [*edges, *self.promotion.observe(world.clock.tick, observed, beside)]

    def begin_shadow(self, candidate: PolicyPointer, state: JsonObject | None = None) -> None:
        """Let a candidate decide in a world of its own: a copy of the live one as it is now, or as it was saved.

        Raises:
            DioramaError: The candidate cannot decide here.
            SnapshotError: What was saved is no state of a shadow.
        """
        decider, twin = self.shelf.open(candidate), self.open_twin()
        shadow = Shadow(twin, decider, self.make_monitor())
        if state is None:
            twin.load(self.world.save())
        else:
            shadow.load(state)
        self.shadow = shadow
