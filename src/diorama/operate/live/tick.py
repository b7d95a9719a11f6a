"""What happens in each of the seven stages of a live tick."""

from collections.abc import Callable
from dataclasses import dataclass, field

from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.world import Reload, Selection
from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import TickLine
from diorama.operate.live.saving import Autosaver
from diorama.operate.live.services import Services
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.snapshots import hash_hex


@dataclass(slots=True)
class _Told:
    """What the log needs of a tick, gathered while it runs."""

    tick: int = 0
    selection: Selection | None = None
    switched: bool = False
    transport: JsonObject | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class LiveTick:
    """The stages of a tick over a world and its services.

    Attributes:
        tell_blocks: Gives the services' blocks; told whether something happened.
        after_reload: Called when the world has applied a reload; hands its settings to the services.
        saver: Writes the log, and saves where it is due.
        early: Events of the services that wait for the next message.
        staged: A reload that is applied at the next stage 1.
    """

    services: Services
    tell_blocks: Callable[[bool], JsonObject]
    after_reload: Callable[[Reload], None]
    saver: Autosaver
    early: list[LiveEvent] = field(default_factory=list)
    staged: list[Reload] = field(default_factory=list)
    _told: _Told = field(default_factory=_Told)
    _transport: JsonObject | None = None

    def stages(self) -> tuple[Callable[[], None], ...]:
        """Return one callable per stage, in order."""
        world = self.services.world
        return (self.console, world.schedule, self.policy, world.resolve, world.settle, self.tell, self.keep)

    def console(self) -> None:
        """Stage 1: apply what was staged, then execute commands."""
        self._told = _Told(tick=self.services.world.clock.tick)
        staged, self.staged = self.staged, []
        for reload in staged:
            reload.apply()
            self.after_reload(reload)
        self.early += self.services.desk.drain(self.services.settings.console.max_commands_per_tick)
        self.save_what_is_owed()
        # A command may have loaded a snapshot: the tick that follows is the one that was loaded.
        self._told.tick = self.services.world.clock.tick

    def policy(self) -> None:
        """Stage 3: take over a new release, read observations, select, and hand the selection to the world."""
        services = self.services
        change = services.promotion.take_change()
        if change is not None:
            self._switch(change)
        selection = services.decider.decide(services.world)
        self._told.selection = selection
        services.world.decide(selection)

    def tell(self) -> None:
        """Stage 6: stability, promotion, and what leaves the process."""
        services = self.services
        transport = services.publisher.losses()
        if transport != self._transport:
            self._told.transport = self._transport = transport
        events = [*self.early, *services.world.take_events()]
        self.early.clear()
        events += services.judge(events, transport)
        services.publisher.publish(events, services.world.narrate(events), self.tell_blocks(bool(events)))

    def keep(self) -> None:
        """Stage 7: the log, on to the next tick, and whatever must be saved between two ticks."""
        told, services = self._told, self.services
        if told.selection is None:
            raise ValueError("a tick was kept in which nothing was selected")
        every = services.settings.runtime.state_hash_every
        is_hashed = every > 0 and (told.tick + 1) % every == 0
        services.world.advance()
        self.saver.note_tick(
            TickLine(
                tick=told.tick,
                actions=told.selection.actions.ravel().tolist(),
                source=told.selection.source,
                switched=told.switched,
                transport=None if told.transport is None else dict(told.transport),
                state_hash=hash_hex(services.world.state_hash()) if is_hashed else None,
            )
        )
        if self.saver.save_if_due():
            self._transport = None

    def save_what_is_owed(self) -> None:
        """Save what the log cannot repeat."""
        if self.saver.pay():
            # Another log begins here; it must say anew how well the publisher is.
            self._transport = None

    def _switch(self, change: PolicyPointer) -> None:
        services = self.services
        services.decider = services.shelf.open(change)
        services.world.forget_context()
        self._told.switched = True
