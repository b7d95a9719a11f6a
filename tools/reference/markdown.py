"""Markdown that reads the same wherever it is shown."""

import json
from collections.abc import Iterable, Sequence

LONGEST_VALUE = 60
NOTE = "<!-- Written by tools/write_reference.py; a test compares it with the code. -->"


def page(title: str, introduction: str, sections: Iterable[str]) -> str:
    """Put a page together."""
    parts = [f"# {title}", NOTE, introduction, *sections]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; empty where it has no rows."""
    body = [_line([cell(text) for text in row]) for row in rows]
    return "\n".join([_line(columns), "|" + "---|" * len(columns), *body]) if body else ""


def cell(text: str) -> str:
    """Keep a text within its cell."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Show a text as it is typed; nothing where it is empty."""
    return f"`{text}`" if text else ""


def value(given: object) -> str:
    """Show a value as it would stand in a YAML file; a long one by its size."""
    text = json.dumps(given, ensure_ascii=False)
    if len(text) <= LONGEST_VALUE:
        return code(text)
    return f"{len(given)} entries" if isinstance(given, dict | list) else code(f"{text[:LONGEST_VALUE]}…")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
