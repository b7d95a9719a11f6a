from datetime import UTC, datetime
from pathlib import Path
from subprocess import run

import pytest

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.runs.layout import RunLayout, check_id, default_run_id, run_layout, short_revision


@pytest.mark.parametrize("run_id", ["a", "20310506T070809Z-1a2b3c4", "A.b_c-d", "_x", "-x", "x" * 128])
def test_ids_of_the_pattern_are_allowed(run_id: str, tmp_path: Path) -> None:
    assert run_layout(tmp_path, run_id).directory == tmp_path / run_id


@pytest.mark.parametrize(
    "run_id",
    ["", ".", "..", ".hidden", "a/b", "../a", "a\\b", "a b", "a\n", "ä", "a\0", "x" * 129, "/etc", "a%2fb", "a:b"],
)
def test_other_ids_are_refused_everywhere(run_id: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not allowed"):
        run_layout(tmp_path, run_id)
    with pytest.raises(ConfigError, match="replay id"):
        RunLayout(tmp_path).replay(run_id)
    with pytest.raises(ConfigError, match="is not allowed"):
        check_id("run", run_id)


def test_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    root = tmp_path / "runs"
    root.mkdir()
    (root / "sneaky").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ConfigError, match="link out of"):
        run_layout(root, "sneaky")


def test_a_root_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "run").mkdir(parents=True)
    (tmp_path / "runs").symlink_to(tmp_path / "real")

    assert run_layout(tmp_path / "runs", "run").run_id == "run"


def test_the_default_id_is_the_moment_and_the_revision() -> None:
    now = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)

    assert default_run_id(now, "1a2b3c4") == "20310506T070809Z-1a2b3c4"
    assert default_run_id(now, None) == "20310506T070809Z-nogit"
    check_id("run", default_run_id(now, None))


def test_the_revision_is_that_of_the_directory(tmp_path: Path) -> None:
    assert short_revision(tmp_path) is None

    for command in (
        ["init", "-q"],
        ["-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        run(["git", "-C", str(tmp_path), *command], check=True)
    full = run(["git", "-C", str(tmp_path), "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    revision = short_revision(tmp_path)
    assert revision is not None
    assert full.startswith(revision)


def test_stored_paths_are_relative_and_lead_back(tmp_path: Path) -> None:
    layout = run_layout(tmp_path, "run")

    assert layout.relative(layout.windows) == "metrics/windows.jsonl"
    assert layout.resolve("metrics/windows.jsonl") == layout.windows


@pytest.mark.parametrize("stored", ["../other/run_metadata.json", "/etc/passwd", "replays/../../x"])
def test_a_stored_path_that_leads_out_of_the_run_is_refused(stored: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="outside of its run"):
        run_layout(tmp_path, "run").resolve(stored)
