"""The page of figures tells what reports hold, goals that are missed included, and nothing of a machine's folders."""

import json
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import ROOT

TOOLS = str(ROOT / "tools")
REPORT = {
    "generated_at": "2026-01-02T03:04:05+00:00",
    "run_id": "replay_api-1",
    "config": {"json": "/home/somebody/reports/replay_api.json", "frames": 600, "rom": "/home/somebody/game.gb"},
    "summary": {
        "gates": [
            {"name": "page p95, ms", "value": 31.5, "at_most": 20.0, "pass": False},
            {"name": "frames/s", "value": 123456.0, "pass": True},
        ]
    },
    "system": {"cpu_model": "a processor", "cores": 2},
    "artifacts": ["/home/somebody/build"],
}

RECORDED = {
    "script": "replay_api",
    "title": "Pages of frames",
    "command": "python benchmarks/replay_api.py",
    "machine": "another processor",
    "page": "performance.md#the-server",
    "figures": [{"what": "a page of frames", "measured": "13 to 16 ms"}],
}


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one report that was taken over."""
    monkeypatch.syspath_prepend(TOOLS)
    from figures.importing import take_over

    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "replay_api.json").write_text(json.dumps(REPORT), encoding="utf-8")
    (tmp_path / "given" / "parity.json").write_text("{}", encoding="utf-8")
    take_over(tmp_path / "given", tmp_path / "kept", known=("replay_api",))
    described = yaml.safe_load((ROOT / "docs" / "reports" / "recorded.yaml").read_text(encoding="utf-8"))
    described["recorded"].append(RECORDED)
    (tmp_path / "kept" / "recorded.yaml").write_text(yaml.safe_dump(described), encoding="utf-8")
    return tmp_path / "kept"


def test_a_report_that_is_kept_names_no_folder(reports: Path) -> None:
    text = (reports / "replay_api.json").read_text(encoding="utf-8")

    assert "somebody" not in text
    assert json.loads(text)["config"] == {"frames": 600, "rom": "game.gb"}


def test_reports_without_a_section_are_left_where_they_are(reports: Path) -> None:
    assert [path.name for path in reports.glob("*.json")] == ["replay_api.json"]


def test_a_goal_that_is_missed_is_told(reports: Path) -> None:
    from figures.pages import figures_page

    page = figures_page(reports)

    assert "| page p95, ms | 31.5 |  | at most 20 | **no** |" in page
    assert "| frames/s | 123,000 |  |  |  |" in page
    assert "on a processor, 2 cores, 2026-01-02" in page


def test_figures_of_a_kept_report_take_the_place_of_recorded_ones(reports: Path) -> None:
    from figures.pages import figures_page

    page = figures_page(reports)
    assert page.count("## Pages of frames") == 1
    assert "13 to 16 ms" not in page
    (reports / "replay_api.json").unlink()
    assert "13 to 16 ms" in figures_page(reports)
