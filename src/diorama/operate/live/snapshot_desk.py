"""What operators do with snapshots of a running world: list, save, load, look at, check, migrate."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from diorama.contracts.errors import ConfigError, DioramaError, SnapshotError, UnknownName
from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.operate.live.keeping import Keeper, Saved
from diorama.operate.live.services import Services
from diorama.operate.live.state import collect, restore
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import ConfigMismatch
from diorama.operate.snapshots.files import write_snapshot
from diorama.operate.snapshots.loading import Loadable, LoadRules, fit, open_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph
from diorama.operate.snapshots.paths import OutsideRoot
from diorama.runs.clock import timestamp
from diorama.telemetry.live.service_events import service_event


class SnapshotDesk:
    """Snapshots of one live world, with the refusals that a console gives."""

    def __init__(self, services: Services, keeper: Keeper, graph: MigrationGraph) -> None:
        """Work in the folder of the keeper."""
        self._services = services
        self._keeper = keeper
        self._graph = graph
        self._ticks: dict[tuple[Path, int], int | None] = {}

    def listing(self) -> list[JsonObject]:
        """Return what was saved, newest first, `tick` None for what cannot be read; from any thread."""
        folder = self._keeper.folder
        found = [(path, facts) for path in folder.listing() if (facts := _facts(path)) is not None]
        self._ticks = {key: tick for key, tick in self._ticks.items() if key[0] in {path for path, _ in found}}
        return [
            {
                "path": folder.shown(path),
                "tick": self._tick_of(path, facts.st_mtime_ns),
                "bytes": facts.st_size,
                "modified_at": timestamp(datetime.fromtimestamp(facts.st_mtime, UTC)),
            }
            for path, facts in sorted(found, key=lambda each: (each[1].st_mtime, each[0]), reverse=True)
        ]

    def save(self, name: str | None) -> Saved:
        """Save under a name, by default one with the tick in it.

        Raises:
            CommandError: `invalid_args` for a name that is not allowed, `internal` where the disk refuses.
        """
        document = collect(self._services)
        try:
            return self._keeper.save(name or f"saved-{document.tick}", document)
        except ConfigError as error:
            raise CommandError("invalid_args", "name", str(error)) from None
        except DioramaError as error:
            raise CommandError("internal", "storage", str(error)) from None

    def load(self, given: str) -> SnapshotDocument:
        """Go on from a snapshot; on an error nothing changes.

        Raises:
            CommandError: `not_found`, `forbidden` outside of the folder, `conflict` where it does not fit.
        """
        document = self._fitted(given, self._rules()).document
        try:
            restore(self._services, document)
        except SnapshotError as error:
            raise _refusal(error) from None
        return document

    def load_exactly(self, given: str, state_hash: str) -> None:
        """Go on from the snapshot that a log begins at.

        Raises:
            UnknownName: It is gone.
            SnapshotError: It is broken, does not fit, or is another one.
        """
        path = self._keeper.folder.inside(given)
        opened = open_snapshot(path, self._graph)
        if opened.document.state_hash != state_hash:
            raise SnapshotError(f"{given} holds state {opened.document.state_hash}; the log begins at {state_hash}")
        rules = replace(self._rules(), policy_variant=None)
        restore(self._services, fit(opened, self._services.world.identity, self._graph, rules).document)

    def inspect(self, given: str) -> JsonObject:
        """Return what a snapshot says of itself.

        Raises:
            CommandError: `not_found`, `forbidden` outside of the folder, `conflict` where it cannot be read.
        """
        opened = self._opened(given)
        return {**opened.document.facts(), "warnings": list(opened.warnings)}

    def validate(self, given: str, *, is_strict: bool) -> JsonObject:
        """Say whether a snapshot could be loaded; strictly: as it is, without a migration or a laxer rule.

        Raises:
            CommandError: `not_found`, or `forbidden` outside of the folder.
        """
        rules = self._rules()
        if is_strict:
            rules = replace(rules, require_exact_config=True, allow_downgrade=False, may_migrate=False)
        try:
            fitted = self._fitted(given, rules)
        except CommandError as error:
            if error.code in ("not_found", "forbidden"):
                raise
            return {"valid": False, "reason": error.reason, "message": error.message}
        document = fitted.document
        return {
            "valid": True,
            "tick": document.tick,
            "config_id": document.identity.config_id,
            "migrations": list(document.migrations),
            "warnings": list(fitted.warnings),
        }

    def migrate(self, given: str, output: str) -> JsonObject:
        """Write a snapshot of another configuration as one of this.

        Raises:
            CommandError: `conflict` where nothing leads here, or the output exists.
        """
        opened = self._opened(given)
        before = len(opened.document.migrations)
        try:
            document = fit(opened, self._services.world.identity, self._graph, self._explicit()).document
            path = self._keeper.folder.named(output)
        except SnapshotError as error:
            raise _refusal(error) from None
        except ConfigError as error:
            raise CommandError("invalid_args", "name", str(error)) from None
        if path.exists():
            raise CommandError("conflict", "exists", f"{output} exists already; choose another name")
        write_snapshot(path, document)
        return {"path": self._keeper.folder.shown(path), "applied": list(document.migrations[before:])}

    def _tick_of(self, path: Path, changed_ns: int) -> int | None:
        key = (path, changed_ns)
        if key not in self._ticks:
            try:
                self._ticks[key] = open_snapshot(path, self._graph, allow_downgrade=True).document.tick
            except DioramaError:
                self._ticks[key] = None
        return self._ticks[key]

    def _rules(self) -> LoadRules:
        decider = self._services.decider
        variant = decider.pointer.variant if decider.is_learned else None
        return LoadRules.of(self._services.settings.snapshot, variant)

    def _explicit(self) -> LoadRules:
        return replace(self._rules(), may_migrate=True, require_exact_config=True)

    def _opened(self, given: str, *, allow_downgrade: bool | None = None) -> Loadable:
        allowed = self._services.settings.snapshot.allow_downgrade if allow_downgrade is None else allow_downgrade
        try:
            path = self._keeper.folder.inside(given)
            return open_snapshot(path, self._graph, allow_downgrade=allowed)
        except OutsideRoot as error:
            raise CommandError("forbidden", "outside_root", str(error)) from None
        except UnknownName:
            raise CommandError("not_found", "no_snapshot", f"there is no snapshot {given!r}") from None
        except SnapshotError as error:
            raise _refusal(error) from None

    def _fitted(self, given: str, rules: LoadRules) -> Loadable:
        opened = self._opened(given, allow_downgrade=rules.allow_downgrade)
        try:
            return fit(opened, self._services.world.identity, self._graph, rules)
        except SnapshotError as error:
            raise _refusal(error) from None


def _facts(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None  # an autosave that has just been replaced by newer ones


def saved_event(saved: Saved) -> LiveEvent:
    """Return the event of a snapshot that was written."""
    return _event("snapshot_saved", saved.path, saved.document)


def loaded_event(path: str, document: SnapshotDocument) -> LiveEvent:
    """Return the event of a snapshot that the world goes on from."""
    return _event("snapshot_loaded", path, document)


def _event(name: str, path: str, document: SnapshotDocument) -> LiveEvent:
    return service_event(
        name,
        document.tick,
        path=path,
        tick=document.tick,
        state_hash=document.state_hash,
        migrations=list(document.migrations),
    )


def _refusal(error: SnapshotError) -> CommandError:
    reason = "config_mismatch" if isinstance(error, ConfigMismatch) else "snapshot"
    return CommandError("conflict", reason, str(error))
