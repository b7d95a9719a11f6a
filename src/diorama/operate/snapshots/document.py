"""What a snapshot of a live world holds, and how it becomes JSON and comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from diorama.contracts.live.world import LiveIdentity
from diorama.contracts.values import JsonObject, JsonValue, canonical_json, sha256_hex
from diorama.operate.snapshots.errors import SnapshotCorrupt

SCHEMA_VERSION: Final = "2.0"
TOP_LEVEL: Final = frozenset(
    {"schema_version", "world", "identity", "tick", "state_hash", "migrations", "body", "body_sha256", "failure"}
)
_CHECKSUM: Final = "_checksum"
_NO_ANNEAL: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotIdentity:
    """Whose state it is.

    Attributes:
        config_id: Effective id of the configuration.
        structural_id: Hash of what cannot change while it runs.
        policy_hash: SHA-256 of the checkpoint that decided; None under a script.
        anneal_ratio: Share of decisions that were the policy's.
        checksums: Of further files that shape the world, by name.
    """

    config_id: str
    structural_id: str
    policy_hash: str | None
    observation_variant: str
    anneal_ratio: float
    seed: int
    checksums: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, identity: LiveIdentity, policy_hash: str | None) -> Self:
        """Return the identity that a snapshot of a running world carries."""
        return cls(
            config_id=identity.config_id,
            structural_id=identity.structural_id,
            policy_hash=policy_hash,
            observation_variant=identity.variant,
            anneal_ratio=_NO_ANNEAL if policy_hash is not None else 0.0,
            seed=identity.seed,
            checksums=identity.checksums,
        )

    def to_json(self) -> JsonObject:
        """Write it; checksums stand beside the rest."""
        return {
            "config_id": self.config_id,
            "structural_id": self.structural_id,
            "policy_hash": self.policy_hash,
            "observation_variant": self.observation_variant,
            "anneal_ratio": self.anneal_ratio,
            "seed": self.seed,
            **{f"{name}{_CHECKSUM}": value for name, value in sorted(self.checksums.items())},
        }

    @classmethod
    def from_json(cls, value: JsonValue) -> Self:
        """Read what `to_json` wrote.

        Raises:
            SnapshotCorrupt: It is something else.
        """
        given = _object("identity", value)
        policy_hash = given.get("policy_hash")
        ratio = given.get("anneal_ratio", _NO_ANNEAL)
        if not isinstance(ratio, int | float):
            raise SnapshotCorrupt(f"identity.anneal_ratio is {ratio!r}; it must be a number")
        return cls(
            config_id=_text("identity.config_id", given.get("config_id")),
            structural_id=_text("identity.structural_id", given.get("structural_id")),
            policy_hash=None if policy_hash is None else _text("identity.policy_hash", policy_hash),
            observation_variant=_text("identity.observation_variant", given.get("observation_variant")),
            anneal_ratio=float(ratio),
            seed=_whole("identity.seed", given.get("seed")),
            checksums={
                name.removesuffix(_CHECKSUM): _text(f"identity.{name}", item)
                for name, item in given.items()
                if name.endswith(_CHECKSUM)
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDocument:
    """A live world between two ticks.

    Attributes:
        tick: The one that comes next.
        state_hash: Of the world's canonical state, 16 hexadecimal digits.
        migrations: Steps that were applied to it, oldest first.
        body: Everything that can influence the future: `world` and `services`.
        failure: Where and why the loop stopped, in a snapshot of a tick that was cut short; it cannot be loaded.
    """

    world: str
    identity: SnapshotIdentity
    tick: int
    state_hash: str
    body: JsonObject
    migrations: tuple[str, ...] = ()
    failure: JsonObject | None = None
    schema_version: str = SCHEMA_VERSION

    def to_json(self) -> JsonObject:
        """Write it, with a checksum of the body."""
        written: JsonObject = {
            "schema_version": self.schema_version,
            "world": self.world,
            "identity": self.identity.to_json(),
            "tick": self.tick,
            "state_hash": self.state_hash,
            "migrations": {"applied": list(self.migrations)},
            "body_sha256": sha256_hex(canonical_json(self.body)),
            "body": self.body,
        }
        return written if self.failure is None else {**written, "failure": self.failure}

    def facts(self) -> JsonObject:
        """What is told about a snapshot without its body."""
        return {name: value for name, value in self.to_json().items() if name != "body"}


def read_document(value: JsonValue) -> SnapshotDocument:
    """Read a document of the current schema.

    Raises:
        SnapshotCorrupt: A field is missing or wrong, or the body does not fit its checksum.
    """
    given = _object("the snapshot", value)
    body = _object("body", given.get("body"))
    applied = _object("migrations", given.get("migrations")).get("applied")
    if not isinstance(applied, list):
        raise SnapshotCorrupt("migrations.applied must be a list")
    try:
        stored, found = given.get("body_sha256"), sha256_hex(canonical_json(body))
    except ValueError:
        raise SnapshotCorrupt("the body holds a number that is infinite or none") from None
    if stored != found:
        raise SnapshotCorrupt(f"the body hashes to {found[:16]}…, the snapshot says {str(stored)[:16]}…")
    failure = given.get("failure")
    return SnapshotDocument(
        schema_version=_text("schema_version", given.get("schema_version")),
        world=_text("world", given.get("world")),
        identity=SnapshotIdentity.from_json(given.get("identity")),
        tick=_whole("tick", given.get("tick")),
        state_hash=_text("state_hash", given.get("state_hash")),
        body=body,
        migrations=tuple(_text("migrations.applied", item) for item in applied),
        failure=None if failure is None else _object("failure", failure),
    )


def _object(place: str, value: JsonValue) -> JsonObject:
    if not isinstance(value, Mapping):
        raise SnapshotCorrupt(f"{place} is {_kind(value)}; it must be an object")
    return value


def _text(place: str, value: JsonValue) -> str:
    if not isinstance(value, str):
        raise SnapshotCorrupt(f"{place} is {_kind(value)}; it must be text")
    return value


def _whole(place: str, value: JsonValue) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise SnapshotCorrupt(f"{place} is {_kind(value)}; it must be a whole number of 0 or more")
    return value


def _kind(value: JsonValue) -> str:
    return "missing" if value is None else f"a {type(value).__name__}"
