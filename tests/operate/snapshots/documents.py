"""Small snapshots for tests."""

from diorama.contracts.live.world import LiveIdentity
from diorama.contracts.values import JsonObject
from diorama.operate.snapshots.document import SnapshotDocument, SnapshotIdentity


def live_identity(config_id: str = "new+hybrid.22222222", structural_id: str = "22222222") -> LiveIdentity:
    return LiveIdentity(world="townlet", config_id=config_id, structural_id=structural_id, variant="hybrid", seed=7)


def document(
    config_id: str = "new+hybrid.22222222", structural_id: str = "22222222", body: JsonObject | None = None
) -> SnapshotDocument:
    return SnapshotDocument(
        world="townlet",
        identity=SnapshotIdentity.of(live_identity(config_id, structural_id), "ab" * 32),
        tick=40,
        state_hash="0123456789abcdef",
        body={"world": {"x": 0.1, "big": 2**64 - 1}} if body is None else body,
    )
