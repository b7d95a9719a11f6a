"""Migrations: how a snapshot of another configuration, or of an older schema, becomes one that can be loaded."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Final, TypeAlias

from diorama.contracts.errors import DioramaError
from diorama.contracts.values import JsonObject
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import SnapshotIncompatible

ENTRY_POINTS: Final = "diorama.snapshot_migrations"

DocumentStep: TypeAlias = Callable[[SnapshotDocument], SnapshotDocument]
SchemaStep: TypeAlias = Callable[[JsonObject], JsonObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """A way from one configuration to another; `apply` must return a document with the new id."""

    world: str
    source: str
    target: str
    apply: DocumentStep

    @property
    def name(self) -> str:
        """How it is recorded in a snapshot."""
        return f"{self.source} -> {self.target}"


class MigrationGraph:
    """Registered migrations of configurations and of schemas.

    A package adds its own by an entry point of the group `diorama.snapshot_migrations`: a callable that is given
    the graph.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._edges: list[Migration] = []
        self._schemas: dict[str, tuple[str, SchemaStep]] = {}

    def register(self, migration: Migration) -> None:
        """Add a way; where two are equally short, the one that was added first is taken."""
        self._edges.append(migration)

    def register_schema(self, source: str, target: str, step: SchemaStep) -> None:
        """Add the step from an older schema to a newer one; it works on the document as it lies in its file."""
        self._schemas[source] = (target, step)

    def path(self, world: str, source: str, target: str) -> list[Migration] | None:
        """Return the shortest way between two configurations; None if there is none, empty if they are the same."""
        came_by: dict[str, Migration | None] = {source: None}
        waiting = deque([source])
        while waiting and target not in came_by:
            here = waiting.popleft()
            for edge in self._edges:
                if edge.world == world and edge.source == here and edge.target not in came_by:
                    came_by[edge.target] = edge
                    waiting.append(edge.target)
        if target not in came_by:
            return None
        return _way_back(came_by, target)

    def upgrade(self, document: JsonObject, wanted: str) -> tuple[JsonObject, list[str]]:
        """Carry a document of an older schema to the wanted one; return it with the names of the steps.

        Raises:
            SnapshotIncompatible: No step leads on, or one does not do what it says.
        """
        applied: list[str] = []
        while (found := str(document.get("schema_version"))) != wanted:
            if found not in self._schemas:
                raise SnapshotIncompatible(
                    f"the snapshot has schema {found}; nothing leads from there to {wanted}, which is read here"
                )
            target, step = self._schemas[found]
            document = step(document)
            if document.get("schema_version") != target:
                raise SnapshotIncompatible(f"the schema step {found} -> {target} left {document.get('schema_version')}")
            applied.append(f"schema {found} -> {target}")
        return document, applied


def migrate(document: SnapshotDocument, steps: Iterable[Migration]) -> SnapshotDocument:
    """Apply steps in order and record them.

    Raises:
        SnapshotIncompatible: A step fails, or does not set the id it leads to.
    """
    for step in steps:
        try:
            after = step.apply(document)
        except (DioramaError, KeyError, TypeError, ValueError) as error:
            raise SnapshotIncompatible(f"the migration {step.name} failed: {type(error).__name__}: {error}") from error
        if after.identity.config_id != step.target:
            raise SnapshotIncompatible(
                f"the migration {step.name} set the id {after.identity.config_id!r}; it must set {step.target!r}"
            )
        document = replace(after, migrations=(*document.migrations, step.name))
    return document


def installed_migrations() -> MigrationGraph:
    """Return the migrations that installed packages bring."""
    graph = MigrationGraph()
    for entry in entry_points(group=ENTRY_POINTS):
        entry.load()(graph)
    return graph


def _way_back(came_by: dict[str, Migration | None], target: str) -> list[Migration]:
    steps: list[Migration] = []
    edge = came_by[target]
    while edge is not None:
        steps.append(edge)
        edge = came_by[edge.source]
    return steps[::-1]
