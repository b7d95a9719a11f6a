"""Writes the pages of `docs/reference` that come from the code; with `--check` it only says which are out of date."""

import argparse
import sys
from pathlib import Path
from typing import Final

from reference.commands import commands_page
from reference.contracts import world_pages
from reference.decisions import decisions_page
from reference.endpoints import endpoints_page
from reference.settings import settings_page

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"


def pages() -> dict[Path, str]:
    """Return every page by where it belongs."""
    reference = DOCS / "reference"
    return {
        reference / "cli.md": commands_page(),
        reference / "config.md": settings_page(),
        reference / "endpoints.md": endpoints_page(),
        **{reference / "worlds" / f"{name}.md": text for name, text in world_pages().items()},
        DOCS / "decisions" / "README.md": decisions_page(DOCS / "decisions"),
    }


def main() -> int:
    """Write them, or compare them with what is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args()
    stale = {
        path: text for path, text in pages().items() if not path.is_file() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{'out of date' if options.check else 'wrote'}: {path.relative_to(DOCS.parent).as_posix()}")
    if stale and options.check:
        print("python tools/write_reference.py writes them", file=sys.stderr)
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
