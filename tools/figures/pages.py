"""The page itself: a section per report, then what was measured on machines whose reports are not kept."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from figures.figure import Figure, Report
from figures.readers import figures_of

RECORDED: Final = "recorded.yaml"
_NOTE: Final = "<!-- Written by tools/write_figures.py from docs/reports; a test compares it. -->"
_INTRODUCTION: Final = """\
Every figure of the documentation, what stands beside it, the goal where there is one, and the command that measures it
again. All but the last part comes from kept [`reports`](reports); `python tools/write_figures.py --take FOLDER`
takes new ones over. Figures of different machines are not to be compared; a ratio beside a peer in the same run is.
[Performance](performance.md) says what makes the difference."""
_EARLIER: Final = """\
## Measured earlier

Reports of these are not kept; the command measures them again, and the linked page tells more."""


def scripts_of(folder: Path) -> list[str]:
    """Return the names that reports in a folder may have, in the order of their sections."""
    return [*_described(folder)["scripts"]]


def figures_page(folder: Path) -> str:
    """Return the page of a folder of reports."""
    described = _described(folder)
    order = scripts_of(folder)
    reports = sorted(folder.glob("*.json"), key=lambda path: order.index(path.stem))
    parts = ["# Figures", _NOTE, _INTRODUCTION]
    parts += [_section(path, described["scripts"]) for path in reports]
    parts += [_EARLIER]
    parts += _recorded(described["recorded"], {path.stem for path in reports})
    return "\n\n".join(parts) + "\n"


def _described(folder: Path) -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load((folder / RECORDED).read_text(encoding="utf-8"))
    return described


def _section(path: Path, scripts: dict[str, dict[str, str]]) -> str:
    report = json.loads(path.read_text(encoding="utf-8"))
    script = scripts[path.stem]
    rows = (
        (item.what, item.measured, item.beside, item.goal, _verdict(item))
        for item in figures_of(script.get("script", path.stem), report)
    )
    links = [f"[report](reports/{path.name})", *([f"[more]({script['page']})"] if "page" in script else [])]
    return "\n\n".join(
        (
            f"## {script['title']}",
            f"`{script['command']}`, on {script.get('machine') or _machine(report)} ({', '.join(links)}).",
            _table(("Figure", "Measured", "Beside it", "Goal", "Reached"), rows),
        )
    )


def _recorded(sections: Iterable[dict[str, Any]], kept: set[str]) -> Iterator[str]:
    for section in sections:
        if section["script"] in kept:
            continue
        rows = (
            (row["what"], row["measured"], row.get("beside", ""), row.get("goal", ""), row.get("reached", ""))
            for row in section["figures"]
        )
        yield "\n\n".join(
            (
                f"### {section['title']}",
                f"`{section['command']}`, on {section['machine']} ([more]({section['page']})).",
                _table(("Figure", "Measured", "Beside it", "Goal", "Reached"), rows),
            )
        )


def _machine(report: Report) -> str:
    # A report of many processes has a case that tells the machine.
    system = report["system"] if "system" in report else report["machine"]["rows"][0]
    cores = f"{system['cores']} core{'s' if system['cores'] > 1 else ''}"
    card = system.get("card") or system.get("gpu")
    parts = [
        system["cpu_model"],
        cores,
        *([card] if card else []),
        *([report["generated_at"][:10]] if "generated_at" in report else []),
    ]
    return ", ".join(parts)


def _verdict(item: Figure) -> str:
    return "" if item.holds is None else "yes" if item.holds else "**no**"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "\n".join(f"| {' | '.join(str(text).replace('|', chr(92) + '|') for text in line)} |" for line in lines)
