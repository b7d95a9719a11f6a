"""The index of the decisions: their titles and what became of them."""

import re
from pathlib import Path
from typing import Final

from reference.markdown import page, table

_NAME: Final = re.compile(r"\d{4}-[a-z0-9-]+\.md")
_TITLE: Final = re.compile(r"^# \d{4} (?P<title>.+)$", re.MULTILINE)
_STATUS: Final = re.compile(r"^## Status\n\n(?P<status>[^.\n]+)", re.MULTILINE)


def decisions_page(folder: Path) -> str:
    """Return the index of a folder of decisions.

    Raises:
        ValueError: A page has no title or does not say its status.
    """
    rows = [_row(path) for path in sorted(folder.glob("*.md")) if _NAME.fullmatch(path.name)]
    return page(
        "Decisions",
        "Why things are as they are, one page each. A decision is never rewritten; a later one takes its place.",
        (table(("Number", "Decision", "Status"), rows),),
    )


def _row(path: Path) -> tuple[str, ...]:
    text = path.read_text(encoding="utf-8")
    title, status = _TITLE.search(text), _STATUS.search(text)
    if title is None or status is None:
        raise ValueError(f"{path.name}: has no title or no status")
    return path.name[:4], f"[{title['title']}]({path.name})", status["status"]
