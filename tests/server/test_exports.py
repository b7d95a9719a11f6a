"""Policies of runs as files: found, made once and kept, refused in words."""

import os
import shutil
from pathlib import Path

import httpx
import pytest

from diorama.contracts.errors import MissingExtra
from diorama.engine.venue import open_venue
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.exports import export_path
from diorama.runs.layout import run_layout
from diorama.server.exports import shelf
from tests.runs.factories import empty_run
from tests.runs.kept_policies import keep_dice
from tests.server.conftest import TRAINED
from tests.server.loopback import serving
from tests.server.play_factories import keep_policy


def test_trained_runs_are_listed_with_what_is_missing(client: httpx.Client) -> None:
    listed = client.get("/api/exports", params={"world": "prospector"}).json()

    assert [row["run_id"] for row in listed["exports"]] == ["champion:prospector", TRAINED]
    assert listed["can_make"] is (listed["missing"] is None)
    assert client.get("/api/exports", params={"world": "atlantis"}).json()["exports"] == []


def test_an_export_is_served_until_its_checkpoint_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise MissingExtra.of("export", needed_for="exporting a policy")

    keep_policy(tmp_path, "kept", open_venue("prospector", {}).spec, "mlp-8x8-tanh-v1")
    layout = run_layout(tmp_path, "kept")
    checkpoint = newest_checkpoint(layout)
    path = export_path(layout, checkpoint)
    path.parent.mkdir()
    path.write_bytes(b"a policy")
    keep_dice(empty_run(tmp_path, "dice"))
    monkeypatch.setattr(shelf, "require_onnx", refuse)
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=20) as client:
        found = client.get("/api/exports/kept")
        later = checkpoint.stat().st_mtime_ns + 10**10
        os.utime(checkpoint, ns=(later, later))
        stale, dice, nobody = (client.get(f"/api/exports/{run}") for run in ("kept", "dice", "nobody"))
        listed = client.get("/api/exports").json()

    assert (found.status_code, found.content) == (200, b"a policy")
    assert "kept-ckpt_000000.onnx" in found.headers["content-disposition"]
    assert (stale.status_code, dice.status_code, nobody.status_code) == (503, 409, 404)
    assert "pip install 'diorama[export]'" in stale.json()["detail"]
    assert "played at random" in dice.json()["detail"]
    assert (listed["can_make"], "diorama[export]" in listed["missing"]) == (False, True)


@pytest.mark.slow
def test_an_export_is_made_once_by_a_process_of_its_own(run_root: Path, tmp_path: Path) -> None:
    import onnxruntime

    shutil.copytree(run_root / TRAINED, tmp_path / TRAINED)
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=300) as client:
        first = client.get(f"/api/exports/{TRAINED}")
        again = client.get(f"/api/exports/{TRAINED}")

    assert first.content == again.content
    assert onnxruntime.InferenceSession(first.content).get_modelmeta().custom_metadata_map["diorama"]
