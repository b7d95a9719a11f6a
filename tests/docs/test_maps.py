"""Maps of the worlds name what is there, and nothing else."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import ROOT, name_of

PAGES: Final = sorted((ROOT / "src" / "diorama" / "worlds").glob("**/README.md"))
_ROW: Final = re.compile(r"^\| (?P<files>`[^|]+`) \|", re.MULTILINE)
_FILE: Final = re.compile(r"`(?P<path>[\w/.]+(?:\.py|/))`")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_map_names_files_that_exist(page: Path) -> None:
    assert missing(page.read_text(encoding="utf-8"), page.parent) == []


def test_a_file_that_is_gone_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "wages.py").touch()

    assert missing("| `rules/wages.py`, `needs.py` | two rules |\n", tmp_path) == ["needs.py"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_map_leaves_nothing_out(page: Path) -> None:
    rows = _ROW.finditer(page.read_text(encoding="utf-8"))
    named = {found["path"].partition("/")[0] for row in rows for found in _FILE.finditer(row["files"])}
    there = {path.name for path in page.parent.iterdir() if path.is_dir() or path.suffix == ".py"}

    assert sorted(there - named - {"__init__.py", "__pycache__"}) == []


def missing(text: str, folder: Path) -> list[str]:
    """Return files of a map's first column that lie neither beside the page nor beside the file named before."""
    lost = []
    for row in _ROW.finditer(text):
        beside = folder
        for found in _FILE.finditer(row["files"]):
            path = next((place / found["path"] for place in (folder, beside) if (place / found["path"]).exists()), None)
            if path is None:
                lost.append(found["path"])
            else:
                beside = path.parent
    return lost
