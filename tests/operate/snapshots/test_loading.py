"""Which snapshots may be loaded: the rules of schema, configuration and variant, and migrations between them."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from diorama.contracts.values import JsonObject
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import ConfigMismatch, SnapshotIncompatible
from diorama.operate.snapshots.files import write_snapshot
from diorama.operate.snapshots.loading import Loadable, LoadRules, fit, open_snapshot
from diorama.operate.snapshots.migrations import Migration, MigrationGraph
from tests.operate.snapshots.documents import document, live_identity

OLD, MIDDLE, OTHER, NEW = (
    f"{name}+hybrid.{digit * 8}" for name, digit in zip(("old", "mid", "oth", "new"), "1345", strict=True)
)


def _step(source: str, target: str, *, sets: str | None = None) -> Migration:
    def apply(before: SnapshotDocument) -> SnapshotDocument:
        return replace(before, identity=replace(before.identity, config_id=sets or target))

    return Migration(world="townlet", source=source, target=target, apply=apply)


def _graph(*steps: Migration) -> MigrationGraph:
    graph = MigrationGraph()
    for step in steps:
        graph.register(step)
    return graph


def _fit(config_id: str, graph: MigrationGraph, rules: LoadRules) -> SnapshotDocument:
    return fit(Loadable(document=document(config_id)), live_identity(NEW), graph, rules).document


def test_the_shortest_way_is_taken_and_the_first_of_equals() -> None:
    graph = _graph(_step(OLD, OTHER), _step(OLD, MIDDLE), _step(MIDDLE, NEW), _step(OTHER, NEW), _step(MIDDLE, OTHER))

    migrated = _fit(OLD, graph, LoadRules(may_migrate=True))

    assert migrated.migrations == (f"{OLD} -> {OTHER}", f"{OTHER} -> {NEW}")
    assert migrated.identity.config_id == NEW


def test_another_configuration_is_refused_with_both_ids() -> None:
    for graph in (_graph(), _graph(_step(NEW, OLD))):
        with pytest.raises(ConfigMismatch, match="no registered migration") as caught:
            _fit(OLD, graph, LoadRules(may_migrate=True))
        assert (caught.value.found, caught.value.wanted) == (OLD, NEW)


def test_nothing_is_migrated_unasked() -> None:
    with pytest.raises(ConfigMismatch, match="auto_apply"):
        _fit(OLD, _graph(_step(OLD, NEW)), LoadRules())


def test_a_step_must_set_the_id_it_leads_to() -> None:
    with pytest.raises(SnapshotIncompatible, match="must set"):
        _fit(OLD, _graph(_step(OLD, NEW, sets=MIDDLE)), LoadRules(may_migrate=True))


def test_a_step_that_fails_is_named() -> None:
    def apply(before: SnapshotDocument) -> SnapshotDocument:
        raise KeyError(str(before.body["citizens"]))

    graph = _graph(Migration(world="townlet", source=OLD, target=NEW, apply=apply))

    with pytest.raises(SnapshotIncompatible, match="KeyError"):
        _fit(OLD, graph, LoadRules(may_migrate=True))


def test_another_label_is_loaded_where_that_is_allowed_and_the_structure_is_the_same() -> None:
    relabeled, rules = document("label+hybrid.22222222"), LoadRules(require_exact_config=False)

    assert fit(Loadable(document=relabeled), live_identity(), MigrationGraph(), rules).document is relabeled
    with pytest.raises(ConfigMismatch):
        fit(Loadable(document=relabeled), live_identity(), MigrationGraph(), LoadRules())
    with pytest.raises(ConfigMismatch):
        fit(Loadable(document=document(OLD, "11111111")), live_identity(), MigrationGraph(), rules)


@pytest.mark.parametrize(
    ("changed", "rules", "why"),
    [
        pytest.param({"world": "prospector"}, LoadRules(), "of world", id="world"),
        pytest.param({"failure": {"stage": 4}}, LoadRules(), "failed in stage 4", id="failure"),
        pytest.param({}, LoadRules(policy_variant="compact"), "loaded policy", id="variant"),
    ],
)
def test_what_cannot_go_on_here_is_refused(changed: Mapping[str, object], rules: LoadRules, why: str) -> None:
    opened = Loadable(document=replace(document(), **changed))  # type: ignore[arg-type]

    with pytest.raises(SnapshotIncompatible, match=why):
        fit(opened, live_identity(), MigrationGraph(), rules)


def test_older_schemas_are_upgraded_step_by_step(tmp_path: Path) -> None:
    graph = MigrationGraph()
    graph.register_schema("1.0", "1.5", lambda old: {**old, "schema_version": "1.5"})
    graph.register_schema("1.5", "2.0", lambda old: {**old, "schema_version": "2.0"})
    path = _written(tmp_path, {"schema_version": "1.0"})

    opened = open_snapshot(path, graph).document

    assert opened.migrations == ("schema 1.0 -> 1.5", "schema 1.5 -> 2.0")
    with pytest.raises(SnapshotIncompatible, match=r"schema 1\.0"):
        open_snapshot(path, MigrationGraph())


def test_newer_schemas_are_refused_unless_what_is_unknown_may_be_dropped(tmp_path: Path) -> None:
    path = _written(tmp_path, {"schema_version": "2.1", "weather": "rain"})

    with pytest.raises(SnapshotIncompatible, match="newer"):
        open_snapshot(path, MigrationGraph())
    opened = open_snapshot(path, MigrationGraph(), allow_downgrade=True)

    assert opened.document == document()
    assert "weather" in opened.warnings[0]


def _written(folder: Path, changed: JsonObject) -> Path:
    path = folder / "one.json.gz"
    write_snapshot(path, document())
    stored = json.loads(gzip.decompress(path.read_bytes()))
    path.write_bytes(gzip.compress(json.dumps({**stored, **changed}).encode()))
    return path
