"""`TelemetryPublisher`: tells what happens in a live world to everybody who listens, without waiting for them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from threading import Condition, get_ident
from time import monotonic
from typing import Final

import msgspec

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import EventKind, LiveEvent, Narration
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.world import Clock, LiveWorld
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.audience import Audience
from diorama.telemetry.live.event_history import EventFollower, EventHistory
from diorama.telemetry.live.event_lines import ToldEvent
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.moments import SCENE, Blocks, Kind, Moment, News, Origin
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.service_events import SERVICE_EVENTS
from diorama.telemetry.live.subscription import Subscription
from diorama.telemetry.live.telling import Telling
from diorama.telemetry.live.transports.building import build_transports
from diorama.telemetry.live.transports.protocol import Transport
from diorama.telemetry.live.wording import Wording

HEARTBEAT_SECONDS: Final = 2.0
"""So long nothing is told before somebody must be told that the world is still there."""

TRANSPORT_EVERY: Final = 10
"""Messages between two looks at the transports, unless something was lost."""

_ASKED_FOR_MESSAGES: Final = 50  # after somebody asked for a snapshot the state is kept up for so long
_ANSWER_SECONDS: Final = 2.0

EventSubscriber = Callable[[Sequence[JsonObject]], None]


class TelemetryPublisher:
    """Tells a live world.

    Everything is called on the world's thread, except `subscribe`, `follow_events`, `latest_snapshot`,
    `register_event_subscriber`, `health` and what a subscription offers, which any thread may call.
    """

    def __init__(
        self,
        world: LiveWorld,
        run_id: str,
        settings: Telemetry,
        catalogue: Sequence[EventKind],
        salt: str | None,
        transports: Sequence[Transport] | None = None,
    ) -> None:
        """Start the transports; nothing is told yet.

        Args:
            world: Its blocks are asked for while somebody listens.
            run_id: Stamped on every message.
            settings: Of the publisher.
            catalogue: The world's events; those of the services are known.
            salt: For aliases; None where there can be no privacy.
            transports: Closed by `close`; None for those of the settings, with files in the working directory.

        Raises:
            ConfigError: A transport cannot be made, or privacy has no salt.
        """
        self._world = world
        self._run_id = run_id
        self._settings = settings
        self._catalogue = (*SERVICE_EVENTS, *catalogue)
        self._salt = salt
        self._issuers: tuple[str, ...] = ()
        self._telling = Telling(world)
        self._wording = Wording(settings.narration)
        self._history = EventHistory()
        self._event_subscribers: list[EventSubscriber] = []
        self._services: JsonObject = {}
        self._transport_block: JsonObject = {}
        self._seq = -1
        self._told_at = monotonic()
        self._asked_for = 0
        self._changed = Condition()
        self._now: Moment | None = None
        self._thread = get_ident()
        if settings.privacy_mode:
            self._hide_people(salt or "")
        self._audience = Audience(build_transports(settings, Path()) if transports is None else transports, settings)

    def publish(self, events: Sequence[LiveEvent], narrations: Sequence[Narration], service_blocks: JsonObject) -> None:
        """Tell a tick, or what was done to a world that is paused.

        Args:
            events: In order; those of the services included.
            narrations: All there could be; they are limited here.
            service_blocks: Whole blocks beside the world's own; an object that is not replaced has not changed.
        """
        self._services = service_blocks
        self._step(events, narrations)

    def introduce(self, service_blocks: JsonObject) -> None:
        """Take over the services' blocks before there is a tick to tell; they leave with the next message."""
        self._services = service_blocks

    def repeat(self, narrations: Sequence[Narration]) -> None:
        """Count the narrations of a tick that was told before the process was killed; nothing leaves."""
        self._wording.narrations(narrations)

    def publish_failure(self, event: LiveEvent) -> None:
        """Tell that the loop ends, and nothing of the tick it ends in."""
        told = self._wording.events([event])
        self._note_events(event.tick, told)
        last = self._now
        if last is None:
            self._tell(Kind.SNAPSHOT, self._world.clock, {}, {}, News(events=told))
        else:
            self._tell(Kind.DIFF, last.clock, last.state, {}, News(events=told))

    def heartbeat(self) -> None:
        """Serve newcomers while no tick runs, and say now and then that the world is there."""
        self._thread = get_ident()
        if not self._is_listened_to:
            return
        now = self._now
        if self._telling.is_stale or now is None or (self._audience.wants_scene and SCENE not in now.state):
            self._step((), ())
        elif monotonic() - self._told_at >= HEARTBEAT_SECONDS:
            self._seq += 1
            self._tell(Kind.HEARTBEAT, now.clock, now.state, {}, News())

    def start_over(self) -> None:
        """Tell everything anew with the next message: the world is another one."""
        self._telling.is_stale = True
        self._audience.forget()

    def announce(self, narration: Narration) -> bool:
        """Tell a story with the next message; False where the limiter holds it back."""
        return self._wording.announce(narration)

    def subscribe(self, blocks: Blocks = None) -> Subscription:
        """Let somebody watch; None for all blocks but the scene."""
        return self._audience.add(blocks)

    def follow_events(self, since_seq: int | None = None) -> EventFollower:
        """Follow events alone, from a `seq` on or from now on."""
        return EventFollower(self._history, since_seq)

    def register_event_subscriber(self, subscriber: EventSubscriber) -> None:
        """Call with the events of every tick, on the world's thread; one that raises is not called again."""
        self._event_subscribers.append(subscriber)

    def latest_snapshot(self, blocks: Blocks = None) -> JsonObject:
        """The whole state with its envelope.

        While nobody listens the world is not asked; then this waits for the next tick or heartbeat, for a limited
        time, and on the world's own thread asks at once.
        """
        self._asked_for = _ASKED_FOR_MESSAGES
        if self._is_out_of_date:
            if get_ident() == self._thread:
                self._step((), ())
            else:
                with self._changed:
                    self._changed.wait_for(lambda: not self._is_out_of_date, _ANSWER_SECONDS)
        now = self._now or self._moment(Kind.SNAPSHOT, self._world.clock, {}, {}, News())
        snapshot: JsonObject = msgspec.to_builtins(now.snapshot(blocks, News()))
        return snapshot

    def latest_stability_alerts(self) -> JsonValue:
        """The alerts that are raised, as told last."""
        return self._told_of_stability("alerts")

    def latest_stability_metrics(self) -> JsonValue:
        """What the analyzers measured, as told last."""
        return self._told_of_stability("metrics")

    def losses(self) -> JsonObject:
        """`dropped` and `breaker_open` of the block `transport`."""
        return self._audience.losses()

    def health(self) -> JsonObject:
        """The block `transport`."""
        limiter = self._wording.limiter
        return {
            **self._audience.health(),
            "seq": self._seq,
            "narrations_published": limiter.published,
            "narrations_throttled": limiter.throttled,
            "privacy": self._telling.privacy is not None,
        }

    def set_privacy(self, on: bool) -> None:
        """Hide who is who in everything that leaves from now on, or no longer; begins with a fresh snapshot.

        Raises:
            CommandError: There is no salt.
        """
        if on == (self._telling.privacy is not None):
            return
        if not on:
            self._telling.privacy = self._wording.privacy = None
            self.start_over()
            return
        if not self._salt:
            raise CommandError(
                "conflict", "no_salt", "privacy needs a salt: set telemetry.privacy_salt_env and restart"
            )
        privacy = self._hide_people(self._salt)
        self._history.forget()
        if (last := self._now) is not None:
            # What waits in queues is in the open words; it must not leave any more.
            self._now = self._moment(Kind.SNAPSHOT, last.clock, self._telling.state, {}, News())
            self._audience.reword(self._now, privacy)

    def hide_issuers(self, labels: Iterable[str]) -> None:
        """Hide these names of operators, too, whenever people are hidden."""
        self._issuers = (*self._issuers, *labels)
        if self._telling.privacy is not None:
            self._telling.privacy.aliases.know_words(self._issuers)

    @property
    def is_private(self) -> bool:
        """Whether people and what operators typed are hidden."""
        return self._telling.privacy is not None

    def hide(self, value: JsonObject) -> JsonObject:
        """A value as it may leave; itself where nobody has to be hidden."""
        privacy = self._telling.privacy
        if privacy is None:
            return value
        hidden = privacy.hide(value)
        return hidden if isinstance(hidden, Mapping) else {}

    def apply_settings(self, settings: Telemetry) -> None:
        """Take over everything that may change while the world runs."""
        before, self._settings = self._settings, settings
        self._wording.limiter.settings = settings.narration
        self._audience.apply_settings(settings)
        if settings.privacy_mode == before.privacy_mode:
            return
        if settings.privacy_mode and not self._salt:
            # A reload cannot be refused any more, and must not leave people in the open.
            self._salt = token_hex()
        self.set_privacy(settings.privacy_mode)

    def export(self) -> JsonObject:
        """Everything that must survive a snapshot of the world."""
        return {"narration": self._wording.limiter.export(), "privacy": self._telling.privacy is not None}

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned; privacy can only be switched on by it. Begins with a fresh snapshot.

        Raises:
            SnapshotError: It is not a state of a publisher, or it is private and there is no salt.
        """
        narration = state.get("narration")
        if not isinstance(narration, Mapping):
            raise SnapshotError(f"telemetry: narration is {narration!r}; it must be the state of a limiter")
        if state.get("privacy") is True and not self._salt:
            raise SnapshotError("it was saved in privacy mode: set telemetry.privacy_salt_env before it is loaded")
        self._wording.limiter.load(narration)
        if state.get("privacy") is True:
            self.set_privacy(True)
        self.start_over()

    def close(self) -> None:
        """Send what waits, for a while, and let everybody go."""
        self._history.close()
        self._audience.close()

    @property
    def _is_listened_to(self) -> bool:
        return self._audience.is_there or self._asked_for > 0

    @property
    def _is_out_of_date(self) -> bool:
        return self._telling.is_stale or self._now is None

    def _step(self, events: Sequence[LiveEvent], narrations: Sequence[Narration]) -> None:
        self._thread = get_ident()
        clock = self._world.clock
        if self._telling.privacy is not None:
            self._telling.privacy.aliases.know(self._world.people())
        told = self._wording.events(events)
        news = News(events=told, narrations=self._wording.narrations(narrations), ticks=1)
        self._note_events(clock.tick, told)
        if not self._is_listened_to:
            self.start_over()
            return
        self._asked_for = max(0, self._asked_for - 1)
        is_fresh = self._telling.is_stale or self._seq % self._settings.snapshot_every == 0
        patch = self._telling.step(self._with_transport(), with_scene=self._audience.wants_scene)
        self._tell(Kind.SNAPSHOT if is_fresh else Kind.DIFF, clock, self._telling.state, patch, news)

    def _note_events(self, tick: int, told: Sequence[ToldEvent]) -> None:
        self._seq += 1
        self._history.add(self._seq, tick, told)
        lines = [event.line for event in told]
        for subscriber in [*self._event_subscribers] if lines else []:
            try:
                subscriber(lines)
            except Exception:  # whatever a subscriber raises, the world and the others go on
                self._event_subscribers.remove(subscriber)

    def _with_transport(self) -> JsonObject:
        shown = self._transport_block
        urgent = {**self.losses(), "privacy": self._telling.privacy is not None}
        if self._seq % TRANSPORT_EVERY == 0 or any(shown.get(name) != value for name, value in urgent.items()):
            self._transport_block = self.health()
        return {"transport": self._transport_block, **self._services}

    def _tell(self, kind: Kind, clock: Clock, state: JsonDict, patch: JsonDict, news: News) -> None:
        moment = self._moment(kind, clock, state, patch, news)
        with self._changed:
            self._now = moment
            self._changed.notify_all()
        self._told_at = monotonic()
        self._audience.tell(moment)

    def _moment(self, kind: Kind, clock: Clock, state: JsonDict, patch: JsonDict, news: News) -> Moment:
        identity = self._world.identity
        origin = Origin(world=identity.world, run_id=self._run_id, config_id=identity.config_id)
        return Moment(origin=origin, seq=max(0, self._seq), kind=kind, clock=clock, state=state, patch=patch, news=news)

    def _hide_people(self, salt: str) -> Privacy:
        privacy = Privacy(salt, self._catalogue)
        privacy.aliases.know(self._world.people())
        privacy.aliases.know_words(self._issuers)
        self._wording.privacy = privacy
        self._telling.hide_now(privacy)
        return privacy

    def _told_of_stability(self, part: str) -> JsonValue:
        stability = self._now.state.get("stability") if self._now is not None else None
        return stability.get(part, {}) if isinstance(stability, Mapping) else {}
