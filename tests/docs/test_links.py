"""Links of the documentation lead somewhere, and every guide and decision is linked."""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import ROOT, name_of

PAGES: Final = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "src/diorama/worlds/**/README.md",
        "crates/*/README.md",
        "examples/**/*.md",
    )
    for path in ROOT.glob(pattern)
)
_LINK: Final = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_FENCE: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert [target for target in targets(page) if not leads_somewhere(page, target)] == []


def test_a_link_that_leads_nowhere_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One two\n\n[a](page.md#one-two) [b](none.md) [c](page.md#three)\n", encoding="utf-8")

    assert [target for target in targets(page) if not leads_somewhere(page, target)] == ["none.md", "page.md#three"]


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        waiting += [page.parent / target.partition("#")[0] for target in targets(page) if "://" not in target]

    assert [name_of(page) for page in PAGES if page.is_relative_to(ROOT / "docs") and page not in reached] == []


def targets(page: Path) -> list[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [match["target"] for match in _LINK.finditer(text)]


def leads_somewhere(page: Path, target: str) -> bool:
    if "://" in target or target.startswith("mailto:"):
        return True
    path, _, anchor = target.partition("#")
    file = page.parent / path if path else page
    return file.exists() and (not anchor or file.suffix != ".md" or anchor in anchors(file))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Anchors as code hosts make them of headings."""
    titles = _HEADING.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))
    return frozenset(re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles)
