"""The rules by which a snapshot may be loaded into a world."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from diorama.contracts.live.settings.operation import Snapshot
from diorama.contracts.live.world import LiveIdentity
from diorama.contracts.values import JsonValue
from diorama.operate.snapshots.document import SCHEMA_VERSION, TOP_LEVEL, SnapshotDocument, read_document
from diorama.operate.snapshots.errors import ConfigMismatch, SnapshotCorrupt, SnapshotIncompatible
from diorama.operate.snapshots.files import read_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph, migrate


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRules:
    """What is allowed; `policy_variant` is that of the loaded policy, None under a script."""

    require_exact_config: bool = True
    allow_downgrade: bool = False
    may_migrate: bool = False
    policy_variant: str | None = None

    @classmethod
    def of(cls, settings: Snapshot, policy_variant: str | None) -> "LoadRules":
        """Return the rules that settings make."""
        return cls(
            require_exact_config=settings.require_exact_config,
            allow_downgrade=settings.allow_downgrade,
            may_migrate=settings.migrations.auto_apply,
            policy_variant=policy_variant,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Loadable:
    """A snapshot that may be loaded; `warnings` say what was left out of it."""

    document: SnapshotDocument
    warnings: tuple[str, ...] = ()


def open_snapshot(path: Path, graph: MigrationGraph, *, allow_downgrade: bool = False) -> Loadable:
    """Read a snapshot of any known schema, for whoever only looks at it too.

    Raises:
        UnknownName: There is no such file.
        SnapshotCorrupt: It is broken.
        SnapshotIncompatible: Its schema cannot be read here.
    """
    value = read_snapshot(path)
    try:
        return _parsed(value, graph, allow_downgrade=allow_downgrade)
    except SnapshotCorrupt as error:
        raise SnapshotCorrupt(f"{path.name}: {error}") from None


def fit(opened: Loadable, identity: LiveIdentity, graph: MigrationGraph, rules: LoadRules) -> Loadable:
    """Make an opened snapshot one of this world, or say why it cannot be.

    Raises:
        SnapshotIncompatible: It is of another world, of a tick that was cut short, or does not go with the policy.
        ConfigMismatch: It is of another configuration, and nothing leads here.
    """
    document = opened.document
    if document.world != identity.world:
        raise SnapshotIncompatible(f"the snapshot is of world {document.world!r}; this is {identity.world!r}")
    if document.failure is not None:
        raise SnapshotIncompatible(
            f"the snapshot holds tick {document.tick} as it failed in stage {document.failure.get('stage')}; "
            "it is there to be looked at, load one from before"
        )
    document = _configured(document, identity, graph, rules)
    _check_variant(document, identity, rules)
    return replace(opened, document=document)


def _parsed(value: JsonValue, graph: MigrationGraph, *, allow_downgrade: bool) -> Loadable:
    if not isinstance(value, Mapping):
        raise SnapshotCorrupt(f"it holds a {type(value).__name__}; it must be an object")
    version = _version(value.get("schema_version"))
    if version > _version(SCHEMA_VERSION):
        return _downgraded(dict(value), allow_downgrade=allow_downgrade)
    upgraded, applied = graph.upgrade(value, SCHEMA_VERSION)
    document = read_document(upgraded)
    return Loadable(document=replace(document, migrations=(*document.migrations, *applied)))


def _downgraded(value: dict[str, JsonValue], *, allow_downgrade: bool) -> Loadable:
    found = value["schema_version"]
    if not allow_downgrade:
        raise SnapshotIncompatible(
            f"the snapshot has schema {found}, newer than {SCHEMA_VERSION}, which is read here; "
            "snapshot.allow_downgrade drops what is not known"
        )
    dropped = sorted(value.keys() - TOP_LEVEL)
    kept: dict[str, JsonValue] = {name: item for name, item in value.items() if name in TOP_LEVEL}
    document = read_document({**kept, "schema_version": SCHEMA_VERSION})
    told = f"schema {found} is newer than {SCHEMA_VERSION}; dropped: {', '.join(dropped) or 'nothing'}"
    return Loadable(document=document, warnings=(told,))


def _configured(
    document: SnapshotDocument, identity: LiveIdentity, graph: MigrationGraph, rules: LoadRules
) -> SnapshotDocument:
    found, wanted = document.identity.config_id, identity.config_id
    if found == wanted:
        return document
    if not rules.require_exact_config and document.identity.structural_id == identity.structural_id:
        return document
    steps = graph.path(document.world, found, wanted)
    if steps is None:
        raise ConfigMismatch(found, wanted, "no registered migration leads from one to the other")
    if not rules.may_migrate:
        raise ConfigMismatch(found, wanted, "migrate it (snapshot_migrate), or set snapshot.migrations.auto_apply")
    return migrate(document, steps)


def _check_variant(document: SnapshotDocument, identity: LiveIdentity, rules: LoadRules) -> None:
    found = document.identity.observation_variant
    for wanted, whose in ((identity.variant, "this world"), (rules.policy_variant, "the loaded policy")):
        if wanted is not None and found != wanted:
            raise SnapshotIncompatible(f"the snapshot has observation variant {found!r}; {whose} has {wanted!r}")


def _version(value: JsonValue) -> tuple[int, int]:
    parts = value.split(".") if isinstance(value, str) else []
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise SnapshotCorrupt(f"schema_version is {value!r}; it must be like {SCHEMA_VERSION!r}")
    return int(parts[0]), int(parts[1])
