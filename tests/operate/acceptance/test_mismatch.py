"""Snapshots of one town in another: what may be loaded, and what is refused by which name."""

import shutil
from pathlib import Path

import pytest

from diorama.contracts.values import JsonObject
from diorama.operate.rehearsals.theater import Theater, refusal_of
from tests.operate.live.runtimes import open_live_world

SILENT = {"telemetry": {"transport": {"type": "none"}}}
SAVED = "snapshots/foreign.json.gz"


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


def test_paths_lead_nowhere_else(tmp_path: Path) -> None:
    with _town(tmp_path) as town:
        for path in ("../outside", "/etc/passwd"):
            code, _ = refusal_of(town.command("snapshot_load", [path]))
            assert code == "forbidden"
