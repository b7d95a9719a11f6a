"""`LiveOperator`: what the platform's console commands do to a running world."""

from collections.abc import Callable, Sequence

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError, UnknownName
from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.world import Reload
from diorama.contracts.values import JsonObject
from diorama.operate.live.pacing import Pacer
from diorama.operate.live.services import Services
from diorama.operate.live.snapshot_desk import SnapshotDesk, loaded_event, saved_event
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.telemetry.live.service_events import service_event


class LiveOperator:
    """Implements `operate.console.context.OperatorContext` for one running world."""

    def __init__(
        self,
        services: Services,
        snapshots: SnapshotDesk,
        pacer: Pacer,
        *,
        health: Callable[[], JsonObject],
        tell: Callable[[LiveEvent], None],
        stage_reload: Callable[[Reload], None],
        owe_save: Callable[[], None],
    ) -> None:
        """Work on the services of a world.

        Args:
            services: What there is.
            snapshots: What is saved.
            pacer: The clock.
            health: Gives the block `health`.
            tell: Takes events for the next message.
            stage_reload: Takes a reload for the next stage 1.
            owe_save: Called when something was done that the log cannot repeat.
        """
        self._services = services
        self._snapshots = snapshots
        self._pacer = pacer
        self._health = health
        self._tell = tell
        self._stage_reload = stage_reload
        self._owe_save = owe_save

    @property
    def tick(self) -> int:
        """The tick that is being or will next be executed."""
        return self._services.world.clock.tick

    def latest_snapshot(self) -> JsonObject:
        """The whole state as telemetry tells it."""
        return self._services.publisher.latest_snapshot()

    def health(self) -> JsonObject:
        """Blocks `health` and `transport`."""
        return {"health": self._health(), "transport": self._services.publisher.health()}

    def hide(self, value: JsonObject) -> JsonObject:
        """Return a value without what privacy mode hides."""
        return self._services.publisher.hide(value)

    def promotion_status(self) -> JsonObject:
        """Where the promotion of a candidate stands."""
        return self._services.promotion.status()

    def promote_policy(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        """Make the candidate the release."""
        promotion = self._services.promotion
        found = self._found(checkpoint, policy_hash)
        self._tell_all(promotion.promote(found, tick=self.tick, issuer=self._services.desk.executor.issuer))
        return promotion.status()

    def rollback_policy(self, to: str | None, reason: str | None) -> JsonObject:
        """Go back to a former release."""
        promotion = self._services.promotion
        target = None if to is None else promotion.find(to) or self._release_of_snapshot(to)
        if target is not None:
            self._check_opens(target)
        issuer = self._services.desk.executor.issuer
        self._tell_all(promotion.rollback(target, reason=reason or "", tick=self.tick, issuer=issuer))
        return promotion.status()

    def policy_swap(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        """Move the release without asking whether it is ready."""
        promotion = self._services.promotion
        found = self._found(checkpoint, policy_hash)
        promotion.check_fits(found)
        self._check_opens(found)
        self._tell_all(promotion.swap(found, tick=self.tick, issuer=self._services.desk.executor.issuer))
        return promotion.release.to_json()

    def offer_policy(self, checkpoint: str) -> JsonObject:
        """Judge a candidate beside the release, in a world of its own."""
        services = self._services
        candidate = self._found(checkpoint, None)
        services.promotion.check_fits(candidate)
        try:
            services.begin_shadow(candidate)
        except DioramaError as error:
            raise CommandError("conflict", "policy_mismatch", str(error)) from None
        services.promotion.offer(candidate)
        self._owe_save()
        return services.promotion.status()

    def promotion_ack(self) -> JsonObject:
        """Keep a release whose rollback was recommended."""
        self._services.promotion.acknowledge()
        self._owe_save()
        return self._services.promotion.status()

    def snapshots(self) -> Sequence[JsonObject]:
        """What was saved, newest first."""
        return self._snapshots.listing()

    def save_snapshot(self, name: str | None) -> JsonObject:
        """Save everything."""
        saved = self._snapshots.save(name)
        self._tell(saved_event(saved))
        return {"path": saved.path, "state_hash": saved.document.state_hash, "tick": saved.document.tick}

    def load_snapshot(self, path: str) -> JsonObject:
        """Go on from what was saved."""
        document = self._snapshots.load(path)
        self._services.publisher.start_over()
        self._tell(loaded_event(path, document))
        self._owe_save()
        return {"tick": document.tick, "state_hash": document.state_hash, "migrations": list(document.migrations)}

    def inspect_snapshot(self, path: str) -> JsonObject:
        """Metadata of what was saved."""
        return self._snapshots.inspect(path)

    def validate_snapshot(self, path: str, *, is_strict: bool) -> JsonObject:
        """Whether it could be loaded."""
        return self._snapshots.validate(path, is_strict=is_strict)

    def migrate_snapshot(self, path: str, output: str) -> JsonObject:
        """Write it again for this configuration."""
        return self._snapshots.migrate(path, output)

    def reload_config(self, section: str | None) -> JsonObject:
        """Read the configuration again, and stage what changed for the next stage 1."""
        try:
            reload = self._services.world.plan_reload(section)
        except ConfigError as error:
            self._reject("invalid", [str(error)])
            raise CommandError("invalid_args", "config", str(error)) from None
        if reload.refused:
            self._reject("restart_required", list(reload.refused))
            raise CommandError(
                "conflict",
                "restart_required",
                f"these need a restart, and nothing was changed: {', '.join(reload.refused)}",
                details={"paths": list(reload.refused)},
            )
        self._stage_reload(reload)
        return {
            "paths": list(reload.paths),
            "checksum_before": reload.checksum_before,
            "checksum_after": reload.checksum_after,
        }

    def set_speed(self, speed: str) -> JsonObject:
        """Let time pass faster, slower or not at all."""
        self._pacer.set_speed(speed)
        return {"speed": self._pacer.speed}

    def step(self, ticks: int) -> JsonObject:
        """Run so many ticks of a paused world."""
        if self._pacer.speed != "pause":
            raise CommandError("conflict", "not_paused", f"the speed is {self._pacer.speed}; pause the world first")
        self._pacer.steps_left += ticks
        return {"tick": self.tick + self._pacer.steps_left, "steps": self._pacer.steps_left}

    def announce(self, message: str, category: str, *, is_priority: bool) -> JsonObject:
        """Tell a story among the narrations."""
        story = Narration(
            tick=self.tick, category=category, message=message, is_priority=is_priority, dedupe_key=f"story:{message}"
        )
        return {"status": "queued" if self._services.publisher.announce(story) else "throttled"}

    def set_privacy(self, *, is_on: bool) -> JsonObject:
        """Hide who is who in everything that leaves."""
        self._services.publisher.set_privacy(is_on)
        self._owe_save()
        return {"privacy": is_on}

    def _found(self, checkpoint: str, policy_hash: str | None) -> PolicyPointer:
        services = self._services
        try:
            found = services.shelf.find(checkpoint, services.world.identity, is_from_afar=True)
        except UnknownName as error:
            raise CommandError("not_found", "no_policy", str(error)) from None
        except DocumentError as error:
            raise CommandError("conflict", "policy_mismatch", str(error)) from None
        if policy_hash is not None and found.policy_hash != policy_hash:
            raise CommandError(
                "conflict", "hash_mismatch", f"{checkpoint} is {found.policy_hash}; {policy_hash} was asked for"
            )
        return found

    def _check_opens(self, pointer: PolicyPointer) -> None:
        try:
            self._services.shelf.open(pointer)
        except UnknownName as error:
            raise CommandError("not_found", "no_policy", str(error)) from None
        except DioramaError as error:
            raise CommandError("conflict", "policy_mismatch", str(error)) from None

    def _release_of_snapshot(self, name: str) -> PolicyPointer:
        facts = self._snapshots.inspect(name)
        identity = facts["identity"]
        assert isinstance(identity, dict)
        promotion, policy_hash = self._services.promotion, identity["policy_hash"]
        known = promotion.last_script() if policy_hash is None else promotion.find(str(policy_hash))
        if known is None:
            raise CommandError("not_found", "no_policy", f"the policy of snapshot {name!r} was never released here")
        return known

    def _tell_all(self, events: Sequence[LiveEvent]) -> None:
        self._owe_save()
        for event in events:
            self._tell(event)

    def _reject(self, reason: str, errors: list[str]) -> None:
        self._tell(service_event("config_reload_rejected", self.tick, reason=reason, errors=errors))
