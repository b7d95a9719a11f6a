"""Snapshots of one town in another: what may be loaded, and what is refused by which name."""

import shutil
from pathlib import Path

import pytest

from diorama.contracts.values import JsonObject
from diorama.operate.rehearsals.theater import Theater, refusal_of
from diorama.operate.snapshots.migrations import ENTRY_POINTS
from tests.operate.live.runtimes import open_live_world

SILENT = {"telemetry": {"transport": {"type": "none"}}}
SAVED = "snapshots/foreign.json.gz"
MIGRATIONS = '''
"""A package of somebody else that brings a migration."""

from dataclasses import replace

from diorama.operate.snapshots.migrations import Migration


def register(graph):
    def relabel(before):
        return replace(before, identity=replace(before.identity, config_id={target!r}))

    graph.register(Migration(world="townlet", source={source!r}, target={target!r}, apply=relabel))
'''


def _town(root: Path, **config: object) -> Theater:
    return Theater(open_live_world(root, "townlet", config={**SILENT, **config}, settings=None, seed=2))


def _loaded(tmp_path: Path, ours: dict[str, object], theirs: dict[str, object]) -> tuple[JsonObject, Theater]:
    with _town(tmp_path / "theirs", **theirs) as other:
        other.run(20)
        assert other.command("snapshot_save", ["foreign"])["status"] == "ok"
    town = _town(tmp_path / "ours", **ours)
    shutil.copy(tmp_path / "theirs" / SAVED, tmp_path / "ours" / SAVED)
    before = town.runtime.world.state_hash()
    answer = town.command("snapshot_validate", ["foreign"])
    town.runtime.world.state_hash()
    loaded = town.command("snapshot_load", ["foreign"])
    assert before != 0
    assert answer["status"] == "ok"
    return loaded, town


def test_the_same_configuration_is_loaded(tmp_path: Path) -> None:
    loaded, town = _loaded(tmp_path, {}, {})

    with town:
        assert loaded["status"] == "ok"
        assert town.tick == 21


@pytest.mark.parametrize(
    "theirs",
    [{"world": {"population": 5}}, {"config_id": "another"}, {"features": {"systems": {"observations": "compact"}}}],
    ids=str,
)
def test_another_configuration_is_refused_and_nothing_changes(theirs: dict[str, object], tmp_path: Path) -> None:
    loaded, town = _loaded(tmp_path, {}, theirs)

    with town:
        assert refusal_of(loaded) == ("conflict", "config_mismatch")
        assert town.tick == 2


def test_another_label_is_loaded_where_that_is_allowed(tmp_path: Path) -> None:
    lenient: dict[str, object] = {"snapshot": {"require_exact_config": False}}

    loaded, town = _loaded(tmp_path, lenient, {"config_id": "another"})

    with town:
        assert loaded["status"] == "ok", loaded


def test_a_migration_of_an_installed_package_leads_here_when_asked_or_allowed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small: dict[str, object] = {"world": {"population": 1}}
    with _town(tmp_path / "theirs", config_id="another", **small) as other:
        other.run(5)
        saved = other.runtime.save("foreign")
        source = other.runtime.world.identity.config_id
    target = source.replace("another", "ours")
    _install(tmp_path / "site", source, target)
    monkeypatch.syspath_prepend(tmp_path / "site")
    (tmp_path / "ours/snapshots").mkdir(parents=True)
    shutil.copy(tmp_path / "theirs" / SAVED, tmp_path / "ours" / SAVED)

    with _town(tmp_path / "ours", config_id="ours", **small) as town:
        unasked = town.command("snapshot_load", ["foreign"])
        migrated = town.command("snapshot_migrate", ["foreign", "ours-now"])
        loaded = [town.runtime.load("ours-now")]
    allowed: dict[str, object] = {"snapshot": {"migrations": {"auto_apply": True}}}
    with _town(tmp_path / "ours", config_id="ours", **small, **allowed) as town:
        loaded.append(town.runtime.load("foreign"))

    assert refusal_of(unasked) == ("conflict", "config_mismatch")
    assert migrated["result"] == {"path": "ours-now.json.gz", "applied": [f"{source} -> {target}"]}
    assert {(each["tick"], each["state_hash"]) for each in loaded} == {(saved["tick"], saved["state_hash"])}


def _install(site: Path, source: str, target: str) -> None:
    """Put a package where Python finds it, as an installer would."""
    metadata = site / "brings_migrations-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: brings-migrations\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nours = brings_migrations:register\n")
    (site / "brings_migrations.py").write_text(MIGRATIONS.format(source=source, target=target))


def test_paths_lead_nowhere_else(tmp_path: Path) -> None:
    with _town(tmp_path) as town:
        for path in ("../outside", "/etc/passwd"):
            code, _ = refusal_of(town.command("snapshot_load", [path]))
            assert code == "forbidden"
