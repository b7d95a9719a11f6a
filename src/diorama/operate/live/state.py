"""From a live world with its services to a snapshot, and back."""

from collections.abc import Mapping

from diorama.contracts.errors import DioramaError, SnapshotError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.live.services import Services
from diorama.operate.snapshots.document import SnapshotDocument, SnapshotIdentity
from diorama.operate.snapshots.errors import SnapshotCorrupt, SnapshotIncompatible
from diorama.snapshots import hash_hex


def collect(services: Services, failure: JsonObject | None = None) -> SnapshotDocument:
    """Return everything that can influence the future; between two ticks, or after a failure."""
    world, decider = services.world, services.decider
    return SnapshotDocument(
        world=world.identity.world,
        identity=SnapshotIdentity.of(world.identity, decider.pointer.policy_hash if decider.is_learned else None),
        tick=world.clock.tick,
        state_hash=hash_hex(world.state_hash()),
        body=_body(services),
        failure=failure,
    )


def restore(services: Services, document: SnapshotDocument) -> None:
    """Take over a snapshot that fits; on an error nothing changes.

    Raises:
        SnapshotCorrupt: The state does not hash to what the snapshot says.
        SnapshotError: A part of it is no state of this world or of its services.
    """
    before = _body(services)
    try:
        _apply(services, document.body)
        found = hash_hex(services.world.state_hash())
        if found != document.state_hash:
            raise SnapshotCorrupt(f"the state hashes to {found}; the snapshot says {document.state_hash}")
    except SnapshotError:
        _apply(services, before)
        raise


def _body(services: Services) -> JsonObject:
    return {
        "world": services.world.save(),
        "services": {
            "policy": services.decider.export(),
            "stability": services.monitor.export(),
            "promotion": services.promotion.export(),
            "telemetry": services.publisher.export(),
            "console": services.desk.executor.export(),
            **({} if services.shadow is None else {"shadow": services.shadow.export()}),
        },
    }


def _apply(services: Services, body: JsonObject) -> None:
    parts = _part(body, "services")
    services.world.load(_part(body, "world"))
    services.monitor.load(_part(parts, "stability"))
    services.promotion.load(_part(parts, "promotion"))
    services.publisher.load(_part(parts, "telemetry"))
    services.desk.executor.load(parts.get("console"))
    # The release came with the snapshot: it goes on deciding, and nobody's memory is cleared for it.
    release = services.promotion.take_change()
    if release is not None and release.policy_hash != services.decider.pointer.policy_hash:
        try:
            services.decider = services.shelf.open(release)
        except DioramaError as error:
            raise SnapshotIncompatible(f"the snapshot's policy cannot decide here: {error}") from None
    services.decider.load(parts.get("policy"))
    _apply_shadow(services, parts)


def _apply_shadow(services: Services, parts: JsonObject) -> None:
    candidate = services.promotion.shadow
    services.shadow = None
    if candidate is not None and "shadow" in parts:
        try:
            services.begin_shadow(candidate, _part(parts, "shadow"))
        except SnapshotError:
            raise
        except DioramaError as error:
            raise SnapshotIncompatible(f"the snapshot's candidate cannot decide here: {error}") from None


def _part(body: JsonObject, name: str) -> JsonObject:
    part: JsonValue = body.get(name)
    if not isinstance(part, Mapping):
        raise SnapshotCorrupt(f"the snapshot has no {name!r}")
    return part
